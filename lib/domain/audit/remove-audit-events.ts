import "server-only";
import { firstIdAt } from "@/lib/platform/ids";
import { type Transaction, transaction } from "@/lib/platform/postgres";

const BATCH_ROWS = 1_000;
const DAY_MS = 24 * 3600 * 1000;

/**
 * The one way in which rows leave the audit log: the table's trigger lets this transaction pass,
 * and no other.
 */
async function allowRemoval(tx: Transaction): Promise<void> {
  await tx.query("SELECT set_config('lathe.audit_removal', 'allowed', true)");
}

/**
 * Removes up to a thousand events of an account that is being deleted. Returns how many: call it
 * again until it gives 0.
 */
export async function removeAuditEventsOf(accountId: string): Promise<number> {
  return transaction(async (tx) => {
    await allowRemoval(tx);
    const { rowCount } = await tx.query(
      `DELETE FROM audit_events
       WHERE id IN (SELECT id FROM audit_events WHERE account_id = $1 ORDER BY id LIMIT $2)`,
      [accountId, BATCH_ROWS],
    );
    return rowCount ?? 0;
  });
}

/**
 * Removes up to a thousand events of a person whose erasure has begun: what was done to their runs,
 * what those asked for and what they made. Call it again until it gives fewer.
 */
export async function removeAuditEventsOfEndUser(
  accountId: string,
  endUser: string,
): Promise<number> {
  return transaction(async (tx) => {
    await allowRemoval(tx);
    const { rowCount } = await tx.query(OF_END_USER, [accountId, endUser, BATCH_ROWS]);
    return rowCount ?? 0;
  });
}

// Acts on runs are found by their names: the log has no index of what was acted on.
const OF_END_USER = `
DELETE FROM audit_events WHERE id IN (
  SELECT a.id FROM audit_events a JOIN (
    SELECT r.id FROM runs r WHERE r.account_id = $1 AND r.end_user = $2
    UNION ALL SELECT p.id FROM approvals p JOIN runs r ON r.id = p.run_id WHERE r.account_id = $1
      AND r.end_user = $2
    UNION ALL SELECT f.id FROM artifacts f JOIN runs r ON r.id = f.run_id WHERE r.account_id = $1
      AND r.end_user = $2
  ) theirs ON theirs.id = a.object_id
  WHERE a.account_id = $1
    AND a.action = ANY('{run.deleted,approval.approved,approval.rejected,artifact.deleted}')
  LIMIT $3)`;

/**
 * Removes events older than `days`, at most `batches` times a thousand of them, each batch in a
 * transaction of its own. Returns how many.
 */
export async function removeOldAuditEvents(days: number, batches = 20): Promise<number> {
  let removed = 0;
  for (let batch = 0; batch < batches; batch++) {
    const count = await transaction(async (tx) => {
      await allowRemoval(tx);
      const { rowCount } = await tx.query(
        `DELETE FROM audit_events
         WHERE id IN (SELECT id FROM audit_events WHERE id < $1 ORDER BY id LIMIT $2)`,
        [firstIdAt(Date.now() - days * DAY_MS), BATCH_ROWS],
      );
      return rowCount ?? 0;
    });
    removed += count;
    if (count < BATCH_ROWS) break;
  }
  return removed;
}
