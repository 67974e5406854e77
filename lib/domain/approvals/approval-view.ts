import "server-only";
import { APP_RUN_KINDS_IN_SQL } from "@/lib/domain/apps/require-app";
import type { Principal } from "@/lib/domain/principal";
import { clientValues, seenByClient } from "@/lib/domain/seen-by-client";
import type { ApprovalKind, ApprovalStatus, ShownCall } from "@/lib/model/approval/approval";
import { ServiceError } from "@/lib/model/errors";
import { postgres } from "@/lib/platform/postgres";

/** An approval as verbs hand it out. */
export interface ApprovalView {
  id: string;
  runId: string;
  agentId: string | null;
  kind: ApprovalKind;
  toolCallId: string;
  toolName: string;
  arguments: unknown;
  summary: string;
  /** Null in rows of an older version. */
  shown: ShownCall | null;
  digest: string | null;
  /** Whether the tool's definition can be remembered with the decision. */
  canRemember: boolean;
  reason: string | null;
  replaces: string | null;
  status: ApprovalStatus;
  message: string | null;
  createdAt: Date;
  expiresAt: Date;
  decidedAt: Date | null;
}

/** A row of `APPROVAL_COLUMNS`, which are named as the view is. */
export type ApprovalRow = ApprovalView;

/**
 * Past its time an approval is expired, whether or not the engine has got round to writing it down.
 */
export const APPROVAL_STATE =
  "CASE WHEN p.status = 'pending' AND p.expires_at <= now() THEN 'expired' ELSE p.status END";

export const APPROVAL_COLUMNS = `p.id, p.run_id AS "runId", p.agent_id AS "agentId", p.kind,
  coalesce(p.tool_call_id, p.shown ->> 'tool_call_id') AS "toolCallId", p.tool_name AS "toolName",
  p.arguments, p.summary, p.shown, p.digest, p.definition_digest IS NOT NULL
  AND p.agent_id IS NOT NULL AS "canRemember", p.reason, p.replaces,
  ${APPROVAL_STATE} AS status, p.message, p.created_at AS "createdAt", p.expires_at AS "expiresAt",
  CASE WHEN p.status = 'pending' AND p.expires_at <= now() THEN p.expires_at
  ELSE p.decided_at END AS "decidedAt"`;

/**
 * Which approvals somebody sees who may run one agent on the app-scoped path alone: those of the
 * runs that they see there. `agent` null: a principal who sees the account's.
 */
export const seenOnAppPath = (agent: string, user: string, conversation: string) =>
  `(${agent}::uuid IS NULL OR EXISTS (SELECT 1 FROM runs r WHERE r.id = p.run_id
         AND r.kind IN (${APP_RUN_KINDS_IN_SQL}) AND r.agent_id = ${agent}
         AND ${seenByClient("r", user, conversation)}))`;

/** @throws ServiceError APPROVAL_NOT_FOUND */
export async function getApproval(principal: Principal, approvalId: string): Promise<ApprovalView> {
  const { rows } = await postgres().query<ApprovalRow>({
    name: "get-approval",
    text: `SELECT ${APPROVAL_COLUMNS} FROM approvals p WHERE p.id = $1 AND p.account_id = $2
             AND ${seenOnAppPath("$3", "$4", "$5")}`,
    values: [approvalId, principal.accountId, principal.agentId, ...clientValues(principal)],
  });
  const [row] = rows;
  if (!row) throw new ServiceError("APPROVAL_NOT_FOUND", "There is no such approval.");
  return row;
}
