"use client";
import Link from "next/link";
import { formatCredits } from "@/components/format/format-credits";
import { RelativeTime } from "@/components/ui/relative-time";
import { RunStatusBadge } from "@/components/ui/run-status-badge";
import { ScrollRegion } from "@/components/ui/scroll-region";
import type { Finding } from "@/lib/console/dashboard/finding";
import type { Run } from "@/lib/console/shapes/run";
import { Found } from "./found";
import type { WidgetOf } from "./widget-of";

const DEFAULT_ROWS = 8;

interface RunsWidgetProps {
  widget: WidgetOf<"runs">;
  runs: readonly Run[] | undefined;
  title: string;
}

/** The agent's newest runs, which lead to their pages. */
export function RunsWidget({ widget, runs, title }: RunsWidgetProps) {
  return (
    <Found finding={findRuns(runs, widget.limit ?? DEFAULT_ROWS)}>
      {(shown) => (
        <ScrollRegion label={`Content of ${title}`} className="max-md:max-h-96 md:absolute md:inset-0">
          <ul className="divide-y divide-line">
            {shown.map((run) => (
              <li key={run.run_id}>
                <Link
                  href={`/runs/${run.run_id}`}
                  className="flex min-h-10 items-center gap-3 px-4 py-2 text-sm transition-colors hover:bg-hover/60 focus-visible:-outline-offset-2"
                >
                  <RunStatusBadge status={run.status} waiting={run.requires_action !== null} />
                  <span className="min-w-0 flex-1 truncate text-muted">
                    <RelativeTime time={run.created_at} />
                  </span>
                  <span className="text-faint text-xs tabular">{run.usage ? `${formatCredits(run.usage.credits)} credits` : ""}</span>
                </Link>
              </li>
            ))}
          </ul>
        </ScrollRegion>
      )}
    </Found>
  );
}

function findRuns(runs: readonly Run[] | undefined, limit: number): Finding<readonly Run[]> {
  if (runs === undefined) return { state: "loading" };
  return runs.length === 0 ? { state: "missing", why: "This agent has not run yet." } : { state: "there", value: runs.slice(0, limit) };
}
