import "server-only";
import { APPROVAL_COLUMNS, type ApprovalRow, type ApprovalView } from "@/lib/domain/approvals/approval-view";
import type { Principal } from "@/lib/domain/principal";
import { ServiceError } from "@/lib/model/errors";
import { postgres } from "@/lib/platform/postgres";

/** @throws ServiceError APPROVAL_NOT_FOUND */
export async function getApproval(principal: Principal, approvalId: string): Promise<ApprovalView> {
  const { rows } = await postgres().query<ApprovalRow>({
    name: "get-approval",
    text: `SELECT ${APPROVAL_COLUMNS} FROM approvals p WHERE p.id = $1 AND p.account_id = $2`,
    values: [approvalId, principal.accountId],
  });
  const [row] = rows;
  if (!row) throw new ServiceError("APPROVAL_NOT_FOUND", "There is no such approval.");
  return row;
}
