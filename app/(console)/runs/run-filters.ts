import { type Read, reads } from "@/lib/console/reads";
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
export function toRunsRead({ status, agent, schedule }: RunsQuery): Read<"/v1/runs"> {
  return reads.runs({
    status: toStatusFilter(status),
    agent_id: isUuid(agent) ? agent : undefined,
    metadata: isUuid(schedule) ? { schedule_id: schedule } : undefined,
  });
}
