import "server-only";
import { escapeIdentifier } from "pg";
import { recordAudit } from "@/lib/domain/audit/record-audit";
import { removeAuditEventsOf } from "@/lib/domain/audit/remove-audit-events";
import { fileStore } from "@/lib/domain/blobs/stored-bytes";
import { workAlone } from "@/lib/domain/deletion/alone";
import { systemPrincipal } from "@/lib/domain/principal";
import { tablesWith } from "@/lib/domain/retention/remove-rows";
import { cancelRun } from "@/lib/domain/runs/cancel-run";
import type { RunKind } from "@/lib/model/run/run-status";
import { log } from "@/lib/platform/log";
import { postgres, type Queryable, transaction } from "@/lib/platform/postgres";

const BATCH_ROWS = 1_000;
const RUNS_A_BATCH = 200;

/**
 * Goes on with every deletion that was asked for; one that fails is logged and does not keep the
 * others.
 */
export async function deleteMarkedAccounts(): Promise<void> {
  const { rows } = await postgres().query<{ id: string }>(
    "SELECT id FROM accounts WHERE deleting_at IS NOT NULL ORDER BY deleting_at LIMIT 100",
  );
  for (const { id } of rows) {
    await deleteAccount(id).catch((error: unknown) =>
      log.error(
        { err: error, account_id: id },
        "an account could not be deleted; it is tried again",
      ),
    );
  }
}

/**
 * Deletes an account that is marked for it: ends its runs, then removes the bytes of its files, its
 * rows in batches, and at last the account's own row. May die anywhere and be called again: what is
 * gone is gone, and the mark goes last.
 * @returns whether it is done; false while another process is at it, or a step of one of its runs
 * still writes (it ends within a second of the cancel, or with its process's lease)
 */
export async function deleteAccount(accountId: string): Promise<boolean> {
  return workAlone(`delete:${accountId}`, () => deleteMarked(accountId));
}

async function deleteMarked(accountId: string): Promise<boolean> {
  const marked = await postgres().query(
    "SELECT 1 FROM accounts WHERE id = $1 AND deleting_at IS NOT NULL",
    [accountId],
  );
  if (marked.rowCount === 0) return true;
  await cancelRuns(accountId);
  if (await isWrittenTo(accountId)) return false;
  await fileStore().deletePrefix(accountId);
  await deleteRuns(accountId);
  for (const table of await tablesWith(postgres(), "account_id"))
    while ((await deleteRows(postgres(), table, accountId, BATCH_ROWS)) === BATCH_ROWS);
  while ((await removeAuditEventsOf(accountId)) > 0);
  await deleteRest(accountId);
  return true;
}

async function cancelRuns(accountId: string): Promise<void> {
  const { rows } = await postgres().query<{ id: string; kind: RunKind }>(
    "SELECT id, kind FROM runs WHERE account_id = $1 AND status IN ('pending', 'running')",
    [accountId],
  );
  for (const { id, kind } of rows) await cancelRun(systemPrincipal(accountId), id, [kind]);
}

async function isWrittenTo(accountId: string): Promise<boolean> {
  const { rowCount } = await postgres().query(
    `SELECT 1 FROM runs r JOIN run_logs l ON l.run_id = r.id
     WHERE r.account_id = $1 AND l.closed_at IS NULL AND l.owner IN (SELECT id FROM engine_processes
       WHERE seen_at > clock_timestamp() - interval '10 seconds') LIMIT 1`,
    [accountId],
  );
  return rowCount !== 0;
}

/** Rows of runs that name no account go with their run. */
async function deleteRuns(accountId: string): Promise<void> {
  const tables = await tablesWith(postgres(), "run_id");
  while (true) {
    const { rows } = await postgres().query<{ id: string }>(
      "SELECT id FROM runs WHERE account_id = $1 LIMIT $2",
      [accountId, RUNS_A_BATCH],
    );
    if (rows.length === 0) return;
    const ids = rows.map(({ id }) => id);
    await transaction(async (tx) => {
      for (const table of tables)
        await tx.query(`DELETE FROM ${escapeIdentifier(table)} WHERE run_id = ANY($1)`, [ids]);
      await tx.query("DELETE FROM runs WHERE account_id = $1 AND id = ANY($2)", [accountId, ids]);
    });
  }
}

/** @returns how many rows went */
async function deleteRows(
  tx: Queryable,
  table: string,
  accountId: string,
  limit: number | null,
): Promise<number> {
  const name = escapeIdentifier(table);
  const { rowCount } = await tx.query(
    `DELETE FROM ${name}
     WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${name} WHERE account_id = $1 LIMIT $2))`,
    [accountId, limit],
  );
  return rowCount ?? 0;
}

/**
 * Under the lock of the account's row, which every acceptance of a run and every counted byte waits
 * for: what came in between goes too, and nothing comes after.
 */
async function deleteRest(accountId: string): Promise<void> {
  const tables = await tablesWith(postgres(), "account_id");
  await transaction(async (tx) => {
    const { rowCount } = await tx.query(
      "SELECT 1 FROM accounts WHERE id = $1 AND deleting_at IS NOT NULL FOR UPDATE",
      [accountId],
    );
    if (rowCount === 0) return;
    await fileStore().deletePrefix(accountId);
    for (const table of tables) await deleteRows(tx, table, accountId, null);
    for (const table of ["invitations", "pending_sign_ups"])
      await tx.query(
        `DELETE FROM ${table} WHERE email IN (SELECT email FROM users WHERE account_id = $1)`,
        [accountId],
      );
    await tx.query(
      `DELETE FROM hour_buckets WHERE key = 'write:' || $1 OR key IN (
         SELECT prefix || email FROM users, unnest(ARRAY['sign-in:', 'mail-to:']) AS prefix
         WHERE account_id = $1::uuid)
         OR key IN (SELECT 'second-factor:' || id FROM users WHERE account_id = $1::uuid)`,
      [accountId],
    );
    await tx.query("DELETE FROM accounts WHERE id = $1", [accountId]);
    const principal = systemPrincipal(accountId);
    await recordAudit(tx, principal, {
      action: "account.deleted",
      accountId: null,
      object: { kind: "account", id: accountId },
    });
  });
  // Acts that were recorded while it went.
  while ((await removeAuditEventsOf(accountId)) > 0);
}
