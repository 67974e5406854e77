import { HISTORY_DEFAULT_RUNS } from "@/lib/console/dashboard/source-value";
import type { DashboardTemplate } from "@/lib/model/dashboard/dashboard-template-schema";

const RUNS_MAX = 100;

/** How many runs the widgets of a template ask for at most. */
export function historyLimit({ widgets }: DashboardTemplate): number {
  const asked = Object.values(widgets).flatMap((widget) => [
    widget.source?.from === "run_history" ? (widget.source.limit ?? 0) : 0,
    widget.type === "runs" ? (widget.limit ?? 0) : 0,
  ]);
  return Math.min(RUNS_MAX, Math.max(HISTORY_DEFAULT_RUNS, ...asked));
}
