import "server-only";
import { escapeIdentifier } from "pg";
import { reserveStorage } from "@/lib/domain/blobs/stored-bytes";
import type { Queryable, Transaction } from "@/lib/platform/postgres";

/**
 * Gives the bytes of files that are gone back to their accounts. Last in a transaction, as always
 * with the account's row; of several, in one order.
 */
export async function releaseStorage(
  tx: Transaction,
  gone: readonly { account_id: string; size_bytes: string }[],
): Promise<void> {
  const bytes = new Map<string, bigint>();
  for (const { account_id, size_bytes } of gone)
    bytes.set(account_id, (bytes.get(account_id) ?? 0n) + BigInt(size_bytes));
  for (const accountId of [...bytes.keys()].sort())
    await reserveStorage(tx, accountId, -(bytes.get(accountId) ?? 0n));
}

const UNLIST = `
UPDATE runs r SET result = jsonb_set(r.result, '{artifacts}', coalesce(
  (SELECT jsonb_agg(made ORDER BY place)
   FROM jsonb_array_elements(r.result -> 'artifacts') WITH ORDINALITY AS listed(made, place)
   WHERE NOT (made ->> 'id') = ANY($2)), '[]'))
WHERE r.id = ANY($1) AND jsonb_typeof(r.result -> 'artifacts') = 'array'`;

/**
 * Removes artifacts, also from the results of their runs: what a run shows can be fetched. What was
 * said of them, in an event or a webhook, stays said.
 * @returns the keys of bytes that no row names any more: remove them after the commit
 */
export async function removeArtifacts(tx: Transaction, ids: readonly string[]): Promise<string[]> {
  // A run's row comes before all that it left.
  await tx.query(
    `SELECT 1 FROM runs WHERE id IN (SELECT run_id FROM artifacts WHERE id = ANY($1)) ORDER BY id
     FOR NO KEY UPDATE`,
    [ids],
  );
  const { rows } = await tx.query<{
    run_id: string;
    account_id: string;
    size_bytes: string;
    storage_key: string;
  }>(
    `DELETE FROM artifacts WHERE id = ANY($1)
     RETURNING run_id, account_id, size_bytes, storage_key`,
    [ids],
  );
  if (rows.length === 0) return [];
  await tx.query(UNLIST, [[...new Set(rows.map(({ run_id }) => run_id))], ids]);
  await releaseStorage(tx, rows);
  return rows.map(({ storage_key }) => storage_key);
}

interface StoredFile {
  account_id: string;
  size_bytes: string;
  storage_key: string;
}

/** The tables of runs whose rows name bytes, which count against the account's space. */
const FILES_OF_RUNS: readonly string[] = ["artifacts", "run_files"];

/**
 * Removes ended runs, whose rows the caller has locked, with everything that they left: log, turns,
 * results, messages, approvals, notifications, deliveries, artifacts and files. What they cost
 * stays in the books.
 * @returns the keys of bytes that no row names any more: remove them after the commit
 */
export async function removeRuns(tx: Transaction, ids: readonly string[]): Promise<string[]> {
  const { rows: artifacts } = await tx.query<StoredFile>(
    "DELETE FROM artifacts WHERE run_id = ANY($1) RETURNING account_id, size_bytes, storage_key",
    [ids],
  );
  const { rows: files } = await tx.query<StoredFile>(
    "DELETE FROM run_files WHERE run_id = ANY($1) RETURNING account_id, size_bytes, storage_key",
    [ids],
  );
  const made = [...artifacts, ...files];
  // What the bell says of an approval quotes what was asked.
  await tx.query(
    `DELETE FROM notifications n USING approvals p WHERE p.run_id = ANY($1)
       AND n.account_id = p.account_id AND n.key = 'approval:' || p.id`,
    [ids],
  );
  await tx.query(
    `DELETE FROM notifications n USING client_tool_calls c WHERE c.run_id = ANY($1)
       AND n.account_id = c.account_id AND n.key = 'question:' || c.batch_id`,
    [ids],
  );
  // And what leads to the page of a run that is gone.
  await tx.query(
    `DELETE FROM notifications n USING budget_waits w WHERE w.run_id = ANY($1)
       AND n.account_id = w.account_id AND n.key = 'budget:' || w.id`,
    [ids],
  );
  // An agent that a person had made stays a person's when the run that made it is forgotten; one
  // that an agent made stays that too.
  await tx.query(
    `UPDATE agents a SET created_by_run_id = NULL FROM runs r
     WHERE r.id = ANY($1) AND a.created_by_run_id = r.id AND a.account_id = r.account_id
       AND r.origin <> 'agent'`,
    [ids],
  );
  for (const table of await tablesOfRuns(tx))
    if (!FILES_OF_RUNS.includes(table))
      await tx.query(`DELETE FROM ${escapeIdentifier(table)} WHERE run_id = ANY($1)`, [ids]);
  await tx.query("DELETE FROM runs WHERE id = ANY($1)", [ids]);
  await releaseStorage(tx, made);
  return made.map(({ storage_key }) => storage_key);
}

/**
 * The tables with this column, read from the database itself, so that a table of tomorrow is
 * emptied too. The users go with the account's row, the audit log has a way of its own, and the
 * executor's `run_id` is one of its own runs.
 */
export async function tablesWith(
  on: Queryable,
  column: "account_id" | "run_id",
): Promise<string[]> {
  const { rows } = await on.query<{ table_name: string }>(
    `SELECT c.table_name FROM information_schema.columns c JOIN information_schema.tables t
     USING (table_schema, table_name)
     WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE' AND c.column_name = $1
       AND c.table_name NOT IN ('users', 'user_sessions', 'audit_events')
       AND c.table_name NOT LIKE 'engine\\_%' ORDER BY c.table_name`,
    [column],
  );
  return rows.map(({ table_name }) => table_name);
}

/**
 * What outlives a run: money, which is counted and holds no content, the versions of an agent that
 * its edit made, and that a schedule has fired.
 */
const OUTLIVING = new Set([
  "agent_versions",
  "credit_holds",
  "ledger_entries",
  "operator_losses",
  "run_usage",
  "schedule_firings",
]);

/** The tables whose rows go with their run. A new table with a `run_id` is one of them. */
export async function tablesOfRuns(on: Queryable): Promise<string[]> {
  return (await tablesWith(on, "run_id")).filter((table) => !OUTLIVING.has(table));
}
