import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { dispatch, dispatchAgain, type LatheEvent } from "@/lib/engine/client";
import { deleteOldRuns } from "@/lib/engine/embedded/run-store";
import { type OutgoingEvent, Relay, relay } from "@/lib/engine/server/relay";
import { showLife } from "@/lib/engine/server/server-mode";
import { type EngineDatabase, openEngineDatabase } from "@/lib/engine/test/engine-database";
import { bundleProgram } from "@/lib/engine/test/start-crash-worker";
import { newId } from "@/lib/platform/ids";
import { inTransaction } from "@/lib/platform/postgres";
import { testService } from "@/lib/platform/test/test-service";

const service = testService({
  LOG_LEVEL: "silent",
  INNGEST_EVENT_KEY: "event-key",
  INNGEST_SIGNING_KEY: "signkey-test-00",
});

let database: EngineDatabase;
let sent: string[] = [];
/** What the server says to an event; it takes all where nothing else is said. */
let answer = async (_: OutgoingEvent) => {};
/** Milliseconds of the relays' clock. */
let clock = 0;

beforeAll(async () => {
  database = await openEngineDatabase();
});
beforeEach(async () => {
  [sent, answer, clock] = [[], async () => {}, 0];
  await database.pool.query("TRUNCATE engine_events");
  own(newRelay());
});
afterAll(() => database.close());

/** A relay as a process has it, with the server of this test. */
function newRelay(): Relay {
  const send = async (event: OutgoingEvent) => {
    await answer(event);
    sent.push(event.id);
  };
  return new Relay(database.pool, send, () => clock);
}

/** Has `dispatch` use this one. */
function own(made: Relay): Relay {
  service.give(relay, made);
  return made;
}

function event(id = newId()): LatheEvent {
  return { id, name: "account/deletion-requested", data: { account_id: newId() } };
}

/** The rows of events, and whether each is marked as sent. */
async function rows(): Promise<{ id: string; sent: boolean }[]> {
  const { rows } = await database.pool.query<{ id: string; sent: boolean }>(
    "SELECT id, routed_at IS NOT NULL AS sent FROM engine_events ORDER BY id",
  );
  return rows;
}

/** Events as processes leave them that die between their commits and their sends. */
async function left(count: number, seconds = 5): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId());
  await database.pool.query(
    `INSERT INTO engine_events (id, name, data, received_at)
     SELECT id, 'run/cancelled', '{"run_id":"r"}', clock_timestamp() - make_interval(secs => $2)
     FROM unnest($1::text[]) AS e(id)`,
    [ids, seconds],
  );
  return ids;
}

test("an event is a row of its transaction: sent once that commits, and then marked", async () => {
  const relay = own(newRelay());
  const one = event();
  await inTransaction(database.pool, async (tx) => {
    await dispatch(tx, one);
    expect(sent).toEqual([]);
  });
  await relay.idle();
  expect(sent).toEqual([one.id]);
  expect(await rows()).toEqual([{ id: one.id, sent: true }]);
});

test("a transaction that is rolled back leaves no row and sends nothing", async () => {
  const relay = own(newRelay());
  const failed = inTransaction(database.pool, async (tx) => {
    await dispatch(tx, event());
    throw new Error("no");
  });
  await expect(failed).rejects.toThrow("no");
  await relay.idle();
  await relay.sendWaiting();
  expect(sent).toEqual([]);
  expect(await rows()).toEqual([]);
});

test("a process killed between commit and send loses nothing: another one sends", async () => {
  const bundle = await bundleProgram("crash-sender");
  const id = newId();
  const child = spawn(process.execPath, [bundle, database.url, id], { stdio: "inherit" });
  const signal = await new Promise((resolve) => child.once("exit", (_, by) => resolve(by)));
  rmSync(bundle);
  expect(signal).toBe("SIGKILL");
  expect(await rows()).toEqual([{ id, sent: false }]);
  const relay = newRelay();
  // Once it is a second old.
  await expect
    .poll(async () => {
      await relay.sendWaiting();
      return sent;
    })
    .toEqual([id]);
  expect(await rows()).toEqual([{ id, sent: true }]);
});

