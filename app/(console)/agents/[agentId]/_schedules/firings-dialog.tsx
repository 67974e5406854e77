"use client";

import { Badge } from "@/components/ui/badge";
import { Dialog } from "@/components/ui/dialog";
import { Link } from "@/components/ui/link";
import { LoadMore } from "@/components/ui/load-more";
import { RunStatusBadge } from "@/components/ui/run-status-badge";
import { Skeleton } from "@/components/ui/skeleton";
import type { Schedule, ScheduleFiring } from "@/lib/client/schemas";
import { useConsolePages } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import { isTerminal } from "@/lib/model/run/run-status";
import { QueryProblem } from "../../../_shared/query-problem";
import { FiringTime } from "./schedule-dialog";

interface FiringsDialogProps {
  schedule: Schedule;
  name: string;
  open: boolean;
  onClose: () => void;
}

/** What became of each firing of a schedule. */
export function FiringsDialog({ schedule, name, open, onClose }: FiringsDialogProps) {
  return (
    <Dialog
      wide
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title="Firings"
      description={name}
    >
      <Firings schedule={schedule} />
    </Dialog>
  );
}

const REFRESH_MILLISECONDS = 3_000;

function Firings({ schedule: { agent_id, schedule_id, timezone } }: { schedule: Schedule }) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useConsolePages(
    reads.scheduleFirings(agent_id, schedule_id),
    {
      refreshEvery: (rows) =>
        rows.some(({ run_status }) => run_status !== null && !isTerminal(run_status))
          ? REFRESH_MILLISECONDS
          : false,
    },
  );
  const firings = data?.pages.flatMap((page) => page.data);
  if (!firings)
    return error ? (
      <QueryProblem error={error} retry={() => void refetch()} />
    ) : (
      <Skeleton className="h-32 rounded-lg" />
    );
  if (firings.length === 0)
    return <p className="text-muted text-sm">It has not fired yet, by the clock or by hand.</p>;
  return (
    <>
      <ul aria-label="Firings" className="divide-y divide-line border-line border-y">
        {firings.map((firing) => (
          <li key={firing.firing_id} className="py-2.5 text-sm">
            <FiringRow firing={firing} timezone={timezone} />
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <LoadMore loading={isFetchingNextPage} onClick={() => void fetchNextPage()} />
      )}
    </>
  );
}

function FiringRow({ firing, timezone }: { firing: ScheduleFiring; timezone: string }) {
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="tabular">
          <FiringTime time={new Date(firing.at)} timezone={timezone} />
        </span>
        {firing.trigger === "manual" && <Badge>By hand</Badge>}
        <span className="ml-auto flex items-center gap-3">
          {firing.outcome === "skipped" && <Badge tone="danger">Skipped</Badge>}
          {firing.run_status && <RunStatusBadge status={firing.run_status} />}
          {firing.run_id && firing.run_status && (
            <Link
              href={`/runs/${firing.run_id}`}
              className="text-accent underline-offset-4 hover:underline"
            >
              Run
            </Link>
          )}
          {firing.run_id && !firing.run_status && <Badge>Run deleted</Badge>}
        </span>
      </p>
      {firing.error && (
        <p className="mt-1 text-danger text-xs [overflow-wrap:anywhere]">
          {firing.error.message} <code className="font-mono">{firing.error.code}</code>
        </p>
      )}
    </>
  );
}
