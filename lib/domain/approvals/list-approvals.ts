import "server-only";
import { APPROVAL_COLUMNS, APPROVAL_STATE, type ApprovalRow, type ApprovalView } from "@/lib/domain/approvals/approval-view";
import { type Page, type PageRequest, readCursor, toPage } from "@/lib/domain/page";
import type { Principal } from "@/lib/domain/principal";
import type { ApprovalStatus } from "@/lib/model/approval/approval-status";
import { postgres } from "@/lib/platform/postgres";

const LIST = `
SELECT ${APPROVAL_COLUMNS} FROM approvals p
WHERE p.account_id = $1 AND ($2::text[] IS NULL OR ${APPROVAL_STATE} = ANY($2)) AND ($3::uuid IS NULL OR p.run_id = $3) AND ($4::uuid IS NULL OR p.id < $4)
ORDER BY p.id DESC LIMIT $5`;

/** The account's approvals, newest first. */
export async function listApprovals(
  principal: Principal,
  page: PageRequest & { statuses: readonly ApprovalStatus[] | null; runId: string | null },
): Promise<Page<ApprovalView>> {
  const values = [principal.accountId, page.statuses, page.runId, readCursor(page.cursor), page.limit + 1];
  const { rows } = await postgres().query<ApprovalRow>({ text: LIST, values });
  return toPage(rows, page.limit, (approval) => approval.id);
}
