import "server-only";
import { giveBackSpace } from "@/lib/domain/retention/give-back-space";
import type { Transaction } from "@/lib/storage/transaction";

const UNLIST = `
UPDATE runs r SET result = jsonb_set(r.result, '{artifacts}', coalesce(
  (SELECT jsonb_agg(made ORDER BY place) FROM jsonb_array_elements(r.result -> 'artifacts') WITH ORDINALITY AS listed(made, place)
   WHERE NOT (made ->> 'id') = ANY($2)), '[]'))
WHERE r.id = ANY($1) AND jsonb_typeof(r.result -> 'artifacts') = 'array'`;

/**
 * Removes artifacts, also from the results of their runs: what a run shows can be fetched. What was said of them, in an event or a webhook, stays said.
 * @returns the keys of bytes that no row names any more: remove them after the commit
 */
export async function removeArtifacts(tx: Transaction, ids: readonly string[]): Promise<string[]> {
  // A run's row comes before all that it left.
  await tx.query("SELECT 1 FROM runs WHERE id IN (SELECT run_id FROM artifacts WHERE id = ANY($1)) ORDER BY id FOR NO KEY UPDATE", [ids]);
  const { rows } = await tx.query<{ run_id: string; account_id: string; size_bytes: string; storage_key: string }>(
    "DELETE FROM artifacts WHERE id = ANY($1) RETURNING run_id, account_id, size_bytes, storage_key",
    [ids],
  );
  if (rows.length === 0) return [];
  await tx.query(UNLIST, [[...new Set(rows.map(({ run_id }) => run_id))], ids]);
  await giveBackSpace(tx, rows);
  return rows.map(({ storage_key }) => storage_key);
}
