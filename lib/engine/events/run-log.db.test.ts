import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { engineState } from "@/lib/engine/engine-state";
import { appendRunLog, storeWithLog } from "@/lib/engine/events/append-run-log";
import { EventHub } from "@/lib/engine/events/event-hub";
import { deleteOldRunEvents, LogTakenOver } from "@/lib/engine/events/event-rows";
import { followRunLog } from "@/lib/engine/events/follow-run-log";
import {
  notifyCancel,
  onCancel,
  openRunLog,
  type RunLogWriter,
  readRunEvents,
} from "@/lib/engine/events/run-log-writer";
import { registerProcess } from "@/lib/engine/processes";
import { beginLog } from "@/lib/engine/test/begin-log";
import { type EngineDatabase, openEngineDatabase } from "@/lib/engine/test/engine-database";
import type { RunEventBody } from "@/lib/model/run/run-event";
import { callSql } from "@/lib/platform/call-sql";
import { newId } from "@/lib/platform/ids";
import { inTransaction } from "@/lib/platform/postgres";
import type { LogBatch } from "@/lib/platform/sql-functions";

let database: EngineDatabase;
/** Two hubs stand for two processes on one database. */
let here: EventHub;
let there: EventHub;
let runId: string;

beforeAll(async () => {
  database = await openEngineDatabase();
});
beforeEach(async () => {
  here = new EventHub(database.pool);
  there = new EventHub(database.pool);
  runId = newId();
  await beginLog(database.pool, runId);
});
afterEach(async () => {
  await Promise.all([here.close(), there.close()]);
  // Connections that a test cut show it at their next use, which must not be the next test's.
  await Promise.allSettled(Array.from({ length: 40 }, () => database.pool.query("SELECT 1")));
});
afterAll(() => database.close());

const completed: RunEventBody = {
  type: "run.completed",
  status: "completed",
  result: { text: "", artifacts: [] },
  usage: { credits: 0, breakdown: [] },
  agent_id: null,
};
const failed = {
  type: "run.failed",
  status: "failed",
  error: { code: "RUN_CANCELLED", message: "" },
} as const;
const tool = (n: number): RunEventBody => ({
  type: "tool.started",
  tool_call_id: String(n),
  name: "t",
});
const delta = (text: string, messageId = "m"): RunEventBody => ({
  type: "output_text.delta",
  message_id: messageId,
  delta: text,
});

async function open(hub = here): Promise<RunLogWriter> {
  const writer = await openRunLog(runId, { hub });
  if (!writer) throw new Error("the log is closed");
  return writer;
}

async function collect(
  hub: EventHub,
  after = -1,
  signal = new AbortController().signal,
): Promise<string[]> {
  const lines: string[] = [];
  for await (const batch of followRunLog(runId, { after, signal, hub })) lines.push(...batch);
  return lines;
}

/** Resolves when the hub listens: it wakes every follower then. */
const listening = (hub: EventHub) =>
  new Promise<void>((resolve) => hub.follow(newId(), { receive() {}, wake: resolve, next: 0 }));

const numbersOf = (lines: string[]) =>
  lines.map((line) => (JSON.parse(line) as { sequence_number: number }).sequence_number);
const upTo = (last: number, first = 0) =>
  Array.from({ length: last - first + 1 }, (_, i) => first + i);

