"use client";
import { formatCredits } from "@/components/format/format-credits";
import { Figure } from "@/components/ui/figure";
import { Skeleton } from "@/components/ui/skeleton";
import { useConsoleQuery } from "@/lib/console/queries";
import { reads } from "@/lib/console/reads";
import { isTerminal } from "@/lib/model/run/run-status";
import { overviewPaths } from "./overview-paths";

const PLACE = <Skeleton className="my-1 h-5.5 w-20" />;

export function OverviewFigures() {
  const { data: usage } = useConsoleQuery(reads.usage);
  const { data: runs } = useConsoleQuery(overviewPaths.runs);
  // The server counts days in UTC, and so does this.
  const today = usage?.by_day.find(({ day }) => day === new Date().toISOString().slice(0, 10));
  const active = runs?.data.filter((run) => !isTerminal(run.status)).length;
  const waiting = runs?.data.filter((run) => run.requires_action).length ?? 0;
  return (
    <dl aria-label="Figures" className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line lg:grid-cols-4">
      <Figure label="Credits" value={usage ? formatCredits(usage.credits.available) : PLACE} note="available" />
      <Figure label="Used" value={usage ? formatCredits(usage.used_24h) : PLACE} note="credits in 24 hours" />
      <Figure label="Runs" value={usage ? (today?.runs ?? 0) : PLACE} note="today, UTC" />
      <Figure label="Active" value={active ?? PLACE} note={waiting > 0 ? `${waiting} waiting for you` : "running now"} />
    </dl>
  );
}
