"use client";
import { consolePaths } from "@/lib/console/console-paths";
import type { Approval } from "@/lib/console/shapes/approval";
import { useConsoleQuery } from "@/lib/console/use-console-query";

/** The approval as it is now. While `listed`, the list that it comes from is fresh enough; then it is read by itself until it is settled. */
export function useApproval(approval: Approval, listed: boolean): Approval {
  const { data } = useConsoleQuery<Approval>(consolePaths.approval(approval.approval_id), {
    enabled: !listed,
    refreshEvery: (latest) => (!listed && (latest ?? approval).status === "pending" ? 4_000 : false),
  });
  if (!data || (data.status === "pending" && approval.status !== "pending")) return approval;
  return data;
}
