import { reads } from "@/lib/console/reads";

export const APPROVAL_FILTERS = [
  { value: "pending", label: "Waiting" },
  { value: "approved", label: "Approved" },
  { value: "rejected", label: "Rejected" },
  { value: "expired", label: "Expired" },
] as const;

/** The queue's page: as many as one answer holds, as they are shown oldest first. */
export const PENDING_APPROVALS = reads.approvals({ status: "pending", limit: 100 });
