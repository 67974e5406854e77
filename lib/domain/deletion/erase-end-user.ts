import "server-only";
import { recordAudit } from "@/lib/domain/audit/record-audit";
import { removeAuditEventsOfEndUser } from "@/lib/domain/audit/remove-audit-events";
import { fileStore } from "@/lib/domain/blobs/stored-bytes";
import { revokeGrant } from "@/lib/domain/connections/delete-connection";
import { workAlone } from "@/lib/domain/deletion/alone";
import { ERASED_KINDS, type ErasedCounts, storeReceipt } from "@/lib/domain/end-users/receipt";
import { systemPrincipal } from "@/lib/domain/principal";
import { releaseStorage, removeRuns } from "@/lib/domain/retention/remove-rows";
import { cancelRun } from "@/lib/domain/runs/cancel-run";
import type { RunKind } from "@/lib/model/run/run-status";
import { failpoint } from "@/lib/platform/failpoint";
import { log } from "@/lib/platform/log";
import { postgres, type Transaction, transaction } from "@/lib/platform/postgres";

const BATCH_ROWS = 1_000;
const RUNS_A_BATCH = 50;
/** So many of the account's rows are looked through at once, where no index knows the person. */
const LOOKED_AT_ONCE = 5_000;
const FIRST_ID = "00000000-0000-0000-0000-000000000000";

interface Person {
  id: string;
  accountId: string;
  endUser: string;
}

/**
 * Goes on with every erasure that was asked for, each until it is done or `limitMs` is over; one
 * that fails is logged and does not keep the others.
 * @returns whether all are done
 */
export async function eraseMarkedEndUsers(limitMs: number, now = Date.now): Promise<boolean> {
  const { rows } = await postgres().query<Person>(
    `SELECT id, account_id AS "accountId", end_user AS "endUser" FROM end_users
     WHERE erasing_at IS NOT NULL ORDER BY erasing_at LIMIT 100`,
  );
  let done = rows.length < 100;
  for (const person of rows) {
    const until = now() + limitMs;
    const isErased = await eraseEndUser(person, () => now() >= until).catch((error: unknown) => {
      log.error(
        { err: error, account_id: person.accountId, end_user_id: person.id },
        "an end user could not be erased; it is tried again",
      );
      return false;
    });
    done &&= isErased;
  }
  return done;
}

/**
 * Erases a person who is marked for it: ends their runs, then removes the bytes of what those made
 * and their rows in batches, and at last their own row; a receipt that does not name them stays.
 * May die anywhere and be called again: what is gone is gone and counted, and the mark goes last.
 * @returns whether it is done; false while another process is at it, a step of one of their runs
 * still writes, or the time is up
 */
export async function eraseEndUser(
  person: Person,
  isTimeUp: () => boolean = () => false,
): Promise<boolean> {
  return workAlone(`erase:${person.id}`, async () => {
    if (!(await isMarked(person))) return true;
    await takeIn(person);
    await cancelRuns(person);
    if (await isAtWork(person)) return false;
    for (const slice of SLICES)
      for (;;) {
        if (isTimeUp()) return false;
        if (!(await slice(person))) break;
      }
    return finish(person);
  });
}

async function isMarked({ id, accountId }: Person): Promise<boolean> {
  const { rowCount } = await postgres().query(
    "SELECT 1 FROM end_users WHERE id = $1 AND account_id = $2 AND erasing_at IS NOT NULL",
    [id, accountId],
  );
  return rowCount !== 0;
}

// What names nobody and is theirs all the same: runs in their conversations from before these were
// somebody's, and what a run of theirs started or was repeated as, likewise. A run that names
// another person is that one's.
const TAKE_IN = `
UPDATE runs r SET end_user = $2 WHERE r.account_id = $1 AND r.end_user IS NULL AND (
  r.conversation_id IN (SELECT c.id FROM conversations c WHERE c.account_id = $1
      AND c.end_user = $2)
  OR r.parent_run_id IN (SELECT p.id FROM runs p WHERE p.account_id = $1 AND p.end_user = $2))`;

async function takeIn({ accountId, endUser }: Person): Promise<void> {
  // A child's own children are a step further.
  while ((await postgres().query(TAKE_IN, [accountId, endUser])).rowCount);
}

async function cancelRuns({ accountId, endUser }: Person): Promise<void> {
  const { rows } = await postgres().query<{ id: string; kind: RunKind }>(
    `SELECT id, kind FROM runs WHERE account_id = $1 AND end_user = $2
       AND status IN ('pending', 'running')`,
    [accountId, endUser],
  );
  for (const { id, kind } of rows) await cancelRun(systemPrincipal(accountId), id, [kind]);
}

