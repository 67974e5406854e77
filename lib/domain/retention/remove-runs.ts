import "server-only";
import { escapeIdentifier } from "pg";
import { giveBackSpace } from "@/lib/domain/retention/give-back-space";
import { tablesOfRuns } from "@/lib/domain/retention/tables-of-runs";
import type { Transaction } from "@/lib/storage/transaction";

/**
 * Removes ended runs, whose rows the caller has locked, with everything that they left: log, turns, results, messages, approvals, notifications,
 * deliveries and artifacts. What they cost stays in the books.
 * @returns the keys of bytes that no row names any more: remove them after the commit
 */
export async function removeRuns(tx: Transaction, ids: readonly string[]): Promise<string[]> {
  const made = await tx.query<{ account_id: string; size_bytes: string; storage_key: string }>(
    "DELETE FROM artifacts WHERE run_id = ANY($1) RETURNING account_id, size_bytes, storage_key",
    [ids],
  );
  // An agent that a person had made stays a person's when the run that made it is forgotten; one that an agent made stays that too.
  await tx.query(
    `UPDATE agents a SET created_by_run_id = NULL FROM runs r
     WHERE r.id = ANY($1) AND a.created_by_run_id = r.id AND a.account_id = r.account_id AND r.origin <> 'agent'`,
    [ids],
  );
  for (const table of await tablesOfRuns(tx))
    if (table !== "artifacts") await tx.query(`DELETE FROM ${escapeIdentifier(table)} WHERE run_id = ANY($1)`, [ids]);
  await tx.query("DELETE FROM runs WHERE id = ANY($1)", [ids]);
  await giveBackSpace(tx, made.rows);
  return made.rows.map(({ storage_key }) => storage_key);
}
