import { consolePaths } from "@/lib/console/console-paths";
import { isUuid } from "@/lib/model/uuid";

/** The runs page's statuses; “active” is two of the API's. */
export const RUN_FILTERS = [
  { value: "all", label: "All" },
  { value: "active", label: "Active" },
  { value: "completed", label: "Completed" },
  { value: "failed", label: "Failed" },
  { value: "cancelled", label: "Cancelled" },
] as const;

export type RunFilter = (typeof RUN_FILTERS)[number]["value"];

/** The API's `status` parameter. */
function toStatusFilter(filter: RunFilter): string | undefined {
  if (filter === "all") return undefined;
  return filter === "active" ? "pending,running" : filter;
}

interface RunsQuery {
  status: RunFilter;
  agent: string;
  schedule: string;
}

/** The list of the page's filters; an id that is none does not filter. */
export function toRunsPath({ status, agent, schedule }: RunsQuery): string {
  return consolePaths.runs({
    status: toStatusFilter(status),
    agent_id: isUuid(agent) ? agent : undefined,
    "metadata[schedule_id]": isUuid(schedule) ? schedule : undefined,
  });
}
