import "server-only";
import { recordAudit } from "@/lib/domain/audit/record-audit";
import { consumeWriteQuota } from "@/lib/domain/limits/hourly-writes";
import { type Page, type PageRequest, readCursor, rowsToRead, toPage } from "@/lib/domain/page";
import type { Principal } from "@/lib/domain/principal";
import type { ShownCall } from "@/lib/model/approval/approval";
import { ServiceError } from "@/lib/model/errors";
import { newId } from "@/lib/platform/ids";
import { accountTransaction, postgres, type Transaction } from "@/lib/platform/postgres";

/** A definition of a tool of which a person said that an agent may call it without asking again. */
export interface RememberedApproval {
  id: string;
  agentId: string;
  toolName: string;
  /** The tool as it was defined then: another definition asks anew. */
  shown: Pick<ShownCall, "tool_kind" | "method" | "definition">;
  /** The approval that said so, which may be gone with its run. */
  approvalId: string;
  createdAt: Date;
}

/** Of an agent; beyond it nothing more is remembered. */
const REMEMBERED_MAX = 200;

/**
 * Has the agent of an approval that was just granted ask no more for its tool as it is defined.
 * @throws ServiceError CONFLICT where the approval is about no definition of an agent's tool, or
 * the agent has too many
 */
export async function rememberDefinition(
  tx: Transaction,
  { accountId }: Principal,
  approvalId: string,
): Promise<void> {
  const { rows } = await tx.query<{ agent_id: string | null; definition_digest: string | null }>(
    "SELECT agent_id, definition_digest FROM approvals WHERE id = $1 AND account_id = $2",
    [approvalId, accountId],
  );
  const { agent_id: agent = null, definition_digest: digest = null } = rows[0] ?? {};
  if (agent === null || digest === null)
    throw new ServiceError(
      "CONFLICT",
      "This approval is about one call alone: only a connector's or a client tool's " +
        "definition, of an agent that there is, can be remembered. Decide it without " +
        "`remember`.",
    );
  const { rowCount } = await tx.query(
    `INSERT INTO remembered_approvals (id, account_id, agent_id, digest, tool_name, shown,
       approval_id)
     SELECT $4, p.account_id, a.id, p.definition_digest, p.tool_name, p.shown, p.id
     FROM approvals p JOIN agents a ON a.id = p.agent_id AND a.account_id = p.account_id
     WHERE p.id = $1 AND p.account_id = $2
       AND (SELECT count(*) FROM remembered_approvals m WHERE m.agent_id = a.id) < $3
     ON CONFLICT (agent_id, digest) DO UPDATE SET approval_id = excluded.approval_id`,
    [approvalId, accountId, REMEMBERED_MAX, newId()],
  );
  if (rowCount === 0)
    throw new ServiceError(
      "CONFLICT",
      `The agent has no room for more remembered definitions: ${REMEMBERED_MAX} at most. Take ` +
        "one away first.",
    );
}

const COLUMNS =
  'm.id, m.agent_id AS "agentId", m.tool_name AS "toolName", m.shown, m.approval_id AS ' +
  '"approvalId", m.created_at AS "createdAt"';

/** What an agent of the account asks no more about, newest first. */
export async function listRememberedApprovals(
  { accountId }: Principal,
  agentId: string,
  page: PageRequest,
): Promise<Page<RememberedApproval>> {
  const { rows } = await postgres().query<RememberedApproval>(
    `SELECT ${COLUMNS} FROM remembered_approvals m
     WHERE m.account_id = $1 AND m.agent_id = $2 AND ($3::uuid IS NULL OR m.id < $3)
     ORDER BY m.id DESC LIMIT $4`,
    [accountId, agentId, readCursor(page.cursor), rowsToRead(page)],
  );
  return toPage(rows, page.limit, ({ id }) => id);
}

/**
 * Has an agent ask again for what was remembered. @throws ServiceError APPROVAL_NOT_FOUND,
 * RATE_LIMITED
 */
export async function forgetRememberedApproval(
  principal: Principal,
  agentId: string,
  id: string,
): Promise<void> {
  await accountTransaction(principal.accountId, async (tx) => {
    const { rows } = await tx.query<{ tool_name: string }>(
      `DELETE FROM remembered_approvals WHERE id = $1 AND agent_id = $2 AND account_id = $3
       RETURNING tool_name`,
      [id, agentId, principal.accountId],
    );
    const [gone] = rows;
    if (!gone)
      throw new ServiceError("APPROVAL_NOT_FOUND", "The agent remembers no such approval.");
    await consumeWriteQuota(tx, principal);
    await recordAudit(tx, principal, {
      action: "approval.forgotten",
      object: { kind: "agent", id: agentId, label: gone.tool_name },
      changes: { remembered_id: id },
    });
  });
}

/**
 * Has an agent that was just made, a copy of another one of its account, ask no more for what that
 * one asks no more for. It holds for as long as the copy's tools are defined like this.
 */
export async function copyRememberedApprovals(
  tx: Transaction,
  accountId: string,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const now = Date.now();
  const ids = Array.from({ length: REMEMBERED_MAX }, (_, index) => newId(now + index));
  await tx.query(
    `INSERT INTO remembered_approvals (id, account_id, agent_id, digest, tool_name, shown,
       approval_id)
     SELECT n.id, a.account_id, a.id, s.digest, s.tool_name, s.shown, s.approval_id
     FROM (SELECT m.*, row_number() OVER (ORDER BY m.id) AS place FROM remembered_approvals m
           WHERE m.agent_id = $2 AND m.account_id = $1) s
     JOIN unnest($4::uuid[]) WITH ORDINALITY AS n (id, place) USING (place)
     JOIN agents a ON a.id = $3 AND a.account_id = $1`,
    [accountId, from, to, ids],
  );
}
