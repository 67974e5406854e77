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
export function toStatusFilter(filter: RunFilter): string | undefined {
  if (filter === "all") return undefined;
  return filter === "active" ? "pending,running" : filter;
}
