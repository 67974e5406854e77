import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { driveScope } from "@/lib/engine/drive";
import { reconcileRuns } from "@/lib/engine/embedded/lane";
import { enqueueEvent, limitKey } from "@/lib/engine/embedded/router";
import { countWaitingKeys } from "@/lib/engine/embedded/run-store";
import {
  type EmbeddedExecutor,
  startEmbeddedExecutor,
} from "@/lib/engine/embedded/start-embedded-executor";
import { type EngineDatabase, openEngineDatabase } from "@/lib/engine/test/engine-database";
import { FAKE_APP, testFunction } from "@/lib/engine/test/fake-engine";
import { newId } from "@/lib/platform/ids";

let database: EngineDatabase;
let executors: EmbeddedExecutor[] = [];
/** Runs as they began to work, by name. */
let began: string[] = [];
/** Ends the work of a run that has begun. */
let ends = new Map<string, () => void>();
/** Whether the work keeps to itself that it waits. */
let isSilent = false;

beforeAll(async () => {
  database = await openEngineDatabase();
});
afterEach(async () => {
  for (const end of ends.values()) end();
  await Promise.all(executors.map((executor) => executor.stop({ graceMs: 2_000 })));
  executors = [];
  began = [];
  ends = new Map();
  isSilent = false;
  await database.pool.query("TRUNCATE engine_runs, engine_events, engine_steps, engine_waits");
});
afterAll(() => database.close());

interface QueueOptions {
  places: number;
  /** Runs of an account that may work at once. */
  limit: number;
  isShared?: boolean;
}

/**
 * An executor with a lane of `places` for runs, each of which works until it is ended, and a
 * function beside it.
 */
async function start({ places, limit, isShared }: QueueOptions): Promise<void> {
  const work = async (name: string) => {
    began.push(name);
    if (!isSilent) driveScope()?.begun();
    await new Promise<void>((resolve) => ends.set(name, resolve));
  };
  const slow = testFunction(
    {
      id: "slow",
      triggers: [{ event: "t/slow" }],
      limits: [{ limit, field: "account" }],
    },
    async ({ event, step }) => {
      await step.run("work", () => work(String(event.data.name)));
      if (!event.data.waits) return;
      await step.waitForEvent("answer", {
        event: "t/answer",
        match: { field: "name", value: String(event.data.name) },
        timeoutSeconds: 3600,
      });
      await step.run("again", () => work(`${event.data.name} again`));
    },
  );
  const send = testFunction(
    {
      id: "send",
      triggers: [{ event: "t/send" }],
      limits: [
        { limit: 2, field: "account" },
        { limit: 1, field: "host" },
      ],
    },
    async ({ event, step }) => step.run("work", () => work(String(event.data.name))),
  );
  const beside = testFunction(
    { id: "beside", triggers: [{ event: "t/beside" }] },
    async () => void began.push("beside"),
  );
  const options = {
    app: FAKE_APP,
    functions: [slow, send, beside],
    pool: database.pool,
    concurrency: 2,
    backoffMs: () => 20,
  };
  const lanes = [{ name: "runs", functions: [slow, send], places, isShared }];
  executors.push(await startEmbeddedExecutor({ ...options, lanes }));
}

const send = (account: string, name: string, more = {}) =>
  enqueueEvent(database.pool, { id: newId(), name: "t/slow", data: { account, name, ...more } });
const beginning = (count: number) => expect.poll(() => began.length, { interval: 10 }).toBe(count);
const queuedRuns = async () =>
  (await database.pool.query("SELECT 1 FROM engine_runs WHERE queued")).rowCount;
const waiting = (count: number) => expect.poll(queuedRuns).toBe(count);
/** Starts runs one by one, while places are free. */
async function fill(names: string[]): Promise<void> {
  for (const [before, name] of names.entries()) {
    await send(name.slice(0, 1), name);
    await beginning(before + 1);
  }
}
const end = (name: string) => ends.get(name)?.();

