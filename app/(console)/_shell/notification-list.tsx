"use client";
import { CheckCheck } from "lucide-react";
import { Button } from "@/components/ui/button";
import { LoadMore } from "@/components/ui/load-more";
import { Skeleton } from "@/components/ui/skeleton";
import { consolePaths } from "@/lib/console/console-paths";
import { requestConsoleJson } from "@/lib/console/request-console-json";
import type { ConsoleNotification } from "@/lib/console/shapes/notification";
import { useConsoleMutation } from "@/lib/console/use-console-mutation";
import { useConsolePages } from "@/lib/console/use-console-pages";
import { QueryProblem } from "../_shared/query-problem";
import { NotificationRow } from "./notification-row";

const STALE = ["notifications", consolePaths.attention];

/** The notifications, newest first. Opening one marks it as read. */
export function NotificationList({ close }: { close: () => void }) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useConsolePages<ConsoleNotification>(
    consolePaths.notifications,
    { refreshEvery: () => 10_000 },
  );
  const rows = data?.pages.flatMap((page) => page.data);
  const newest = rows?.[0]?.notification_id;
  const readOne = useConsoleMutation(
    (id: string) => requestConsoleJson<void>(`notifications/${encodeURIComponent(id)}/read`, { method: "POST" }),
    { stale: STALE, quiet: true },
  );
  const readAll = useConsoleMutation(
    (upTo: string) => requestConsoleJson<void>("notifications/read", { method: "POST", body: { up_to: upTo } }),
    {
      stale: STALE,
    },
  );
  const open = (row: ConsoleNotification) => {
    if (!row.read_at) readOne.mutate(row.notification_id);
    close();
  };
  return (
    <>
      <div className="flex min-h-11 items-center justify-between gap-3 border-line border-b py-1.5 pr-2 pl-4">
        <h2 className="font-medium text-sm">Notifications</h2>
        <Button
          look="ghost"
          size="small"
          busy={readAll.isPending}
          disabled={!rows?.some((row) => row.read_at === null)}
          onClick={() => newest && readAll.mutate(newest)}
        >
          <CheckCheck aria-hidden="true" />
          Mark all as read
        </Button>
      </div>
      <div className="max-h-[min(28rem,65dvh)] overflow-y-auto overscroll-contain">
        {error && !rows && <QueryProblem error={error} retry={() => void refetch()} />}
        {!error && !rows && <Skeleton className="h-44 rounded-none" />}
        {rows?.length === 0 && (
          <p className="px-6 py-9 text-center text-muted text-sm">
            No notifications yet. A run that is started with <code className="font-mono text-xs">should_notify</code> reports here when it
            ends.
          </p>
        )}
        <ul className="divide-y divide-line">
          {rows?.map((row) => (
            <NotificationRow key={row.notification_id} notification={row} onOpen={() => open(row)} />
          ))}
        </ul>
        {hasNextPage && <LoadMore busy={isFetchingNextPage} onClick={() => void fetchNextPage()} />}
      </div>
    </>
  );
}
