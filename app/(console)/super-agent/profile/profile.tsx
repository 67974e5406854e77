"use client";
import { Card } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { consolePaths } from "@/lib/console/console-paths";
import type { ProductProfile } from "@/lib/console/shapes/product-profile";
import { useConsoleQuery } from "@/lib/console/use-console-query";
import { QueryProblem } from "../../_shared/query-problem";
import { ProfileForm } from "./profile-form";

export function Profile() {
  const { data, error, refetch } = useConsoleQuery<ProductProfile>(consolePaths.productProfile);
  return (
    <Card aria-label="Profile" aria-busy={!data}>
      {error && !data && <QueryProblem error={error} retry={() => void refetch()} />}
      {!error && !data && <Skeleton className="h-[60rem] rounded-none" />}
      {data && <ProfileForm profile={data} />}
    </Card>
  );
}
