"use client";

import { Search, UserRound } from "lucide-react";
import { debounce, parseAsString, useQueryState } from "nuqs";
import { formatCredits } from "@/components/format/format";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { INPUT_CLASSES } from "@/components/ui/input";
import { Link } from "@/components/ui/link";
import { LoadMore } from "@/components/ui/load-more";
import { RelativeTime } from "@/components/ui/relative-time";
import type { EndUser } from "@/lib/client/schemas";
import { useConsolePages } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import { METADATA_VALUE_MAX_CHARACTERS } from "@/lib/model/limits";
import { RunRowsSkeleton } from "../_run/run-list";
import { QueryProblem } from "../_shared/query-problem";
import { endUserPage } from "./end-user-page";

/** The account's people, found by the beginning of their names. */
export function EndUserList() {
  const [q, setQ] = useQueryState("q", parseAsString.withDefault(""));
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useConsolePages(
    reads.endUsers(q),
  );
  const people = data?.pages.flatMap((page) => page.data);
  return (
    <>
      <div className="relative mb-4 sm:max-w-xs">
        <Search
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-faint"
        />
        <input
          type="search"
          aria-label="Search end users by name"
          placeholder="Search by the beginning…"
          maxLength={METADATA_VALUE_MAX_CHARACTERS}
          value={q}
          onChange={(event) =>
            void setQ(event.target.value || null, { limitUrlUpdates: debounce(250) })
          }
          className={`${INPUT_CLASSES} h-8.5 pl-8`}
        />
      </div>
      <Card aria-label="End users" aria-busy={!people}>
        {error && !people && <QueryProblem error={error} retry={() => void refetch()} />}
        {!error && !people && <RunRowsSkeleton rows={8} />}
        {people && people.length > 0 && (
          <ul className="divide-y divide-line">
            {people.map((person) => (
              <EndUserRow key={person.end_user} person={person} />
            ))}
          </ul>
        )}
        {people?.length === 0 &&
          (q === "" ? (
            <EmptyState title="Nobody has come yet" seed="end-users">
              Name the person for whom a run is:{" "}
              <code className="font-mono text-xs">{'"end_user": "u_42"'}</code>. Their
              conversations, notes, usage and secrets are then kept apart, and can be limited,
              exported and erased.
            </EmptyState>
          ) : (
            <EmptyState title="No end user’s name begins with this" seed="end-users">
              Capital and small letters are different. Try a shorter beginning.
            </EmptyState>
          ))}
        {hasNextPage && (
          <LoadMore loading={isFetchingNextPage} onClick={() => void fetchNextPage()} />
        )}
      </Card>
    </>
  );
}

/** One person, a line which leads to their page. */
function EndUserRow({ person }: { person: EndUser }) {
  const limit = person.max_credits_per_day;
  return (
    <li>
      <Link
        href={endUserPage(person.end_user)}
        className="grid min-h-12 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 px-4 py-2 text-sm transition-colors hover:bg-hover/60 focus-visible:-outline-offset-2 sm:grid-cols-[minmax(0,1fr)_11rem_7rem]"
      >
        <span className="flex min-w-0 items-center gap-3">
          <UserRound aria-hidden="true" className="size-4 shrink-0 text-faint max-sm:hidden" />
          <span className="min-w-0">
            <span className="flex min-w-0 items-center gap-2">
              <span className="truncate font-medium">{person.end_user}</span>
              {person.status === "erasing" && <Badge tone="warning">Being erased</Badge>}
            </span>
            {limit !== null && (
              <span className="block truncate text-faint text-xs sm:hidden">
                {formatCredits(limit)} credits a day
              </span>
            )}
          </span>
        </span>
        <span className="truncate text-muted text-xs max-sm:hidden">
          {limit === null ? "" : `At most ${formatCredits(limit)} credits a day`}
        </span>
        <span className="text-right text-faint text-xs">
          <RelativeTime time={person.last_seen_at} />
        </span>
      </Link>
    </li>
  );
}