test("an account with a thousand runs delays another's till a place goes free", async () => {
  await start({ places: 3, limit: 3 });
  await fill(["a0", "a1", "a2"]);
  for (let n = 3; n < 1_003; n++) await send("a", `a${n}`);
  await waiting(1_000);
  await send("b", "b0");
  await waiting(1_001);
  end("a1");
  await beginning(4);
  expect(began[3]).toBe("b0");
  end("a0");
  await beginning(5);
  expect(began[4]).toBe("a3");
});

test("where a place is free it takes none of the thousand to begin first", async () => {
  await start({ places: 4, limit: 3 });
  await fill(["a0", "a1", "a2"]);
  for (let n = 3; n < 1_003; n++) await send("a", `a${n}`);
  await waiting(1_000);
  await send("b", "b0");
  await beginning(4);
  expect(began[3]).toBe("b0");
});

test("few runs begin at once; who waits outside lets the next begin, others soon", async () => {
  await start({ places: 40, limit: 40 });
  isSilent = true;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const names = Array.from({ length: 10 }, (_, n) => `a${n}`);
  await Promise.all(names.map((name) => send("a", name)));
  // Not `expect.poll`: with faked timers each of its looks lets time pass.
  const standAt = async (count: number, queued: number) => {
    do await queuedRuns();
    while (began.length !== count || (await queuedRuns()) !== queued);
  };
  await standAt(4, 6);
  await vi.advanceTimersByTimeAsync(49);
  await standAt(4, 6);
  await vi.advanceTimersByTimeAsync(1);
  await standAt(8, 2);
  isSilent = false;
  await vi.advanceTimersByTimeAsync(50);
  await standAt(10, 0);
  vi.useRealTimers();
});

test("waiting runs of all accounts are taken in turn, the oldest of an account first", async () => {
  await start({ places: 1, limit: 1 });
  await fill(["a0"]);
  for (const name of ["a1", "a2", "a3", "b1", "b2", "c1"]) await send(name.slice(0, 1), name);
  await waiting(6);
  for (let n = 1; n < 7; n++) {
    end(began.at(-1) ?? "");
    await beginning(n + 1);
  }
  expect(began).toEqual(["a0", "b1", "c1", "a1", "b2", "a2", "a3"]);
});

test("of shared places an account alone has all, and several each as much", async () => {
  await start({ places: 8, limit: 2, isShared: true });
  const names = (account: string, count: number) =>
    Array.from({ length: count }, (_, n) => `${account}${n}`);
  await fill(names("a", 8));
  for (const account of ["a", "b", "c", "d"])
    for (let n = 10; n < 30; n++) await send(account, `${account}${n}`);
  await waiting(80);
  // How many wait is believed for a second.
  const now = performance.now.bind(performance);
  const later = vi.spyOn(performance, "now").mockImplementation(() => now() + 2_000);
  const others = ["send", "beside"].map((id) => `fake-${id}`);
  expect(await countWaitingKeys(database.pool, ["fake-slow"], 100)).toBe(4);
  expect(await countWaitingKeys(database.pool, ["fake-slow"], 3)).toBe(3);
  expect(await countWaitingKeys(database.pool, others, 100)).toBe(0);
  // What one has beyond its share goes to the others as it ends, and what they end stays theirs.
  const working = new Set(began);
  const workingOf = (account: string) => [...working].filter((name) => name[0] === account).length;
  const endOne = async (account: string) => {
    const name = [...working].find((each) => each[0] === account) ?? "";
    working.delete(name);
    const before = began.length;
    end(name);
    await beginning(before + 1);
    for (const each of began.slice(before)) working.add(each);
  };
  for (let n = 0; n < 6; n++) await endOne("a");
  expect(["a", "b", "c", "d"].map(workingOf)).toEqual([2, 2, 2, 2]);
  for (let n = 0; n < 4; n++) {
    await endOne("b");
    expect(["a", "b", "c", "d"].map(workingOf)).toEqual([2, 2, 2, 2]);
  }
  later.mockRestore();
});

test("an account's own limit replaces the function's from the next place on", async () => {
  const allow = (most: number) =>
    database.pool.query(
      `INSERT INTO engine_limits (key, most) VALUES ($1, $2)
       ON CONFLICT (key) DO UPDATE SET most = excluded.most`,
      [limitKey("fake-slow", "a"), most],
    );
  await allow(1);
  await start({ places: 10, limit: 2 });
  await fill(["a1", "b1", "b2"]);
  for (const name of ["a2", "a3", "a4", "b3"]) await send(name.slice(0, 1), name);
  await waiting(4);
  await allow(3);
  end("b1");
  await expect.poll(() => [...began].sort()).toEqual(["a1", "a2", "a3", "b1", "b2", "b3"]);
});