/**
 * A run that was cancelled is at work until its last step has let go of its log and its credits.
 */
async function isAtWork({ accountId, endUser }: Person): Promise<boolean> {
  const { rowCount } = await postgres().query(
    `SELECT 1 FROM runs r WHERE r.account_id = $1 AND r.end_user = $2
       AND (r.completed_at IS NULL OR EXISTS (SELECT 1 FROM run_logs l WHERE l.run_id = r.id
             AND l.closed_at IS NULL)
         OR EXISTS (SELECT 1 FROM credit_holds h WHERE h.run_id = r.id)) LIMIT 1`,
    [accountId, endUser],
  );
  return rowCount !== 0;
}

/** Each removes a batch of one kind. @returns whether there may be more of it */
type Slice = (person: Person) => Promise<boolean>;

/** Rows of a statement that removes at most `$3`, which is a batch. */
const rowsBy =
  (text: string, kind?: keyof ErasedCounts): Slice =>
  async (person) =>
    transaction(async (tx) => {
      const { rowCount } = await tx.query(text, [person.accountId, person.endUser, BATCH_ROWS]);
      if (kind && rowCount) await countErased(tx, person, { [kind]: rowCount });
      return rowCount === BATCH_ROWS;
    });

const deleteOf = (table: string, more = "") =>
  `DELETE FROM ${table}
   WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${table} WHERE account_id = $1 AND end_user = $2 ${more}
       LIMIT $3))`;

// A kept answer is of a run. One whose run is gone, or was not noted by the release before, is
// theirs if it says so: in its body, or in the route of a client token's request.
const KEPT_ANSWERS = `
DELETE FROM idempotency_keys WHERE ctid = ANY(ARRAY(
  SELECT k.ctid FROM idempotency_keys k LEFT JOIN runs r ON r.id = k.accepted_run
    AND r.account_id = $1
  WHERE k.account_id = $1 AND (r.end_user = $2 OR r.id IS NULL AND (
    strpos(k.body, '"end_user":' || to_json($2::text)::text) > 0
    OR strpos(k.body, '"endUser":' || to_json($2::text)::text) > 0
    OR strpos(k.route, ' for [' || to_json($2::text)::text || ',') > 0)) LIMIT $3))`;

// In this order: what would tell more of them goes first, and what is found by a run before the
// runs.
const SLICES: readonly Slice[] = [
  forgetListings,
  rowsBy(deleteOf("secrets")),
  removeConnections,
  removeEvents,
  removeDeliveries,
  rowsBy(KEPT_ANSWERS),
  async ({ accountId, endUser }) =>
    (await removeAuditEventsOfEndUser(accountId, endUser)) === BATCH_ROWS,
  removeTheirRuns,
  removePrompts,
  rowsBy(deleteOf("conversations", "AND active_run_id IS NULL"), "conversations"),
  rowsBy(deleteOf("agent_memories"), "memories"),
  rowsBy(deleteOf("schedules")),
  rowsBy(
    `UPDATE run_usage SET end_user = NULL
     WHERE ctid = ANY(ARRAY(SELECT ctid FROM run_usage WHERE account_id = $1
           AND end_user = $2 LIMIT $3))`,
  ),
  removeFiles,
];

/**
 * What a server that was asked with their credential lists may be about them. Which of the kept
 * listings that are, nothing tells: all of the account's go, for they are a cache.
 */
async function forgetListings({ accountId, endUser }: Person): Promise<boolean> {
  await postgres().query(
    `DELETE FROM mcp_listings WHERE account_id = $1 AND (
       EXISTS (SELECT 1 FROM secrets WHERE account_id = $1 AND end_user = $2)
       OR EXISTS (SELECT 1 FROM mcp_connections WHERE account_id = $1 AND end_user = $2))`,
    [accountId, endUser],
  );
  return false;
}

/** Their tokens are gone here; where it can be told, the authorization server hears of it. */
async function removeConnections({ accountId, endUser }: Person): Promise<boolean> {
  const { rows } = await postgres().query<{ id: string; serverUrl: string; sealed: string }>(
    `DELETE FROM mcp_connections WHERE id = (
       SELECT id FROM mcp_connections WHERE account_id = $1 AND end_user = $2 LIMIT 1)
     AND account_id = $1 RETURNING id, server_url AS "serverUrl", sealed`,
    [accountId, endUser],
  );
  const [gone] = rows;
  if (!gone) return false;
  await revokeGrant(accountId, gone.id, gone);
  return true;
}