describe("a writer", () => {
  test("numbers its events from the log's end on, unbroken, and flush stores them", async () => {
    const writer = await open();
    for (let n = 1; n <= 5; n++) writer.append(tool(n));
    await writer.flush();
    const lines = await readRunEvents(runId, -1, 100, database.pool);
    expect(numbersOf(lines)).toEqual(upTo(5));
    expect(JSON.parse(lines[3] ?? "")).toMatchObject({
      type: "tool.started",
      run_id: runId,
      tool_call_id: "3",
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    await writer.close();
  });

  test("joins waiting deltas of one message, no other's, without changing the text", async () => {
    const writer = await open();
    for (const part of ["a", "b", "c"]) writer.append(delta(part));
    writer.append(delta("x", "other"));
    writer.append(tool(1));
    writer.append(delta("d"));
    await writer.flush();
    const events = (await readRunEvents(runId, 0, 100, database.pool)).map(
      (line) => JSON.parse(line) as { type: string; delta?: string },
    );
    expect(events.map((event) => event.delta ?? event.type)).toEqual([
      "abc",
      "x",
      "tool.started",
      "d",
    ]);
    await writer.close();
  });

  test("keeps text that the database refuses in other columns", async () => {
    const writer = await open();
    const odd = "nul \u0000, lone \ud800, line\nend, \u2028";
    writer.append(delta(odd));
    await writer.flush();
    const [line] = await readRunEvents(runId, 0, 1, database.pool);
    expect((JSON.parse(line ?? "") as { delta: string }).delta).toBe(odd);
    await writer.close();
  });

  test("replaced stores nothing more, learns it, and the newer one goes on, gapless", async () => {
    const old = await open();
    old.append(tool(1));
    await old.flush();
    const fresh = await open(there);
    old.append(tool(2));
    await expect(old.flush()).rejects.toThrow(LogTakenOver);
    expect(old.signal.aborted).toBe(true);
    fresh.append(tool(3));
    await fresh.flush();
    const lines = await readRunEvents(runId, 0, 100, database.pool);
    expect(
      lines.map((line) => (JSON.parse(line) as { tool_call_id: string }).tool_call_id),
    ).toEqual(["1", "3"]);
    await Promise.all([old.close(), fresh.close()]);
  });

  test("and its successor in one statement do not pass for one another", async () => {
    const old = await open();
    const fresh = await open();
    old.append(tool(1));
    fresh.append(tool(2));
    const outcomes = await Promise.allSettled([old.flush(), fresh.flush()]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
    await Promise.all([old.close(), fresh.close()]);
  });

  test("gets nothing stored after the terminal event, and the log stays closed", async () => {
    const writer = await open();
    writer.append(completed);
    writer.append(tool(1));
    await writer.flush();
    await writer.close();
    expect(await openRunLog(runId, { hub: here })).toBeNull();
    expect((await readRunEvents(runId, -1, 100, database.pool)).length).toBe(2);
  });

  test("whose events cannot be stored fails alone, not those stored with it", async () => {
    const sound = await open();
    const otherId = newId();
    await beginLog(database.pool, otherId);
    const broken = await openRunLog(otherId, { hub: here });
    // Stands where the broken log's next batch must go.
    await database.pool.query(
      `INSERT INTO run_events (run_id, first_sequence, last_sequence, lines)
       VALUES ($1, 1, 1, '{}')`,
      [otherId],
    );
    sound.append(tool(1));
    broken?.append(tool(1));
    const outcomes = await Promise.allSettled([sound.flush(), broken?.flush()]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    await sound.close();
  });

  test("whose events were stored though the answer was lost goes on, once", async () => {
    const writer = await open();
    writer.append(tool(1));
    const original = database.pool.query;
    database.pool.query = (async (query: { name?: string }, ...rest: unknown[]) => {
      const answer: unknown = await Reflect.apply(original, database.pool, [query, ...rest]);
      if (query.name !== "engine-log-commit") return answer;
      database.pool.query = original;
      throw new Error("Connection terminated unexpectedly");
    }) as typeof original;
    await writer.flush();
    writer.append(tool(2));
    await writer.flush();
    expect(numbersOf(await readRunEvents(runId, -1, 10, database.pool))).toEqual([0, 1, 2]);
    await writer.close();
  });

  test("loses nothing when its connections are cut while it stores", async () => {
    const writer = await open();
    for (let n = 1; n <= 200; n++) {
      writer.append(tool(n));
      if (n % 20 === 0) await cutConnections();
      // Not awaited: the cut comes while it stores.
      else if (n % 5 === 0) void writer.flush();
    }
    await writer.flush();
    const lines = await readRunEvents(runId, 0, 1_000, database.pool);
    expect(
      lines.map((line) => Number((JSON.parse(line) as { tool_call_id: string }).tool_call_id)),
    ).toEqual(upTo(200, 1));
    expect(numbersOf(lines)).toEqual(upTo(200, 1));
    await writer.close();
  });
});

describe("lines that a transaction stores", () => {
  test("come behind what was pending, with it, and are shown after the commit", async () => {
    const writer = await open();
    const seen = collect(here);
    writer.append(delta("before"));
    await inTransaction(database.pool, (tx) => appendRunLog(tx, writer, [tool(1), completed]));
    expect((await seen).map((line) => (JSON.parse(line) as { type: string }).type)).toEqual([
      "run.created",
      "output_text.delta",
      "tool.started",
      "run.completed",
    ]);
    expect(numbersOf(await readRunEvents(runId, -1, 10, database.pool))).toEqual([0, 1, 2, 3]);
  });

  test("are gone when it is rolled back; what was pending is stored by the next", async () => {
    const writer = await open();
    writer.append(delta("kept"));
    const broken = inTransaction(database.pool, async (tx) => {
      await appendRunLog(tx, writer, [tool(1)]);
      throw new Error("undone");
    });
    await expect(broken).rejects.toThrow("undone");
    writer.append(tool(2));
    await writer.flush();
    const events = (await readRunEvents(runId, 0, 10, database.pool)).map(
      (line) => JSON.parse(line) as { type: string; tool_call_id?: string },
    );
    expect(events.map(({ type, tool_call_id }) => tool_call_id ?? type)).toEqual([
      "output_text.delta",
      "2",
    ]);
    expect(numbersOf(await readRunEvents(runId, -1, 10, database.pool))).toEqual([0, 1, 2]);
    await writer.close();
  });

  test("fail with the whole transaction when the writer was replaced", async () => {
    const old = await open();
    const fresh = await open(there);
    const late = inTransaction(database.pool, async (tx) => {
      await tx.query("UPDATE run_logs SET todo = '{}' WHERE run_id = $1", [runId]);
      await appendRunLog(tx, old, [failed]);
    });
    await expect(late).rejects.toThrow(LogTakenOver);
    expect(
      (await database.pool.query("SELECT todo, closed_at FROM run_logs WHERE run_id = $1", [runId]))
        .rows,
    ).toEqual([{ todo: null, closed_at: null }]);
    await fresh.close();
  });

  test("are stored once where the statement's answer was lost, again where it was", async () => {
    const writer = await open();
    let calls = 0;
    const store = (log: LogBatch) => callSql(database.pool, "append_run_log", { log });
    const lost = () => Promise.reject(new Error("Connection terminated unexpectedly"));
    await storeWithLog(writer, [tool(1)], undefined, (log) => {
      calls += 1;
      return store(log).then(lost);
    });
    await storeWithLog(writer, [tool(2)], undefined, (log) =>
      ++calls === 2 ? lost() : store(log),
    );
    expect(calls).toBe(3);
    expect(numbersOf(await readRunEvents(runId, -1, 10, database.pool))).toEqual([0, 1, 2]);
    await writer.close();
  });
});

describe("a fence that the database lost as it crashed", () => {
  // What takes a log over does not wait for its flush: a crash of the server undoes it, and whoever
  // had it still works.
  const takenAndLost = () =>
    inTransaction(database.pool, async (tx) => {
      const [taken] = await callSql(tx, "take_log", {
        ...{ run: runId, process: null, abandoned: false, alive_seconds: 0 },
      });
      throw Object.assign(new Error("lost"), { fence: taken?.writer });
    }).catch((error: Error & { fence?: number }) => error.fence ?? Number.NaN);

  test("is not given again: who had it stores nothing in the new holder's place", async () => {
    const lost = await takenAndLost();
    const writer = await open(there);
    expect(writer.fence).not.toBe(lost);
    const batch = { run: runId, writer: lost, first: 1, last: 1, closes: false, is_whole: false };
    const log: LogBatch = { ...batch, message: null, todo: null, lines: "{}" };
    await expect(callSql(database.pool, "append_run_log", { log })).rejects.toMatchObject({
      code: "LT002",
    });
    await writer.close();
  });
});

describe("a log that is left", () => {
  const abandoned = () => openRunLog(runId, { abandoned: true, hub: there });

  test("is taken by others when its process is dead, or has let it go", async () => {
    engineState().processId = await registerProcess(database.pool);
    const writer = await open();
    expect(await abandoned()).toBeNull();
    await database.pool.query(
      "UPDATE engine_processes SET seen_at = now() - interval '20 seconds'",
    );
    const second = await abandoned();
    expect(second).not.toBeNull();
    writer.append(tool(1));
    await expect(writer.flush()).rejects.toThrow(LogTakenOver);
    await database.pool.query("UPDATE engine_processes SET seen_at = now()");
    expect(await abandoned()).toBeNull();
    await second?.close();
    const third = await abandoned();
    expect(third).not.toBeNull();
    await third?.close();
    engineState().processId = null;
  });

  test("tells which message was begun and not finished, and how the todo card stands", async () => {
    const writer = await open();
    const id = newId();
    const card = {
      card_id: newId(),
      kind: "todo" as const,
      status: "in_progress" as const,
      title: "To do",
      items: [],
    };
    writer.append({ type: "message.created", message_id: id, role: "assistant" });
    writer.append({ type: "card.created", card });
    await writer.flush();
    const facts = async () =>
      (
        await database.pool.query("SELECT open_message_id, todo FROM run_logs WHERE run_id = $1", [
          runId,
        ])
      ).rows[0];
    expect(await facts()).toEqual({ open_message_id: id, todo: card });
    await inTransaction(database.pool, (tx) => appendRunLog(tx, writer, [tool(1)], null));
    expect(await facts()).toEqual({ open_message_id: null, todo: card });
    await writer.close();
  });
});

describe("a follower", () => {
  test.each([
    ["in the writer's process", () => here],
    ["in another process", () => there],
  ])(
    "%s sees each line once and in order, those from before and those that come, and then ends",
    async (_, hub) => {
      const writer = await open();
      writer.append(tool(1));
      await writer.flush();
      const seen = collect(hub());
      for (let n = 2; n <= 300; n++) {
        writer.append(tool(n));
        if (n % 7 === 0) await writer.flush();
      }
      writer.append(completed);
      await writer.close();
      expect(numbersOf(await seen)).toEqual(upTo(301));
    },
  );

  test("sees a live line in the writer's process without a read of the database", async () => {
    await listening(here);
    const writer = await open();
    const lines = followRunLog(runId, {
      after: -1,
      signal: new AbortController().signal,
      hub: here,
    });
    // It has caught up when it has given what is stored.
    expect(numbersOf((await lines.next()).value ?? [])).toEqual([0]);
    const first = lines.next();
    const reads = countReads();
    for (let n = 1; n <= 5; n++) {
      writer.append(tool(n));
      await writer.flush();
    }
    expect(numbersOf((await first).value ?? [])).toEqual([1]);
    await lines.return?.();
    expect(reads()).toBe(0);
    await writer.close();
  });

  test("is not confused by lines that it has seen before", async () => {
    await listening(here);
    const writer = await open();
    writer.append(tool(1));
    await writer.flush();
    const lines = followRunLog(runId, {
      after: -1,
      signal: new AbortController().signal,
      hub: here,
    });
    const stored = (await lines.next()).value ?? [];
    here.published(runId, { first: 0, last: 0, lines: stored.slice(0, 1) });
    writer.append(tool(2));
    writer.append(completed);
    await writer.close();
    const rest: string[] = [];
    for await (const batch of lines) rest.push(...batch);
    expect(numbersOf([...stored, ...rest])).toEqual(upTo(3));
  });

  test("begins after the number that it names, also in the middle of a batch", async () => {
    const writer = await open();
    for (let n = 1; n <= 9; n++) writer.append(tool(n));
    writer.append(completed);
    await writer.close();
    expect(numbersOf(await collect(there, 4))).toEqual(upTo(10, 5));
    expect(await collect(there, 10)).toEqual([]);
    expect(await collect(there, 99)).toEqual([]);
  });

  test("of a log that is not there ends at once", async () => {
    runId = newId();
    expect(await collect(here)).toEqual([]);
  });

  test("that is slow holds little in memory and still sees all", async () => {
    await listening(here);
    const writer = await open();
    const lines = followRunLog(runId, {
      after: -1,
      signal: new AbortController().signal,
      hub: here,
    });
    const got = [...((await lines.next()).value ?? [])];
    const reads = countReads();
    const text = "x".repeat(10_000);
    for (let n = 1; n <= 400; n++) {
      writer.append(tool(n));
      writer.append(delta(text));
      if (n % 10 === 0) await writer.flush();
    }
    writer.append(completed);
    await writer.close();
    for await (const batch of lines) got.push(...batch);
    expect(numbersOf(got)).toEqual(upTo(801));
    // What it did not hold it read.
    expect(reads()).toBeGreaterThan(0);
  });

  test("goes on without a gap when its connection for notifications is cut", async () => {
    const writer = await open();
    const seen = collect(there);
    for (let n = 1; n <= 60; n++) {
      writer.append(tool(n));
      if (n % 15 === 0) await cutListeners();
      await writer.flush();
    }
    writer.append(completed);
    await writer.close();
    expect(numbersOf(await seen)).toEqual(upTo(61));
  });

  test("hears of what was stored while it could not listen, once it listens", async () => {
    const writer = await open();
    // Without its own look at the log it learns only what it is told.
    const lines = followRunLog(runId, {
      after: -1,
      signal: new AbortController().signal,
      hub: there,
    });
    expect(numbersOf((await lines.next()).value ?? [])).toEqual([0]);
    const next = lines.next();
    await listening(there);
    expect(await cutListeners()).toBeGreaterThan(0);
    writer.append(tool(1));
    await writer.flush();
    expect(numbersOf((await next).value ?? [])).toEqual([1]);
    await lines.return?.();
    await writer.close();
  });

  test("sees by its process's own look what it was never told of", async () => {
    const lines = followRunLog(runId, {
      after: -1,
      signal: new AbortController().signal,
      hub: there,
    });
    expect(numbersOf((await lines.next()).value ?? [])).toEqual([0]);
    const next = lines.next();
    await listening(there);
    // By a transaction whose notification is lost.
    const place = { run: runId, writer: 0, first: 1, last: 1, closes: true };
    const text = '{"type":"run.failed","sequence_number":1,"status":"failed"}';
    const log = { ...place, message: null, is_whole: false, todo: null, lines: text };
    await callSql(database.pool, "append_run_log", { log });
    expect(numbersOf((await next).value ?? [])).toEqual([1]);
  });

  test("of a log that this process began and writes reads nothing of it back", async () => {
    await listening(here);
    runId = newId();
    here.begun(runId, await beginLog(database.pool, runId));
    const writer = await open();
    writer.append(tool(1));
    await writer.flush();
    const reads = countReads();
    const seen = collect(here);
    writer.append(completed);
    await writer.flush();
    expect(numbersOf(await seen)).toEqual([0, 1, 2]);
    expect(numbersOf(await collect(here, 1))).toEqual([2]);
    expect(reads()).toBe(0);
  });

  test("goes on when the connection that it reads by is cut", async () => {
    const writer = await open();
    const seen = collect(there);
    for (let n = 1; n <= 40; n++) {
      writer.append(tool(n));
      if (n % 10 === 0) await cutConnections();
      await writer.flush();
    }
    writer.append(completed);
    await writer.flush();
    expect(numbersOf(await seen)).toEqual(upTo(41));
  });

  test("ends when its signal aborts", async () => {
    const abort = new AbortController();
    const lines = followRunLog(runId, { after: -1, signal: abort.signal, hub: here });
    expect(numbersOf((await lines.next()).value ?? [])).toEqual([0]);
    const next = lines.next();
    abort.abort();
    expect(await next).toEqual({ done: true, value: undefined });
  });

  test.each([
    ["in this process", () => here],
    ["in another", () => there],
  ])("%s sees a line that a transaction closed the log with", async (_, hub) => {
    const seen = collect(hub());
    const writer = await open();
    await inTransaction(database.pool, (tx) => appendRunLog(tx, writer, [failed]));
    expect(numbersOf(await seen)).toEqual([0, 1]);
  });
});

test.each([
  ["in this process", () => here],
  ["in another process", () => there],
])("a cancel reaches who works on the run %s", async (_, hub) => {
  let cancelled = 0;
  let other = 0;
  const ends = [onCancel(runId, () => cancelled++, hub()), onCancel(newId(), () => other++, hub())];
  // Again and again: nobody knows when the other process begins to listen.
  const tell = async () => {
    await notifyCancel(runId, here);
    return cancelled;
  };
  await expect.poll(tell, { interval: 20 }).toBeGreaterThan(0);
  expect(other).toBe(0);
  for (const end of ends) end();
});

test("a cancel that was announced before anybody listened is found in the run itself", async () => {
  await database.pool.query(
    `INSERT INTO runs (id, account_id, kind, status, input, model)
     VALUES ($1, $1, 'agent', 'cancelled', '{}', 'm')`,
    [runId],
  );
  let cancelled = 0;
  const end = onCancel(runId, () => cancelled++, there);
  await expect.poll(() => cancelled, { interval: 5 }).toBeGreaterThan(0);
  end();
});

test("logs that were closed long ago are deleted, others stay", async () => {
  const kept = runId;
  const end = async () => {
    const writer = await open();
    writer.append(failed);
    await writer.flush();
  };
  await end();
  runId = newId();
  await beginLog(database.pool, runId);
  await end();
  await database.pool.query(
    "UPDATE run_logs SET closed_at = now() - interval '25 hours' WHERE run_id = $1",
    [runId],
  );
  expect(await deleteOldRunEvents(24, database.pool)).toBe(1);
  expect(await readRunEvents(runId, -1, 10, database.pool)).toEqual([]);
  expect(await readRunEvents(kept, -1, 10, database.pool)).toHaveLength(2);
});

function countReads(): () => number {
  let count = 0;
  const original = database.pool.query;
  // Counts what the followers ask; the writer's own statement has another name.
  database.pool.query = ((query: { name?: string }, ...rest: unknown[]) => {
    if (query.name === "engine-log-read") count++;
    return Reflect.apply(original, database.pool, [query, ...rest]);
  }) as typeof original;
  return () => {
    database.pool.query = original;
    return count;
  };
}

const cutConnections = () => cut("query not like '%pg_stat_activity%'");
const cutListeners = () => cut("query ilike 'listen%'");

/** Returns how many it cut. */
async function cut(which: string): Promise<number> {
  try {
    const sql = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                 WHERE datname = current_database() AND pid <> pg_backend_pid() AND (${which})`;
    return (await database.pool.query(sql)).rowCount ?? 0;
  } catch {
    return 0;
  }
}

describe("one batch and many", () => {
  const given = { writer: 1, first: 1, last: 2, closes: false, message: null, is_whole: false };
  const message = newId();
  /** What a batch says, and how its log stands before it. */
  const CASES: { says: string; batch?: Partial<LogBatch>; log?: string }[] = [
    { says: "lines" },
    { says: "no lines", batch: { lines: null } },
    { says: "a message", batch: { message } },
    { says: "a message that is whole", batch: { message, is_whole: true } },
    { says: "that the open message is whole", batch: { is_whole: true }, log: "open" },
    { says: "nothing of the open message", log: "open" },
    { says: "a todo card", batch: { todo: '{"card_id":"x"}' } },
    { says: "nothing of the todo card", log: "todo" },
    { says: "the last line", batch: { closes: true } },
    { says: "the number of another writer", batch: { writer: 2 } },
    { says: "lines that are there", batch: { first: 0, last: 1 } },
    { says: "lines behind a gap", batch: { first: 2, last: 3 } },
    { says: "lines behind the last one", log: "closed" },
  ];
  const LOGS: Record<string, string> = {
    open: `open_message_id = '${newId()}'`,
    todo: `todo = '{"card_id":"y"}'`,
    closed: "closed_at = now()",
  };

  /** Logs as the cases have them, and their batches. */
  async function begin(): Promise<LogBatch[]> {
    const batches: LogBatch[] = [];
    for (const { batch, log } of CASES) {
      const run = newId();
      await beginLog(database.pool, run);
      await database.pool.query(
        `UPDATE run_logs SET writer = 1, owner = 7${log ? `, ${LOGS[log]}` : ""} WHERE run_id = $1`,
        [run],
      );
      batches.push({ run, ...given, todo: null, lines: "line", ...batch });
    }
    return batches;
  }

  async function stored(batches: readonly LogBatch[]) {
    const { rows } = await database.pool.query<Record<string, unknown>>(
      `SELECT l.writer, l.owner, l.next_sequence, l.open_message_id, l.todo, l.closed_at IS NOT NULL
         AS closed, (SELECT json_agg(json_build_array(e.first_sequence, e.last_sequence, e.lines)
           ORDER BY e.first_sequence) FROM run_events e
           WHERE e.run_id = l.run_id AND e.first_sequence > 0) AS events
       FROM unnest($1::uuid[]) WITH ORDINALITY AS asked(run, nth)
       JOIN run_logs l ON l.run_id = asked.run ORDER BY asked.nth`,
      [batches.map(({ run }) => run)],
    );
    return rows;
  }

  test("leave the same behind, whatever a batch says", async () => {
    const [alone, together] = [await begin(), await begin()];
    const places: number[] = [];
    for (const [index, batch] of alone.entries())
      if ((await callSql(database.pool, "append_run_logs", { batches: [batch] })).length > 0)
        places.push(index + 1);
    const rows = await callSql(database.pool, "append_run_logs", { batches: together });
    expect(rows.map(({ place }) => place).sort((a, b) => (a ?? 0) - (b ?? 0))).toEqual(places);
    expect(places).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const states = await stored(alone);
    expect(await stored(together)).toEqual(states);
    expect(states[0]).toMatchObject({ next_sequence: 3, events: [[1, 2, "line"]] });
    expect(states[8]).toMatchObject({ closed: true, owner: null });
  });
});
