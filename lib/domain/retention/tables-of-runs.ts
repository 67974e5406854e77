import "server-only";
import type { Queryable } from "@/lib/platform/postgres";

/**
 * The tables with this column, read from the database itself, so that a table of tomorrow is emptied too. The users go with the account's row, the audit
 * log has a way of its own, and the executor's `run_id` is one of its own runs.
 */
export async function tablesWith(on: Queryable, column: "account_id" | "run_id"): Promise<string[]> {
  const { rows } = await on.query<{ table_name: string }>(
    `SELECT c.table_name FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE' AND c.column_name = $1
       AND c.table_name NOT IN ('users', 'user_sessions', 'audit_events') AND c.table_name NOT LIKE 'engine\\_%' ORDER BY c.table_name`,
    [column],
  );
  return rows.map(({ table_name }) => table_name);
}

/** What outlives a run: money, which is counted and holds no content, and the versions of an agent that its edit made. */
const OUTLIVING = new Set(["agent_versions", "credit_holds", "ledger_entries", "operator_losses", "run_usage"]);

/** The tables whose rows go with their run. A new table with a `run_id` is one of them. */
export async function tablesOfRuns(on: Queryable): Promise<string[]> {
  return (await tablesWith(on, "run_id")).filter((table) => !OUTLIVING.has(table));
}
