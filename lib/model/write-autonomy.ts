/**
 * How far an agent may write outside the service by guarded connector actions (specification §2.2).
 */
export const WRITE_AUTONOMIES = ["full_auto", "approval_required", "blocked"] as const;
export type WriteAutonomy = (typeof WRITE_AUTONOMIES)[number];