/**
 * Looks through all of the account's rows of a table, so many at a time: `text` has `$1`, the
 * account, and `$2`, after which row; it gives the last that it has looked at, or none.
 */
async function lookThrough(
  text: string,
  first: string,
  { accountId }: Person,
  ...more: readonly string[]
): Promise<void> {
  for (let last: string | null = first; last !== null; ) {
    const { rows }: { rows: { last: string | null }[] } = await postgres().query(text, [
      accountId,
      last,
      ...more,
    ]);
    last = rows[0]?.last ?? null;
  }
}

// The feed has an index of its numbers, and one of what has none yet.
const OF_THEM = `(e.data ->> 'end_user' = $3
  OR e.data ? 'run_id' AND EXISTS (SELECT 1 FROM runs r
    WHERE r.id = (e.data ->> 'run_id')::uuid AND r.account_id = $1 AND r.end_user = $3))`;
const NUMBERED = `
WITH looked AS MATERIALIZED (
  SELECT e.id, e.sequence, e.data FROM account_events e WHERE e.account_id = $1 AND e.sequence > $2
  ORDER BY e.sequence LIMIT ${LOOKED_AT_ONCE}
), gone AS (
  DELETE FROM account_events d USING looked e WHERE d.id = e.id AND d.account_id = $1
    AND ${OF_THEM})
SELECT max(sequence)::text AS last FROM looked`;
const UNNUMBERED = `
WITH looked AS MATERIALIZED (
  SELECT e.id, e.data FROM account_events e WHERE e.account_id = $1 AND e.sequence IS NULL
    AND e.id > $2 ORDER BY e.id LIMIT ${LOOKED_AT_ONCE}
), gone AS (
  DELETE FROM account_events d USING looked e WHERE d.id = e.id AND d.account_id = $1
    AND ${OF_THEM})
SELECT id AS last FROM looked ORDER BY id DESC LIMIT 1`;

/**
 * What the feed tells of their runs and sign-ins. One that is numbered meanwhile is found by its
 * number.
 */
async function removeEvents(person: Person): Promise<boolean> {
  await lookThrough(UNNUMBERED, FIRST_ID, person, person.endUser);
  await lookThrough(NUMBERED, "0", person, person.endUser);
  return false;
}

// A delivery of a run goes with it. One of no run is an event's, as `record_event` has written it.
const DELIVERIES = `
WITH looked AS MATERIALIZED (
  SELECT d.id, CASE WHEN d.run_id IS NULL
    AND d.endpoint_id IS NOT NULL THEN d.payload::json -> 'data' ->> 'end_user' END AS end_user
  FROM webhook_deliveries d WHERE d.account_id = $1 AND d.id > $2 ORDER BY d.id
  LIMIT ${LOOKED_AT_ONCE}
), gone AS (
  DELETE FROM webhook_deliveries d USING looked l WHERE d.id = l.id AND d.account_id = $1
    AND l.end_user = $3)
SELECT id AS last FROM looked ORDER BY id DESC LIMIT 1`;

/** What endpoints were told of their sign-ins, with the attempts and what was answered to these. */
async function removeDeliveries(person: Person): Promise<boolean> {
  await lookThrough(DELIVERIES, FIRST_ID, person, person.endUser);
  return false;
}

// Row by row, by the index: a join would read all that runs were shown.
const PROMPTS = `
WITH looked AS MATERIALIZED (
  SELECT p.hash FROM prompts p WHERE p.account_id = $1 AND p.hash > $2 ORDER BY p.hash
  LIMIT ${LOOKED_AT_ONCE}
), gone AS (
  DELETE FROM prompts d USING looked p WHERE d.account_id = $1 AND d.hash = p.hash
    AND (SELECT f.run_id FROM run_prompts f WHERE f.account_id = $1
        AND f.hash = p.hash LIMIT 1) IS NULL)
SELECT max(hash) AS last FROM looked`;

/**
 * Their runs may have been shown what a server lists to their credential alone. Whose a prompt was,
 * nothing tells when its runs are gone: all that no run names go, as they would within a day.
 */
async function removePrompts(person: Person): Promise<boolean> {
  await lookThrough(PROMPTS, "", person);
  return false;
}

const TRACED = `
SELECT count(*)::int AS traces FROM unnest($1::uuid[]) AS r(id)
WHERE EXISTS (SELECT 1 FROM run_turns t WHERE t.run_id = r.id)
  OR EXISTS (SELECT 1 FROM run_spans s WHERE s.run_id = r.id)`;
const MADE = `
SELECT (SELECT count(*) FROM artifacts WHERE run_id = ANY($1)
    AND account_id = $2)::int AS artifacts,
  (SELECT count(*) FROM run_files WHERE run_id = ANY($1) AND account_id = $2)::int AS files`;
