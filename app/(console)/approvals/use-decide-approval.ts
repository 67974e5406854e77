"use client";
import { type UseMutationResult, useQueryClient } from "@tanstack/react-query";
import type { ConsoleError } from "@/lib/console/console-error";
import { consolePaths } from "@/lib/console/console-paths";
import { queryKey } from "@/lib/console/query-key";
import { requestConsoleJson } from "@/lib/console/request-console-json";
import type { Approval } from "@/lib/console/shapes/approval";
import { useConsoleMutation } from "@/lib/console/use-console-mutation";
import type { ApprovalDecision } from "@/lib/model/approval/approval-status";

interface Decided {
  decision: ApprovalDecision;
  message: string;
}

/** Decides one approval. Whatever comes of it, its state is read anew: somebody else may have been faster. */
export function useDecideApproval(approvalId: string): UseMutationResult<Approval, ConsoleError, Decided> {
  const client = useQueryClient();
  const path = consolePaths.approval(approvalId);
  return useConsoleMutation(
    ({ decision, message }: Decided) =>
      requestConsoleJson<Approval>(`${path}/resolve`, {
        method: "POST",
        body: { decision, ...(message.trim() && { message: message.trim() }) },
      }),
    {
      quiet: true,
      stale: ["v1/approvals", "v1/runs", consolePaths.attention],
      onSuccess: (approval) => client.setQueryData(queryKey(path), approval),
      onError: () => void client.invalidateQueries({ queryKey: queryKey("v1/approvals") }),
    },
  );
}