test("of several processes that look at once one sends each event, however many", async () => {
  const ids = await left(53);
  answer = () => new Promise((resolve) => setImmediate(resolve));
  await Promise.all([newRelay(), newRelay(), newRelay()].map((relay) => relay.sendWaiting()));
  // Rows that one of them held while the others looked.
  await newRelay().sendWaiting();
  expect(sent.toSorted()).toEqual(ids.toSorted());
});

test("what a server does not take stays, by its id, and keeps no other", async () => {
  const ids = await left(3);
  const relay = newRelay();
  answer = async () => {
    throw new Error("away");
  };
  await relay.sendWaiting();
  await relay.sendWaiting();
  expect((await rows()).every((row) => !row.sent)).toBe(true);
  answer = async ({ id }) => {
    if (id === ids[0]) throw new Error("never");
  };
  await relay.sendWaiting();
  expect(sent.toSorted()).toEqual(ids.slice(1).toSorted());
  answer = async () => {};
  await relay.sendWaiting();
  expect(sent.at(-1)).toBe(ids[0]);
  expect((await rows()).every((row) => row.sent)).toBe(true);
});

test("an event of this moment is its committer's; clocks' are no server's", async () => {
  await left(1, 0);
  await database.pool.query(
    `INSERT INTO engine_events (id, name, data, function_id, received_at) VALUES
     ('clock', 'inngest/scheduled.timer', '{}', 'f', now() - interval '1 minute'),
     ('own', 'inngest/function.failed', '{}', NULL, now() - interval '1 minute')`,
  );
  await newRelay().sendWaiting();
  expect(sent).toEqual([]);
});

test("an event refused after a commit shuts it for 10 s, the next opens it", async () => {
  const relay = own(newRelay());
  answer = async () => {
    throw new Error("401");
  };
  await dispatch(database.pool, event());
  await relay.idle();
  expect(relay.isRefused).toBe(true);
  clock = 9_999;
  expect(relay.isRefused).toBe(true);
  clock = 10_000;
  expect(relay.isRefused).toBe(false);
  clock = 1;
  answer = async () => {};
  await dispatch(database.pool, event());
  await relay.idle();
  expect(relay.isRefused).toBe(false);
});

test("after commits as many are sent at once as a process can, then the rest", async () => {
  const relay = own(newRelay());
  let letGo = () => {};
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  answer = () => gate;
  await Promise.all(Array.from({ length: 70 }, () => dispatch(database.pool, event())));
  letGo();
  await relay.idle();
  expect(sent).toHaveLength(64);
  await database.pool.query("UPDATE engine_events SET received_at = now() - interval '2 seconds'");
  await relay.sendWaiting();
  expect(new Set(sent).size).toBe(70);
  expect(sent).toHaveLength(70);
});

test("an event dispatched again is sent by its id, but not within a minute", async () => {
  const relay = own(newRelay());
  const [lost, fresh, another] = [event(), event(), event()];
  for (const each of [lost, fresh]) await dispatch(database.pool, each);
  await relay.idle();
  await database.pool.query(
    "UPDATE engine_events SET routed_at = now() - interval '61 seconds' WHERE id = $1",
    [lost.id],
  );
  await dispatchAgain(database.pool, [lost, fresh, another]);
  await database.pool.query("UPDATE engine_events SET received_at = now() - interval '2 seconds'");
  sent = [];
  await relay.sendWaiting();
  expect(sent.toSorted()).toEqual([lost.id, another.id].toSorted());
});

test("a process of server mode sends with its beat what others have left", async () => {
  const ids = await left(2);
  own(newRelay());
  const end = await showLife(database.pool);
  await expect.poll(() => sent.toSorted(), { timeout: 10_000 }).toEqual(ids.toSorted());
  await end();
});

test("what was sent is deleted after a day, and what waits is not", async () => {
  const [old, waiting] = await left(2, 25 * 3600);
  const [fresh] = await left(1, 23 * 3600);
  await database.pool.query("UPDATE engine_events SET routed_at = now() WHERE id = ANY($1)", [
    [old, fresh],
  ]);
  await deleteOldRuns(database.pool, 24);
  expect((await rows()).map(({ id }) => id)).toEqual([waiting, fresh].toSorted());
});
