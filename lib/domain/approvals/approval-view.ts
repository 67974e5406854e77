import "server-only";
import type { ApprovalStatus } from "@/lib/model/approval/approval-status";

/** An approval as verbs hand it out. */
export interface ApprovalView {
  id: string;
  runId: string;
  agentId: string | null;
  toolCallId: string;
  toolName: string;
  arguments: unknown;
  summary: string;
  status: ApprovalStatus;
  message: string | null;
  createdAt: Date;
  expiresAt: Date;
  decidedAt: Date | null;
}

/** A row of `APPROVAL_COLUMNS`, which are named as the view is. */
export type ApprovalRow = ApprovalView;

/** Past its time an approval is expired, whether or not the engine has got round to writing it down. */
export const APPROVAL_STATE = "CASE WHEN p.status = 'pending' AND p.expires_at <= now() THEN 'expired' ELSE p.status END";

export const APPROVAL_COLUMNS = `p.id, p.run_id AS "runId", p.agent_id AS "agentId", p.tool_call_id AS "toolCallId", p.tool_name AS "toolName", p.arguments, p.summary,
  ${APPROVAL_STATE} AS status, p.message, p.created_at AS "createdAt", p.expires_at AS "expiresAt",
  CASE WHEN p.status = 'pending' AND p.expires_at <= now() THEN p.expires_at ELSE p.decided_at END AS "decidedAt"`;
