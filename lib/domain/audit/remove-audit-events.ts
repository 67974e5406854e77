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
      "DELETE FROM audit_events WHERE id IN (SELECT id FROM audit_events WHERE account_id = $1 ORDER BY id LIMIT $2)",
      [accountId, BATCH_ROWS],
    );
    return rowCount ?? 0;
  });
}

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
        "DELETE FROM audit_events WHERE id IN (SELECT id FROM audit_events WHERE id < $1 ORDER BY id LIMIT $2)",
        [firstIdAt(Date.now() - days * DAY_MS), BATCH_ROWS],
      );
      return rowCount ?? 0;
    });
    removed += count;
    if (count < BATCH_ROWS) break;
  }
  return removed;
}
