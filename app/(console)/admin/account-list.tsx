"use client";
import { Search } from "lucide-react";
import { debounce, parseAsString, useQueryState } from "nuqs";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { INPUT_CLASSES } from "@/components/ui/input";
import { LoadMore } from "@/components/ui/load-more";
import { Skeleton } from "@/components/ui/skeleton";
import { consolePaths } from "@/lib/console/console-paths";
import type { AdminAccount } from "@/lib/console/shapes/admin-account";
import { useConsolePages } from "@/lib/console/use-console-pages";
import { QueryProblem } from "../_shared/query-problem";
import { AccountItem } from "./account-item";

const EMAIL_MAX_CHARACTERS = 254;

/** Every account of the service, found by its address. */
export function AccountList() {
  const [q, setQ] = useQueryState("q", parseAsString.withDefault(""));
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useConsolePages<AdminAccount>(
    consolePaths.adminAccounts({ q }),
  );
  const accounts = data?.pages.flatMap((page) => page.data);
  return (
    <>
      <div className="relative mb-4 sm:max-w-xs">
        <Search aria-hidden="true" className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-faint" />
        <input
          type="search"
          aria-label="Search accounts by e-mail"
          placeholder="Search by e-mail…"
          maxLength={EMAIL_MAX_CHARACTERS}
          value={q}
          onChange={(event) => void setQ(event.target.value || null, { limitUrlUpdates: debounce(250) })}
          className={`${INPUT_CLASSES} h-8.5 pl-8`}
        />
      </div>
      <Card aria-label="Accounts" aria-busy={!accounts}>
        {error && !accounts && <QueryProblem error={error} retry={() => void refetch()} />}
        {!error && !accounts && <AccountsSkeleton />}
        {accounts && accounts.length > 0 && (
          <ul className="divide-y divide-line">
            {accounts.map((account) => (
              <AccountItem key={account.account_id} account={account} />
            ))}
          </ul>
        )}
        {accounts?.length === 0 && (
          <EmptyState title="No account has such an address" seed="accounts">
            The search looks for this text anywhere in the e-mail address. Try a shorter part of it.
          </EmptyState>
        )}
        {hasNextPage && <LoadMore busy={isFetchingNextPage} onClick={() => void fetchNextPage()} />}
      </Card>
    </>
  );
}

function AccountsSkeleton() {
  return (
    <div role="status" aria-label="Loading accounts" className="divide-y divide-line">
      {Array.from({ length: 6 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the places never change
        <div key={index} className="grid h-18 content-center gap-2 px-4">
          <Skeleton className="h-4 w-56" />
          <Skeleton className="h-3.5 w-72 max-w-full" />
        </div>
      ))}
    </div>
  );
}
