import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { callSql } from "@/lib/platform/call-sql";
import { newId } from "@/lib/platform/ids";
import { migrate } from "@/scripts/postgres/migrate.mjs";

/**
 * A process of the release before has runs under way while the migration that gives the functions
 * typed arguments takes place, and goes on beside one of this release: prisma/functions/previous.
 * Goes with that folder.
 */
const ROOT = join(import.meta.dirname, "../..");
const TYPED = /^\d+_sql_source$/;
const FUNCTION = "lathe-execute-run";
const START = 1_000_000n;
let folder: string;
let admin: pg.Client;
let client: pg.Client;
const name = `rolling_${newId().replaceAll("-", "")}`;
const account = newId();
const PROCESS = 1;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "lathe-release-before-"));
  for (const each of readdirSync(join(ROOT, "prisma/migrations")).sort()) {
    if (TYPED.test(each)) break;
    cpSync(join(ROOT, "prisma/migrations", each), join(folder, "prisma/migrations", each), {
      recursive: true,
    });
  }
  const url = new URL(inject("testDatabaseUrl"));
  url.pathname = "/postgres";
  admin = new pg.Client({ connectionString: url.href });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  url.pathname = `/${name}`;
  await migrate(url.href, { root: folder });
  client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query("INSERT INTO accounts (id, name, available_micros) VALUES ($1, 'A', $2)", [
    account,
    START,
  ]);
  await client.query(
    "INSERT INTO engine_processes (id, seen_at, steady_since) VALUES ($1, now(), now())",
    [PROCESS],
  );
});
afterAll(async () => {
  await client?.end();
  await admin?.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  await admin?.end();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

interface Work {
  run: string;
  key: string;
  start: string;
  attempt: number;
  writer: number;
  next: number;
}

/** The statements of the release before, by JSON as it writes it. */
async function before<T>(sql: string, ...values: unknown[]): Promise<T> {
  const texts = values.map((value) =>
    typeof value === "object" && value !== null ? JSON.stringify(value) : value,
  );
  const { rows } = await client.query<{ given: T }>(`SELECT ${sql} AS given`, texts);
  // Each gives one row.
  return rows[0]?.given as T;
}

const idempotency = (key: string) => ({
  route: "POST /v1/runs",
  key,
  hash: `hash of ${key}`,
  hours: 24,
  status: 202,
});

/** A start as the release before writes it; gives what it answers. */
function acceptBefore(run: string, key: string, start: string) {
  const conditions = JSON.stringify([{ path: ["data", "run_id"], value: run }]);
  const cancel = {
    step_id: "cancel:0",
    event: "run/cancelled",
    match_value: `"${run}"`,
    conditions,
  };
  const queued = {
    id: start,
    function_id: FUNCTION,
    lane: "runs",
    key: `${FUNCTION}:0:"${account}"`,
    second_key: null,
  };
  const argument = {
    run,
    account,
    kind: "super_agent",
    agent: null,
    conversation: newId(),
    family: "super_agent",
    is_new: true,
    workspace: null,
    schedule: null,
    model: "m",
    metadata: { a: "b" },
    max_credits: null,
    webhook_url: null,
    should_notify: false,
    release_note: null,
    origin: "api",
    parent_run: null,
    parent_call: null,
    trace_parent: null,
    message_id: newId(),
    estimate: "1000",
    limit: null,
    blocked: false,
    writes: 100,
    agents_cap: null,
    conversations_cap: 100,
    idempotency: idempotency(key),
    event: { match: [`"${run}"`], starts: [{ ...queued, cancels: [cancel] }] },
  };
  return before<{
    created_ms?: number;
    replay?: { status: number; body: string };
    routed?: unknown;
  }>(
    "accept_run($1, $2, $3, $4, $5)",
    argument,
    { text: "hi" },
    "hi",
    '{"type":"run.created"}',
    `{"id":"${run}","at":"@created_at@"}`,
  );
}

/** The same by this release. */
async function acceptNow(run: string, key: string, start: string) {
  const { route, hash, hours, status } = idempotency(key);
  const [row] = await callSql(client, "accept_run", {
    run,
    account,
    kind: "super_agent",
    agent: null,
    conversation: newId(),
    family: "super_agent",
    is_new: true,
    workspace: null,
    schedule: null,
    input: '{"text":"hi"}',
    text: "hi",
    model: "m",
    metadata: "{}",
    max_credits: null,
    webhook_url: null,
    should_notify: false,
    release_note: null,
    origin: "api",
    parent_run: null,
    parent_call: null,
    trace_parent: null,
    message_id: newId(),
    line: '{"type":"run.created"}',
    estimate: 1_000n,
    limit: null,
    blocked: false,
    writes: 100,
    agents_cap: null,
    conversations_cap: 100,
    route,
    key,
    key_hash: hash,
    key_hours: hours,
    answer_status: status,
    answer: [`{"id":"${run}","at":"`, '"}'],
    sends: true,
    routes: true,
    match_values: [`"${run}"`],
    cancels: [],
    starts: [
      {
        id: start,
        function_id: FUNCTION,
        lane: "runs",
        key: `${FUNCTION}:0:"${account}"`,
        second_key: null,
      },
    ],
    owner: null,
    limits: [],
  });
  return row;
}

async function claimBefore(): Promise<Map<string, number>> {
  const { runs } = await before<{
    runs: { attempt: number; event: { id: string; data: string } }[];
  }>("engine_claim($1, $2, $3, $4::jsonb)", "runs", PROCESS, 10, { [FUNCTION]: [10] });
  expect(runs.map(({ event }) => JSON.parse(event.data).run_id)).toEqual(
    runs.map(({ event }) => event.id),
  );
  return new Map(runs.map(({ attempt, event }) => [event.id, attempt]));
}

function beginBefore(run: string) {
  const cover = { max: null, root: null, least: "10", most: "2000" };
  return before<{ status: string; writer: number; next: number; covered: string; holds: boolean }>(
    "begin_turn($1)",
    { run, account, process: PROCESS, writer: null, cover },
  );
}

const turnOf = ({ run }: Work, turn: number) => ({
  run,
  turn,
  message_id: newId(),
  model: "m",
  content: [{ type: "text", text: "hi" }],
  finish_reason: "stop",
  agent_version_id: null,
  spans: [],
  call: { took_ms: 12.5, first_token_ms: 3, reasoning_tokens: null, request_id: null },
});
const chargeOf = ({ run }: Work, step: string) => ({
  run,
  account,
  max: null,
  root: null,
  agent: null,
  step_key: step,
  model: "m",
  capability: "text",
  input_tokens: 1,
  output_tokens: 1,
  cached_input_tokens: 0,
  units: 0,
  price: "300",
  keep: "500",
  ledger_id: newId(),
});
const logOf = (work: Work, lines: number, closes: boolean, message?: string | null) => {
  const first = work.next;
  work.next += lines;
  return {
    run: work.run,
    writer: work.writer,
    first,
    last: work.next - 1,
    closes,
    ...(message !== undefined && { message }),
  };
};

test("runs of the last release are carried on by both, over the migration", async () => {
  const works: Work[] = [];
  for (const key of ["one", "two"]) {
    const [run, start] = [newId(), newId()];
    expect(await acceptBefore(run, key, start)).toMatchObject({
      created_ms: expect.any(Number),
      routed: { lanes: ["runs"] },
    });
    works.push({ run, key, start, attempt: 0, writer: 0, next: 0 });
  }
  const claimed = await claimBefore();
  for (const work of works) {
    work.attempt = claimed.get(work.run) ?? 0;
    const begun = await beginBefore(work.run);
    expect(begun).toMatchObject({ status: "running", holds: true, covered: "2000" });
    work.writer = begun.writer;
    work.next = begun.next;
  }

  const url = new URL(inject("testDatabaseUrl"));
  url.pathname = `/${name}`;
  await migrate(url.href, { root: ROOT });

  const [old, taken] = works as [Work, Work];
  // The process of before goes on with its run: a turn, a tool's result, the end.
  const fence = { run: old.start, attempt: old.attempt, owner: PROCESS };
  await before(
    "store_turn($1, $2)",
    {
      log: logOf(old, 1, false, null),
      turn: turnOf(old, 0),
      charge: chargeOf(old, "turn-0"),
      paid: "300",
      fold: { ...fence, step: { id: "s0", name: "turn", data: '{"a":1}' } },
    },
    '{"type":"usage.updated"}',
  );
  await before(
    "store_tool_result($1, $2)",
    {
      log: logOf(old, 1, false),
      result: {
        run: old.run,
        tool_call_id: "c1",
        turn: 0,
        name: "t",
        succeeded: true,
        took_ms: 1.5,
        output: { b: 2 },
      },
      fold: { ...fence, step: { id: "s1", name: "tool", data: "null" } },
    },
    '{"type":"tool_call.completed"}',
  );
  expect(
    await before("cover_call($1, $2, $3, $4, $5, $6)", old.run, account, null, null, 10, 2_000),
  ).toEqual({ covered: "2000", room: null });
  await before(
    "complete_run($1, $2)",
    {
      log: logOf(old, 2, true, null),
      run: old.run,
      result: { text: "done" },
      message_id: newId(),
      turn: turnOf(old, 1),
      charge: chargeOf(old, "turn-1"),
      paid: "300",
      fold: fence,
    },
    '{"type":"message"}\n{"type":"run.completed"}',
  );

  // A process of this release takes the other over, and ends it.
  const [log] = await callSql(client, "take_log", {
    run: taken.run,
    process: PROCESS,
    abandoned: false,
    alive_seconds: 0,
  });
  expect(log).toMatchObject({ writer: expect.any(Number), next: taken.next });
  const writer = log?.writer ?? Number.NaN;
  expect(writer).not.toBe(taken.writer);
  await expect(
    before("append_run_log($1, $2)", logOf({ ...taken }, 1, false), "{}"),
  ).rejects.toMatchObject({ code: "LT002" });
  await callSql(client, "complete_run", {
    run: taken.run,
    account,
    result: '{"text":"done"}',
    message_id: newId(),
    turn: null,
    spans: [],
    charge: null,
    paid: null,
    end: {
      run: taken.start,
      attempt: taken.attempt,
      owner: PROCESS,
      step_id: null,
      step_name: null,
      step_data: null,
    },
    log: {
      run: taken.run,
      writer,
      first: taken.next,
      last: taken.next,
      closes: true,
      message: null,
      is_whole: true,
      todo: null,
      lines: '{"type":"run.completed"}',
    },
  });

  // Each knows the other's keys.
  expect(await acceptNow(newId(), "one", newId())).toMatchObject({
    replay_status: 202,
    replay_body: expect.stringMatching(new RegExp(`^\\{"id":"${old.run}","at":"\\d{4}-.*Z"\\}$`)),
  });
  const third = newId();
  const accepted = await acceptNow(third, "three", newId());
  expect(await acceptBefore(newId(), "three", newId())).toEqual({
    replay: {
      status: 202,
      body: `{"id":"${third}","at":"${accepted?.created_at?.toISOString()}"}`,
    },
  });
  const fourth = newId();
  expect(await acceptBefore(fourth, "four", newId())).toMatchObject({
    routed: { lanes: ["runs"], woken: [] },
  });
  expect(new Set((await claimBefore()).keys())).toEqual(new Set([third, fourth]));

  const { rows } = await client.query(
    `SELECT r.status, l.closed_at IS NOT NULL AS closed, l.next_sequence,
       h.run_id IS NULL AS released,
       (SELECT status FROM engine_runs e WHERE e.event_id = r.id::text) AS engine,
       (SELECT count(*)::int FROM engine_steps s JOIN engine_runs e ON e.id = s.run_id
        WHERE e.event_id = r.id::text) AS steps,
       (SELECT sum(last_sequence - first_sequence + 1)::int FROM run_events v
        WHERE v.run_id = r.id) AS lines
     FROM runs r JOIN run_logs l ON l.run_id = r.id LEFT JOIN credit_holds h ON h.run_id = r.id
     WHERE r.id IN ($1, $2) ORDER BY r.id = $1 DESC`,
    [old.run, taken.run],
  );
  const ended = { status: "completed", closed: true, released: true, engine: "completed" };
  expect(rows).toEqual([
    { ...ended, next_sequence: 5, lines: 5, steps: 2 },
    { ...ended, next_sequence: 2, lines: 2, steps: 0 },
  ]);
  const { rows: wallet } = await client.query(
    `SELECT a.available_micros + (SELECT coalesce(sum(amount_micros), 0) FROM credit_holds) AS left,
       (SELECT sum(credits_micros) FROM run_usage) AS used FROM accounts a`,
  );
  expect(wallet).toEqual([{ left: String(START - 600n), used: "600" }]);
});
