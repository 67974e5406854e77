import "server-only";
import { z } from "zod";
import { idField, nullableTime, timeField } from "@/lib/api/v1/schemas/fields";
import type { ApprovalView } from "@/lib/domain/approvals/approval-view";
import { APPROVAL_KINDS, TOOL_KINDS } from "@/lib/model/approval/approval-question";
import { APPROVAL_STATUSES } from "@/lib/model/approval/approval-status";

export const approvalSchema = z
  .object({
    approval_id: idField,
    run_id: idField,
    agent_id: idField.nullable(),
    kind: z.enum(APPROVAL_KINDS).meta({
      description: "`tool_call`, or `agent_edit`: a change that would let an agent do more than before.",
    }),
    tool_call_id: z.string(),
    tool_name: z.string(),
    arguments: z.unknown().meta({ description: "What the model wants to call the tool with." }),
    summary: z.string().meta({ description: "What the call would do, in one line." }),
    tool_kind: z.enum(TOOL_KINDS).nullable().meta({ description: "Where the tool comes from." }),
    method: z.string().nullable().meta({ description: "The HTTP method, or an MCP tool's own name." }),
    target: z.string().nullable().meta({ description: "The address, with the arguments filled in." }),
    secret_name: z.string().nullable().meta({ description: "The secret that the call would send, by its name." }),
    secret_header: z.string().nullable().meta({ description: "The header that would carry it." }),
    definition: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: "The tool as it was defined when the question was asked." }),
    changes: z
      .array(z.string())
      .meta({ description: "Of a change of an agent: in words, what it could do afterwards and could not before." }),
    reason: z.string().nullable().meta({ description: "Why a person is asked, where the agent's own settings do not say so." }),
    replaces: idField
      .nullable()
      .meta({ description: "An approval of the same call whose answer no longer counts: the tool has changed since." }),
    digest: z
      .string()
      .nullable()
      .meta({ description: "SHA-256 of the definition and the arguments as they are shown. Only a call that has the same is made." }),
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
    kind: approval.kind,
    tool_call_id: approval.toolCallId,
    tool_name: approval.toolName,
    arguments: approval.arguments,
    summary: approval.summary,
    tool_kind: approval.shown?.tool_kind ?? null,
    method: approval.shown?.method ?? null,
    target: approval.shown?.target ?? null,
    secret_name: approval.shown?.secret_name ?? null,
    secret_header: approval.shown?.secret_header ?? null,
    definition: approval.shown?.definition ?? null,
    changes: approval.shown?.changes ?? [],
    reason: approval.reason,
    replaces: approval.replaces,
    digest: approval.digest,
    status: approval.status,
    message: approval.message,
    created_at: approval.createdAt.toISOString(),
    expires_at: approval.expiresAt.toISOString(),
    decided_at: approval.decidedAt?.toISOString() ?? null,
  };
}
