import "server-only";
import { z } from "zod";
import { idField, nullableTime, timeField } from "@/lib/api/v1/schemas/fields";
import type { ApprovalView } from "@/lib/domain/approvals/approval-view";
import { APPROVAL_STATUSES } from "@/lib/model/approval/approval-status";

export const approvalSchema = z
  .object({
    approval_id: idField,
    run_id: idField,
    agent_id: idField.nullable(),
    tool_call_id: z.string(),
    tool_name: z.string(),
    arguments: z.unknown().meta({ description: "What the model wants to call the tool with." }),
    summary: z.string().meta({ description: "What the call would do, in one line." }),
    status: z.enum(APPROVAL_STATUSES),
    message: z.string().nullable().meta({ description: "What was said with the decision." }),
    created_at: timeField,
    expires_at: timeField,
    decided_at: nullableTime,
  })
  .meta({ id: "Approval", description: "A tool call that waits for a person, or waited." });

export function toApproval(approval: ApprovalView) {
  return {
    approval_id: approval.id,
    run_id: approval.runId,
    agent_id: approval.agentId,
    tool_call_id: approval.toolCallId,
    tool_name: approval.toolName,
    arguments: approval.arguments,
    summary: approval.summary,
    status: approval.status,
    message: approval.message,
    created_at: approval.createdAt.toISOString(),
    expires_at: approval.expiresAt.toISOString(),
    decided_at: approval.decidedAt?.toISOString() ?? null,
  };
}