// What a run wrote into a workspace, and nobody since.
const WRITTEN = `
DELETE FROM workspace_files f WHERE f.account_id = $1 AND f.step_key IS NOT NULL
  AND split_part(f.step_key, ':', 1) = ANY($2::text[])
  AND f.workspace_id IN (SELECT r.workspace_id FROM runs r WHERE r.id = ANY($2::uuid[])
      AND r.account_id = $1)
RETURNING f.account_id, f.size_bytes, f.storage_key`;

async function removeTheirRuns(person: Person): Promise<boolean> {
  const { accountId, endUser } = person;
  const isMore = await transaction(async (tx) => {
    const { rows } = await tx.query<{ id: string }>(
      "SELECT id FROM runs WHERE account_id = $1 AND end_user = $2 ORDER BY id LIMIT $3 FOR UPDATE",
      [accountId, endUser, RUNS_A_BATCH],
    );
    const ids = rows.map(({ id }) => id);
    if (ids.length === 0) return false;
    const [traced] = (await tx.query<{ traces: number }>(TRACED, [ids])).rows;
    const [made] = (await tx.query<{ artifacts: number; files: number }>(MADE, [ids, accountId]))
      .rows;
    const { rows: written } = await tx.query<
      Parameters<typeof releaseStorage>[1][number] & { storage_key: string }
    >(WRITTEN, [accountId, ids]);
    const keys = [...(await removeRuns(tx, ids)), ...written.map(({ storage_key }) => storage_key)];
    await tx.query(
      `INSERT INTO erased_files (storage_key, account_id, end_user_id)
       SELECT unnest($1::text[]), $2, $3 ON CONFLICT DO NOTHING`,
      [keys, accountId, person.id],
    );
    await countErased(tx, person, {
      runs: ids.length,
      traces: traced?.traces ?? 0,
      artifacts: made?.artifacts ?? 0,
      files: (made?.files ?? 0) + written.length,
    });
    await releaseStorage(tx, written);
    return ids.length === RUNS_A_BATCH;
  });
  failpoint("erase.rows-removed");
  return isMore;
}

/** Bytes go after the rows that named them; until they are gone, the erasure is not done. */
async function removeFiles({ id, accountId }: Person): Promise<boolean> {
  const { rows } = await postgres().query<{ storage_key: string }>(
    "SELECT storage_key FROM erased_files WHERE end_user_id = $1 AND account_id = $2 LIMIT 100",
    [id, accountId],
  );
  for (const { storage_key } of rows) {
    await fileStore().delete(storage_key);
    failpoint("erase.bytes-removed");
    await postgres().query("DELETE FROM erased_files WHERE storage_key = $1 AND account_id = $2", [
      storage_key,
      accountId,
    ]);
  }
  return rows.length === 100;
}

/** In the transaction that deletes them, so that what is deleted is counted once. */
async function countErased(
  tx: Transaction,
  { id, accountId }: Person,
  counts: Partial<ErasedCounts>,
): Promise<void> {
  await tx.query(
    `UPDATE end_users e SET erased = e.erased || (
       SELECT jsonb_object_agg(c.key,
         c.value::int + coalesce((e.erased ->> c.key)::int, 0)) FROM jsonb_each_text($3::jsonb) c)
     WHERE e.id = $1 AND e.account_id = $2`,
    [id, accountId, JSON.stringify(counts)],
  );
}

/** Their own row goes, and the receipt comes. Nothing has been kept for them since the mark. */
async function finish(person: Person): Promise<boolean> {
  const { id, accountId, endUser } = person;
  return transaction(async (tx) => {
    const { rows } = await tx.query<{ erased: Partial<ErasedCounts>; requestedAt: Date }>(
      `DELETE FROM end_users WHERE id = $1 AND account_id = $2 AND erasing_at IS NOT NULL
       RETURNING erased, coalesce(erasing_at, now()) AS "requestedAt"`,
      [id, accountId],
    );
    const [gone] = rows;
    if (!gone) return true;
    const deleted = { ...NOTHING, ...gone.erased };
    await storeReceipt(tx, accountId, endUser, { deleted, requestedAt: gone.requestedAt });
    await recordAudit(tx, systemPrincipal(accountId), {
      action: "end_user.erased",
      object: { kind: "end_user", id },
      changes: deleted,
    });
    return true;
  });
}

/** No kind stands there without a number. */
// Of these very kinds.
const NOTHING = Object.fromEntries(ERASED_KINDS.map((kind) => [kind, 0])) as ErasedCounts;
