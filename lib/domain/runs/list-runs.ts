import "server-only";
import { type Page, type PageRequest, readCursor, rowsToRead, toPage } from "@/lib/domain/page";
import type { Principal } from "@/lib/domain/principal";
import { RUN_COLUMNS, type RunRow, type RunView, toRunView } from "@/lib/domain/runs/run-view";
import { END_USER_KEY } from "@/lib/model/end-user";
import type { RunKind, RunStatus } from "@/lib/model/run/run-status";
import { firstIdAt } from "@/lib/platform/ids";
import { postgres } from "@/lib/platform/postgres";

export interface RunFilter {
  kinds: readonly RunKind[];
  statuses: readonly RunStatus[] | null;
  agentId: string | null;
  conversationId: string | null;
  /** Only those that this run has started. */
  parentRunId?: string | null;
  createdAfter: Date | null;
  createdBefore: Date | null;
  /** Only runs for this person. */
  endUser?: string | null;
  /** Every pair must be in the run's metadata. */
  metadata: Record<string, string>;
}

/**
 * Ids are of the process that took the run on, `created_at` of the database: bounds of time as ids
 * are wider by what their clocks may differ.
 */
const CLOCKS_DIFFER_MS = 60_000;
const FIRST_ID = "00000000-0000-0000-0000-000000000000";
const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";
/** Metadata that one in a hundred runs has fills a page of twenty from so many of the newest. */
const NEWEST_ROWS = 2_000;

// Times are ranges of ids too, so that the account's index, read backwards, begins and ends where
// the runs of that time are.
const OF_ACCOUNT = "r.account_id = $1 AND r.id >= $9 AND r.id < $10";
const FITS = `r.kind = ANY($2) AND ($3::text[] IS NULL OR r.status = ANY($3))
  AND ($4::uuid IS NULL OR r.agent_id = $4)
  AND ($5::uuid IS NULL OR r.conversation_id = $5)
  AND ($6::timestamptz IS NULL OR r.created_at > $6)
  AND ($7::timestamptz IS NULL OR r.created_at < $7)
  AND ($8::jsonb = '{}'::jsonb OR r.metadata @> $8) AND ($12::text IS NULL OR r.end_user = $12)
  AND ($13::uuid IS NULL OR r.parent_run_id = $13)`;
const LIST = `SELECT ${RUN_COLUMNS} FROM runs r WHERE ${OF_ACCOUNT} AND ${FITS} ORDER BY r.id DESC
              LIMIT $11`;
const AMONG_NEWEST = `
SELECT ${RUN_COLUMNS}
FROM (SELECT * FROM runs r WHERE ${OF_ACCOUNT} ORDER BY r.id DESC LIMIT ${NEWEST_ROWS}) r
WHERE ${FITS} ORDER BY r.id DESC LIMIT $11`;
// As the index of metadata has it. Apart from the order, or the planner walks back through all of
// the account's runs in the hope of a match.
const BY_METADATA = `
WITH matching AS MATERIALIZED (
  SELECT * FROM runs r
  WHERE jsonb_set('{}'::jsonb, ARRAY[r.account_id::text],
    r.metadata) @> jsonb_build_object($1::text, $8::jsonb)
    AND r.metadata <> '{}'::jsonb AND ${OF_ACCOUNT.replace("$1", "$1::uuid")} AND ${FITS}
)
SELECT ${RUN_COLUMNS} FROM matching r ORDER BY r.id DESC LIMIT $11`;
// A run starts few others: all of them, by their own index.
const BELOW = `
WITH below AS MATERIALIZED (
  SELECT * FROM runs r WHERE r.parent_run_id = $13 AND r.account_id = $1 AND r.id >= $9
    AND r.id < $10 AND ${FITS}
)
SELECT ${RUN_COLUMNS} FROM below r ORDER BY r.id DESC LIMIT $11`;

/**
 * The account's runs, newest first, each with its usage. By metadata it looks among the newest
 * first, which is soon done where many match, and asks the index of metadata, which is soon done
 * where few do, only when these do not fill the page.
 */
export async function listRuns(
  principal: Principal,
  page: PageRequest,
  asked: RunFilter,
): Promise<Page<RunView>> {
  const filter = withinClient(principal, asked);
  if (filter === null) return { data: [], nextCursor: null };
  const { createdAfter, createdBefore } = filter;
  const after =
    createdAfter === null ? FIRST_ID : firstIdAt(createdAfter.getTime() - CLOCKS_DIFFER_MS);
  const before =
    createdBefore === null ? LAST_ID : firstIdAt(createdBefore.getTime() + CLOCKS_DIFFER_MS);
  const cursor = readCursor(page.cursor) ?? LAST_ID;
  const values = [
    principal.accountId,
    filter.kinds,
    filter.statuses,
    principal.agentId ?? filter.agentId,
    filter.conversationId,
    createdAfter,
    createdBefore,
    JSON.stringify(filter.metadata),
    after,
    [cursor, before].sort()[0],
    rowsToRead(page),
    filter.endUser ?? null,
    filter.parentRunId ?? null,
  ];
  // Not named statements: their plans depend on which filters are set.
  const read = async (text: string) => (await postgres().query<RunRow>({ text, values })).rows;
  let rows: RunRow[] = [];
  if (filter.parentRunId) rows = await read(BELOW);
  else if (Object.keys(filter.metadata).length === 0) rows = await read(LIST);
  else {
    rows = await read(AMONG_NEWEST);
    if (rows.length <= page.limit) rows = await read(BY_METADATA);
  }
  return toPage(rows.map(toRunView), page.limit, (run) => run.id);
}

/** The filter within what a client token sees; null: it asks for something beyond. */
function withinClient({ client }: Principal, asked: RunFilter): RunFilter | null {
  if (!client) return asked;
  const { endUser } = client;
  const named = asked.endUser ?? asked.metadata[END_USER_KEY] ?? endUser;
  const conversationId = client.conversationId ?? asked.conversationId;
  if (named !== endUser || (asked.conversationId ?? conversationId) !== conversationId) return null;
  return { ...asked, conversationId, endUser };
}