test("what has no lane of its own goes on while every place of the runs is taken", async () => {
  await start({ places: 1, limit: 1 });
  await fill(["a1"]);
  for (const name of ["a2", "b1"]) await send(name.slice(0, 1), name);
  await waiting(2);
  await enqueueEvent(database.pool, { id: newId(), name: "t/beside", data: {} });
  await beginning(2);
  expect(began).toEqual(["a1", "beside"]);
});

test("a run waiting for a signal holds no place, and precedes its account's younger", async () => {
  await start({ places: 1, limit: 1 });
  await send("a", "a1", { waits: true });
  await beginning(1);
  for (const name of ["a2", "a3"]) await send("a", name);
  await waiting(2);
  end("a1");
  await beginning(2);
  expect(began).toEqual(["a1", "a2"]);
  await enqueueEvent(database.pool, { id: newId(), name: "t/answer", data: { name: "a1" } });
  await waiting(2);
  end("a2");
  await beginning(3);
  expect(began).toEqual(["a1", "a2", "a1 again"]);
});

test("a second key that is full holds back those under it, nobody else", async () => {
  await start({ places: 10, limit: 10 });
  const deliver = (account: string, name: string, host: string) =>
    enqueueEvent(database.pool, { id: newId(), name: "t/send", data: { account, name, host } });
  await deliver("a", "a-hangs", "hangs");
  await beginning(1);
  for (const n of [1, 2, 3]) await deliver("b", `b-hangs-${n}`, "hangs");
  await deliver("b", "b-good", "good");
  await beginning(2);
  expect(began).toEqual(["a-hangs", "b-good"]);
  end("a-hangs");
  await beginning(3);
  expect(began[2]).toBe("b-hangs-1");
});

test("two processes never give an account more places than it has, nor leave any", async () => {
  await start({ places: 2, limit: 3 });
  await start({ places: 2, limit: 3 });
  for (let n = 0; n < 12; n++) await send("a", `a${n}`);
  await send("b", "b0");
  for (let done = 0; done < 13; done++) {
    await expect.poll(() => began.length, { interval: 10 }).toBeGreaterThan(done);
    expect(began.slice(done).filter((name) => name.startsWith("a")).length).toBeLessThanOrEqual(3);
    const next = began[done] ?? "";
    end(next);
  }
  await expect
    .poll(
      async () =>
        (await database.pool.query("SELECT 1 FROM engine_runs WHERE queued OR owner IS NOT NULL"))
          .rowCount,
    )
    .toBe(0);
  expect(new Set(began).size).toBe(13);
});

test("looking for what was lost leaves runs that wait for their turn where they are", async () => {
  await start({ places: 1, limit: 1 });
  for (const name of ["a1", "a2", "a3", "a4"]) await send("a", name);
  await waiting(3);
  const queue = async () =>
    (
      await database.pool.query(
        "SELECT id, turn, since FROM engine_runs WHERE queued ORDER BY turn",
      )
    ).rows;
  const before = await queue();
  await database.pool.query("UPDATE engine_runs SET created_at = created_at - interval '1 minute'");
  await reconcileRuns(database.pool, { specs: new Map(), laneOf: () => "runs" });
  await executors[0]?.beat();
  expect(await queue()).toEqual(before);
});

test("the order of five hundred runs of an account is that of their acceptance", async () => {
  await start({ places: 4, limit: 4 });
  for (let n = 0; n < 500; n++) await send("a", `a${n}`);
  for (let ended = 0; ended < 500; ) {
    await expect.poll(() => began.length, { interval: 5 }).toBeGreaterThan(ended);
    for (; ended < began.length; ended++) end(began[ended] ?? "");
  }
  // Four work side by side: which of them begins first is theirs.
  const late = began.filter((name, place) => Math.abs(Number(name.slice(1)) - place) > 4);
  expect(late).toEqual([]);
});
