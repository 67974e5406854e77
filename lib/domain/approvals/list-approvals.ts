import "server-only";
import {
  APPROVAL_COLUMNS,
  APPROVAL_STATE,
  type ApprovalRow,
  type ApprovalView,
  seenOnAppPath,
} from "@/lib/domain/approvals/approval-view";
import { type Page, type PageRequest, readCursor, rowsToRead, toPage } from "@/lib/domain/page";
import type { Principal } from "@/lib/domain/principal";
import { clientValues, endUserOf } from "@/lib/domain/seen-by-client";
import { APPROVAL_STATUSES, type ApprovalStatus } from "@/lib/model/approval/approval";
import { postgres } from "@/lib/platform/postgres";

// The stored status narrows by the index what the state as of now then decides: who watches what
// waits must not read all that was ever decided.
const FITS = `p.account_id = $1 AND p.status = ANY($6)
  AND ($2::text[] IS NULL OR ${APPROVAL_STATE} = ANY($2)) AND ($3::uuid IS NULL OR p.run_id = $3)
  AND ($4::uuid IS NULL OR p.id < $4)
  AND ${seenOnAppPath("$7", "$8", "$9")}`;
const LIST = `SELECT ${APPROVAL_COLUMNS} FROM approvals p WHERE ${FITS} ORDER BY p.id DESC
              LIMIT $5`;
// By the person's runs, of which there are few: nor must one person read what all others decided.
const LIST_OF_CLIENT = `
WITH theirs AS MATERIALIZED (SELECT r.id FROM runs r WHERE r.account_id = $1
    AND ${endUserOf("r")} = $8)
SELECT ${APPROVAL_COLUMNS} FROM theirs JOIN approvals p ON p.run_id = theirs.id WHERE ${FITS}
ORDER BY p.id DESC LIMIT $5`;

/** The account's approvals, newest first. */
export async function listApprovals(
  principal: Principal,
  page: PageRequest & { statuses: readonly ApprovalStatus[] | null; runId: string | null },
): Promise<Page<ApprovalView>> {
  const values = [
    principal.accountId,
    page.statuses,
    page.runId,
    readCursor(page.cursor),
    rowsToRead(page),
    storedStatuses(page.statuses),
    principal.agentId,
    ...clientValues(principal),
  ];
  const text = principal.client ? LIST_OF_CLIENT : LIST;
  const { rows } = await postgres().query<ApprovalRow>({ text, values });
  return toPage(rows, page.limit, (approval) => approval.id);
}

/**
 * What approvals of these states may be stored as: one that has expired may still be written down
 * as pending.
 */
function storedStatuses(states: readonly ApprovalStatus[] | null): readonly ApprovalStatus[] {
  if (states === null) return APPROVAL_STATUSES;
  return states.includes("expired") ? [...states, "pending"] : states;
}
