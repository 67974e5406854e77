import { afterAll, beforeAll, expect, test } from "vitest";
import type { Principal } from "@/lib/domain/principal";
import { listRuns, type RunFilter } from "@/lib/domain/runs/list-runs";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { AGENT_ROUTE_KINDS } from "@/lib/model/run/run-status";
import { newId } from "@/lib/platform/ids";

let database: DomainDatabase;
let owner: Principal;
let stranger: Principal;

beforeAll(async () => {
  database = await openDomainDatabase();
  [owner, stranger] = [await database.account(), await database.account()];
});
afterAll(() => database.close());

const MINUTE_MS = 60_000;
const START = Date.UTC(2026, 0, 1);

/** Runs a minute apart from the given one on, oldest first; returns their ids. */
async function insert(
  principal: Principal,
  count: number,
  metadata: object,
  minute = 0,
  status = "completed",
): Promise<string[]> {
  const moments = Array.from({ length: count }, (_, index) => START + (minute + index) * MINUTE_MS);
  const ids = moments.map((moment) => newId(moment));
  await database.pool.query(
    `INSERT INTO runs (id, account_id, kind, status, input, model, metadata, created_at)
     SELECT id, $1, 'agent', $2, '{}', 'builtin/offline', $3, moment
     FROM unnest($4::uuid[], $5::timestamptz[]) made(id, moment)`,
    [principal.accountId, status, metadata, ids, moments.map((moment) => new Date(moment))],
  );
  return ids;
}

const NONE: RunFilter = {
  kinds: AGENT_ROUTE_KINDS,
  statuses: null,
  agentId: null,
  conversationId: null,
  createdAfter: null,
  createdBefore: null,
  metadata: {},
};

async function list(filter: Partial<RunFilter>, limit = 10, cursor: string | null = null) {
  const page = await listRuns(owner, { limit, cursor }, { ...NONE, ...filter });
  return { ids: page.data.map(({ id }) => id), nextCursor: page.nextCursor };
}

test("runs of a metadata pair are found beneath newer ones, in order, by page", async () => {
  const old = await insert(owner, 3, { customer: "c", plan: "free" });
  await insert(stranger, 3, { customer: "c" });
  await insert(owner, 2_500, { customer: "d" }, 10);
  const late = await insert(owner, 2, { customer: "c" }, 5_000);
  const wanted = [...old, ...late].toReversed();
  expect((await list({ metadata: { customer: "c" } })).ids).toEqual(wanted);
  const first = await list({ metadata: { customer: "c" } }, 2);
  expect(first.ids).toEqual(wanted.slice(0, 2));
  const second = await list({ metadata: { customer: "c" } }, 2, first.nextCursor);
  expect(second.ids).toEqual(wanted.slice(2, 4));
  expect((await list({ metadata: { customer: "c", plan: "free" } })).ids).toEqual(old.toReversed());
  expect((await list({ metadata: { customer: "c" }, statuses: ["failed"] })).ids).toEqual([]);
  expect((await list({ metadata: { customer: "c", plan: "paid" } })).ids).toEqual([]);
});

test("bounds of time are exact though ranges of ids, half a minute off too", async () => {
  const [a = "", b = "", c = ""] = await insert(owner, 3, {}, 100_000);
  const at = (minutes: number) => new Date(START + (100_000 + minutes) * MINUTE_MS);
  const between = (after: number, before: number) =>
    list({ createdAfter: at(after), createdBefore: at(before) });
  expect((await between(-1, 10)).ids).toEqual([c, b, a]);
  expect((await between(0, 2)).ids).toEqual([b]);
  expect((await between(0, 1)).ids).toEqual([]);
  const ahead = newId(at(3).getTime() + 30_000);
  await database.pool.query(
    `INSERT INTO runs (id, account_id, kind, status, input, model, created_at)
     VALUES ($1, $2, 'agent', 'completed', '{}', 'builtin/offline', $3)`,
    [ahead, owner.accountId, at(3)],
  );
  expect((await between(2.9, 3.1)).ids).toEqual([ahead]);
});

test("the runs that a run started are found by it, by page, by no stranger", async () => {
  const [parent = ""] = await insert(owner, 1, {}, 200_000);
  const below = await insert(owner, 3, { customer: "below" }, 200_001);
  await insert(owner, 2, {}, 200_010);
  const claim = (ids: string[]) =>
    database.pool.query("UPDATE runs SET parent_run_id = $1 WHERE id = ANY($2)", [parent, ids]);
  // One that only says so, and is another account's.
  await claim([...below, ...(await insert(stranger, 1, {}, 200_004))]);
  const wanted = below.toReversed();
  expect((await list({ parentRunId: parent })).ids).toEqual(wanted);
  const first = await list({ parentRunId: parent }, 2);
  expect(first.ids).toEqual(wanted.slice(0, 2));
  const rest = await list({ parentRunId: parent }, 2, first.nextCursor);
  expect(rest.ids).toEqual(wanted.slice(2));
  expect((await list({ parentRunId: parent, statuses: ["failed"] })).ids).toEqual([]);
  expect((await list({ parentRunId: parent, metadata: { customer: "below" } })).ids).toEqual(
    wanted,
  );
  const theirs = await listRuns(
    stranger,
    { limit: 10, cursor: null },
    { ...NONE, parentRunId: parent },
  );
  expect(theirs.data.map(({ accountId }) => accountId)).toEqual([stranger.accountId]);
});
