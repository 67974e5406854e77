import "server-only";
import { releaseHold } from "@/lib/domain/credits/ledger";
import { refundWriteQuota } from "@/lib/domain/limits/hourly-writes";
import { type Transaction, transaction, withinAccount } from "@/lib/platform/postgres";

/**
 * Takes back a run that the engine never heard of: as if it had not been accepted, the hourly write
 * that it counted as included. A run that has started stays: the engine had heard of it after all.
 * @param unclaim undoes what else became true with the acceptance, where the run is gone; as what made it true came, before the account's row
 * @returns whether the run is gone
 */
export async function undoAcceptance(
  run: { id: string; accountId: string },
  countedAsWrite: boolean,
  unclaim?: (tx: Transaction) => Promise<void>,
): Promise<boolean> {
  return withinAccount(run.accountId, () =>
    transaction((tx) => undo(tx, run.id, countedAsWrite, unclaim)),
  );
}

async function undo(
  tx: Transaction,
  runId: string,
  countedAsWrite: boolean,
  unclaim?: (tx: Transaction) => Promise<void>,
): Promise<boolean> {
  const { rows } = await tx.query<{
    account_id: string;
    conversation_id: string | null;
    created_at: Date;
  }>(
    "DELETE FROM runs WHERE id = $1 AND status = 'pending' RETURNING account_id, conversation_id, created_at",
    [runId],
  );
  const run = rows[0];
  if (!run) return false;
  await unclaim?.(tx);
  if (countedAsWrite) await refundWriteQuota(tx, run.account_id, run.created_at);
  await tx.query("DELETE FROM run_logs WHERE run_id = $1", [runId]);
  await tx.query("DELETE FROM run_events WHERE run_id = $1", [runId]);
  await tx.query("DELETE FROM messages WHERE run_id = $1", [runId]);
  await tx.query("DELETE FROM idempotency_keys WHERE account_id = $1 AND accepted_run = $2", [
    run.account_id,
    runId,
  ]);
  await tx.query(
    "UPDATE conversations SET active_run_id = NULL WHERE id = $1 AND active_run_id = $2",
    [run.conversation_id, runId],
  );
  await tx.query(
    "DELETE FROM conversations c WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM messages WHERE conversation_id = c.id)",
    [run.conversation_id],
  );
  // The account's row last, as in `accept_run`, whose locks come in this order: the other one
  // deadlocks with a start beside it.
  await releaseHold(tx, runId);
  return true;
}
