"use client";
import { Coins } from "lucide-react";
import Link from "next/link";
import { formatCredits } from "@/components/format/format-credits";
import { Skeleton } from "@/components/ui/skeleton";
import { consolePaths } from "@/lib/console/console-paths";
import type { AccountUsage } from "@/lib/console/shapes/account-usage";
import { useConsoleQuery } from "@/lib/console/use-console-query";

/** The wallet's balance, which leads to where it went. */
export function CreditsLine() {
  const { data } = useConsoleQuery<AccountUsage>(consolePaths.usage);
  return (
    <Link href="/usage" className="flex h-9 items-center gap-2.5 rounded-md px-2 text-muted text-sm hover:bg-hover">
      <Coins aria-hidden="true" className="size-4 text-faint" />
      Credits
      <span className="ml-auto font-medium text-foreground tabular">
        {data ? formatCredits(data.credits.available) : <Skeleton className="h-3.5 w-12" />}
      </span>
    </Link>
  );
}
