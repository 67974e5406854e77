import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { enqueueEvent } from "@/lib/engine/embedded/router";
import {
  type EmbeddedExecutor,
  startEmbeddedExecutor,
} from "@/lib/engine/embedded/start-embedded-executor";
import { engineState } from "@/lib/engine/engine-state";
import { type EngineFunction, NonRetriableError, type Steps } from "@/lib/engine/functions";
import { type EngineDatabase, openEngineDatabase } from "@/lib/engine/test/engine-database";
import { FAKE_APP, testFunction } from "@/lib/engine/test/fake-engine";
import { newId } from "@/lib/platform/ids";

let database: EngineDatabase;
let executors: EmbeddedExecutor[] = [];

beforeAll(async () => {
  database = await openEngineDatabase();
});
afterEach(async () => {
  await Promise.all(executors.map((executor) => executor.stop({ graceMs: 2_000 })));
  executors = [];
  await database.pool.query("TRUNCATE engine_runs, engine_events, engine_steps, engine_waits");
});
afterAll(() => database.close());

const NAP_MS = 1_000;

async function start(
  functions: EngineFunction[],
  concurrency = 10,
  drives = true,
): Promise<EmbeddedExecutor> {
  const executor = await startEmbeddedExecutor({
    app: FAKE_APP,
    functions,
    pool: database.pool,
    concurrency,
    drives,
    backoffMs: () => 20,
  });
  executors.push(executor);
  return executor;
}

const send = (name: string, data: Record<string, unknown> = {}, id: string = newId()) =>
  enqueueEvent(database.pool, { id, name, data });

async function ended(functionId: string, count = 1) {
  await expect
    .poll(
      async () =>
        (
          await database.pool.query(
            "SELECT 1 FROM engine_runs WHERE function_id = $1 AND status <> 'active'",
            [functionId],
          )
        ).rowCount,
      { interval: 20 },
    )
    .toBeGreaterThanOrEqual(count);
  const { rows } = await database.pool.query<{ status: string; output: string | null }>(
    "SELECT status, output FROM engine_runs WHERE function_id = $1 ORDER BY created_at",
    [functionId],
  );
  return rows.map(({ status, output }) => ({
    status,
    output: output === null ? null : (JSON.parse(output) as unknown),
  }));
}

test("a function runs through its steps once and its result is stored", async () => {
  const seen: string[] = [];
  await start([
    testFunction({ id: "plain", triggers: [{ event: "t/plain" }] }, async ({ event, step }) => {
      const a = await step.run("a", () => seen.push("a"));
      const b = await step.run("b", () => seen.push("b") * 10 + a);
      return { b, id: event.data.id };
    }),
  ]);
  await send("t/plain", { id: "x" });
  expect(await ended("fake-plain")).toEqual([{ status: "completed", output: { b: 21, id: "x" } }]);
  expect(seen).toEqual(["a", "b"]);
});

test("an event sent twice under one id starts a function once", async () => {
  let count = 0;
  await start([
    testFunction({ id: "twice", triggers: [{ event: "t/twice" }] }, async () => ++count),
  ]);
  await Promise.all([send("t/twice", {}, "same"), send("t/twice", {}, "same")]);
  await ended("fake-twice");
  await send("t/twice", {}, "same");
  await send("t/twice", {}, "other");
  await ended("fake-twice", 2);
  expect(count).toBe(2);
});

test("an event whose transaction is rolled back starts nothing", async () => {
  let count = 0;
  await start([testFunction({ id: "back", triggers: [{ event: "t/back" }] }, async () => ++count)]);
  const tx = await database.pool.connect();
  await tx.query("begin");
  await enqueueEvent(tx, { id: "gone", name: "t/back", data: {} });
  await tx.query("rollback");
  tx.release();
  await send("t/back", {}, "kept");
  await ended("fake-back");
  expect(count).toBe(1);
});

describe("steps that fail", () => {
  test("a failing step is tried again and earlier steps are not", async () => {
    const seen: string[] = [];
    await start([
      testFunction(
        { id: "retry", triggers: [{ event: "t/retry" }], retries: 3 },
        async ({ step }) => {
          await step.run("first", () => seen.push("first"));
          return step.run("flaky", () => {
            seen.push("flaky");
            if (seen.length < 4) throw new Error("not yet");
            return "done";
          });
        },
      ),
    ]);
    await send("t/retry");
    expect(await ended("fake-retry")).toEqual([{ status: "completed", output: "done" }]);
    expect(seen).toEqual(["first", "flaky", "flaky", "flaky"]);
  });

  test("a step that fails on ends the run after its retries; onFailure is told once", async () => {
    let tries = 0;
    const told: unknown[] = [];
    await start([
      testFunction(
        {
          id: "bad",
          triggers: [{ event: "t/bad" }],
          retries: 2,
          onFailure: async ({ event, error }) => void told.push([event.data, error.message]),
        },
        async ({ step }) => {
          await step.run("bad", () => {
            tries++;
            throw new Error("broken");
          });
        },
      ),
    ]);
    await send("t/bad", { id: 7 });
    await ended("fake-bad-failure");
    expect(await ended("fake-bad")).toMatchObject([
      { status: "failed", output: { message: "broken" } },
    ]);
    expect(tries).toBe(3);
    expect(told).toEqual([[{ id: 7 }, "broken"]]);
  });

  test("a NonRetriableError is not tried again, and a step's error can be caught", async () => {
    let tries = 0;
    await start([
      testFunction(
        { id: "caught", triggers: [{ event: "t/caught" }], retries: 3 },
        async ({ step }) => {
          try {
            await step.run("bad", () => {
              tries++;
              throw new NonRetriableError("never");
            });
          } catch (error) {
            return step.run("after", () => `caught ${error instanceof Error ? error.message : ""}`);
          }
        },
      ),
    ]);
    await send("t/caught");
    expect(await ended("fake-caught")).toEqual([{ status: "completed", output: "caught never" }]);
    expect(tries).toBe(1);
  });

  test("a function's own error is tried again without repeating its steps", async () => {
    let steps = 0;
    let calls = 0;
    await start([
      testFunction(
        { id: "between", triggers: [{ event: "t/between" }], retries: 2 },
        async ({ step }) => {
          await step.run("once", () => void steps++);
          calls++;
          throw new Error("between");
        },
      ),
    ]);
    await send("t/between");
    expect(await ended("fake-between")).toMatchObject([
      { status: "failed", output: { message: "between" } },
    ]);
    expect(steps).toBe(1);
    expect(calls).toBe(3);
  });
});

describe("waiting", () => {
  test("a step runs beside sleeps and waits, and is tried again while they go on", async () => {
    const seen: string[] = [];
    await start([
      testFunction(
        { id: "beside", triggers: [{ event: "t/beside" }], retries: 2 },
        async ({ event, step }) => {
          const all = await Promise.all([
            step.run("a", async () => {
              seen.push("a");
              if (seen.length === 1) throw new Error("once");
              return "A";
            }),
            step.sleep("nap", 1_000).then(() => "slept"),
            step.waitForEvent("answer", {
              event: "t/none",
              match: { field: "id", value: String(event.data.id) },
              timeoutSeconds: 1,
            }),
          ]);
          return [...all, await step.run("last", () => "Z")];
        },
      ),
    ]);
    await send("t/beside", { id: "1" });
    expect(await ended("fake-beside")).toEqual([
      { status: "completed", output: ["A", "slept", null, "Z"] },
    ]);
    expect(seen).toEqual(["a", "a"]);
  });

  test("a sleeping run holds no worker, and wakes not before its time", async () => {
    await start(
      [
        testFunction({ id: "sleepy", triggers: [{ event: "t/sleepy" }] }, async ({ step }) => {
          const from = await step.run("from", () => Date.now());
          await step.sleep("nap", NAP_MS);
          return step.run("to", () => Date.now() - from);
        }),
        testFunction({ id: "quick", triggers: [{ event: "t/quick" }] }, async () => "quick"),
      ],
      1,
    );
    await send("t/sleepy");
    await expect
      .poll(
        async () =>
          (await database.pool.query("SELECT 1 FROM engine_steps WHERE op = 'Sleep'")).rowCount,
      )
      .toBe(1);
    await send("t/quick");
    await ended("fake-quick");
    expect(
      (
        await database.pool.query(
          "SELECT 1 FROM engine_runs WHERE function_id = 'fake-sleepy' AND status = 'active'",
        )
      ).rowCount,
    ).toBe(1);
    const [run] = await ended("fake-sleepy");
    expect(run?.output).toBeGreaterThan(NAP_MS * 0.9);
  });

  test("a run waits for the event that matches it, and for no other", async () => {
    await start([
      testFunction({ id: "wait", triggers: [{ event: "t/wait" }] }, async ({ event, step }) => {
        const answer = await step.waitForEvent("answer", {
          event: "t/answer",
          match: { field: "id", value: String(event.data.id) },
          timeoutSeconds: 3600,
        });
        return answer?.data ?? null;
      }),
    ]);
    await send("t/wait", { id: "1" });
    await expect
      .poll(async () => (await database.pool.query("SELECT 1 FROM engine_waits")).rowCount)
      .toBe(1);
    await send("t/answer", { id: "2", text: "another's" });
    await send("t/other", { id: "1", text: "another" });
    await send("t/answer", { id: "1", text: "hello" });
    await expect
      .poll(async () => (await database.pool.query("SELECT 1 FROM engine_waits")).rowCount)
      .toBe(0);
    await send("t/answer", { id: "1", text: "too late" });
    expect(await ended("fake-wait")).toEqual([
      { status: "completed", output: { id: "1", text: "hello" } },
    ]);
    expect((await database.pool.query("SELECT 1 FROM engine_waits")).rowCount).toBe(0);
  });

  test("a wait that nobody answers ends with null", async () => {
    await start([
      testFunction(
        { id: "timeout", triggers: [{ event: "t/timeout" }] },
        async ({ event, step }) =>
          (await step.waitForEvent("answer", {
            event: "t/none",
            match: { field: "id", value: String(event.data.id) },
            timeoutSeconds: 1,
          })) ?? "nobody",
      ),
    ]);
    await send("t/timeout", { id: "1" });
    expect(await ended("fake-timeout")).toEqual([{ status: "completed", output: "nobody" }]);
  });

  test("an event that arrives while another step of the run works is not lost", async () => {
    let open: () => void = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    await start([
      testFunction({ id: "busy", triggers: [{ event: "t/busy" }] }, async ({ event, step }) => {
        const [answer] = await Promise.all([
          step.waitForEvent("answer", {
            event: "t/reply",
            match: { field: "id", value: String(event.data.id) },
            timeoutSeconds: 3600,
          }),
          step.run("slow", () => gate),
        ]);
        return answer?.data.text;
      }),
    ]);
    await send("t/busy", { id: "1" });
    await expect
      .poll(async () => (await database.pool.query("SELECT 1 FROM engine_waits")).rowCount)
      .toBe(1);
    await send("t/reply", { id: "1", text: "in time" });
    await expect
      .poll(
        async () => (await database.pool.query("SELECT 1 FROM engine_steps WHERE done")).rowCount,
      )
      .toBe(1);
    open();
    expect(await ended("fake-busy")).toEqual([{ status: "completed", output: "in time" }]);
  });

  test("an event read while a step's result is on its way does not end the run", async () => {
    const original = database.pool.query.bind(database.pool) as typeof database.pool.query;
    const read = Promise.withResolvers<void>();
    const spy = vi.spyOn(database.pool, "query").mockImplementation(async (...given: unknown[]) => {
      const { name } = given[0] as { name?: string };
      const result = await (original as (...all: unknown[]) => Promise<unknown>)(...given);
      if (name === "engine-steps") read.resolve();
      if (name === "engine-store-steps" && JSON.stringify(given).includes("look")) {
        await send("t/stopped", { id: "1" });
        await read.promise;
        // What was read is dealt with before the result is.
        await new Promise((resolve) => setImmediate(resolve));
      }
      return result;
    });
    try {
      await start([
        testFunction({ id: "look", triggers: [{ event: "t/look" }] }, async ({ step }) => {
          const [looked, stopped] = await step.askAndWait(
            { id: "look", work: () => "looked", awaits: () => true },
            "stopped",
            { event: "t/stopped", match: { field: "id", value: "1" }, timeoutSeconds: 3600 },
          );
          return [looked, stopped?.name, await step.run("after", () => "after")];
        }),
      ]);
      await send("t/look", { id: "1" });
      expect(await ended("fake-look")).toEqual([
        { status: "completed", output: ["looked", "t/stopped", "after"] },
      ]);
    } finally {
      spy.mockRestore();
    }
  });
});

test("cancelOn ends the matching run alone, after the running step", async () => {
  const seen: string[] = [];
  const gates = new Map<string, () => void>();
  await start([
    testFunction(
      {
        id: "cancel",
        triggers: [{ event: "t/cancel" }],
        cancelOn: [{ event: "t/stop", field: "id" }],
      },
      async ({ event, step }) => {
        await step.run("first", async () => {
          await new Promise<void>((resolve) => gates.set(String(event.data.id), resolve));
          seen.push(`first ${event.data.id}`);
        });
        await step.run("second", () => seen.push(`second ${event.data.id}`));
      },
    ),
  ]);
  await send("t/cancel", { id: "1" });
  await send("t/cancel", { id: "2" });
  await expect.poll(() => gates.size).toBe(2);
  await send("t/stop", { id: "1" });
  await expect
    .poll(
      async () =>
        (await database.pool.query("SELECT 1 FROM engine_runs WHERE status = 'cancelled'"))
          .rowCount,
    )
    .toBe(1);
  for (const open of gates.values()) open();
  await ended("fake-cancel", 2);
  await expect.poll(() => seen.length).toBe(3);
  expect(seen.sort()).toEqual(["first 1", "first 2", "second 2"]);
});

test("of one key no more runs work at once than its limit, none fewer, and all end", async () => {
  const working = new Map([
    ["a", 0],
    ["b", 0],
  ]);
  let most = 0;
  let open: () => void = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const count = (key: string, by: number) => {
    working.set(key, (working.get(key) ?? 0) + by);
    most = Math.max(most, ...working.values());
  };
  await start([
    testFunction(
      {
        id: "limited",
        triggers: [{ event: "t/limited" }],
        limits: [{ limit: 3, field: "account" }],
      },
      async ({ event, step }) => {
        await step.run("work", async () => {
          count(String(event.data.account), 1);
          // The first ones end together, so that three places go free at once.
          await gate;
          await database.pool.query("SELECT 1");
          count(String(event.data.account), -1);
        });
        if (Number(event.data.n) < 3)
          await step.run("again", () => database.pool.query("SELECT 1").then(() => null));
      },
    ),
  ]);
  for (let n = 0; n < 9; n++)
    for (const account of ["a", "b"]) await send("t/limited", { account, n });
  await expect.poll(() => [...working.values()]).toEqual([3, 3]);
  // Too young for the look for what was forgotten: each must be called by the one whose place it
  // takes.
  await database.pool.query("UPDATE engine_runs SET created_at = now() + interval '1 day'");
  open();
  await ended("fake-limited", 18);
  expect(most).toBe(3);
  expect(
    (await database.pool.query("SELECT 1 FROM engine_runs WHERE queued OR owner IS NOT NULL"))
      .rowCount,
  ).toBe(0);
});

test("a cron trigger fires once for its time at two processes, or all missed", async () => {
  const functions = [
    testFunction(
      { id: "tick", triggers: [{ cron: "* * * * *" }] },
      async ({ event }) => event.name,
    ),
  ];
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2030-01-01T00:00:30Z") });
  try {
    const watching = [await start(functions), await start(functions)];
    const beatAt = async (time: string) => {
      vi.setSystemTime(new Date(time));
      await Promise.all(watching.map((executor) => executor.beat()));
    };
    await beatAt("2030-01-01T00:00:59Z");
    await beatAt("2030-01-01T00:01:01Z");
    await beatAt("2030-01-01T00:01:59Z");
    await beatAt("2030-01-01T00:09:30Z");
  } finally {
    vi.useRealTimers();
  }
  const { rows } = await database.pool.query<{ id: string }>(
    "SELECT id FROM engine_events WHERE id LIKE '%2030-%' ORDER BY id",
  );
  expect(rows.map(({ id }) => id.slice(-24))).toEqual([
    "2030-01-01T00:01:00.000Z",
    "2030-01-01T00:09:00.000Z",
  ]);
  expect((await ended("fake-tick", 2))[0]).toEqual({
    status: "completed",
    output: "inngest/scheduled.timer",
  });
});

test("a stopped executor leaves too long a step to the next; its late result is void", async () => {
  let began = 0;
  let letGo: () => void = () => {};
  const hangs = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const functions = [
    testFunction({ id: "long", triggers: [{ event: "t/long" }] }, async ({ step }) =>
      step.run("long", async () => (++began === 1 ? hangs.then(() => "late") : "in time")),
    ),
  ];
  const first = await start(functions);
  await send("t/long");
  await expect.poll(() => began).toBe(1);
  await first.stop({ graceMs: 100 });
  await start(functions);
  expect(await ended("fake-long")).toEqual([{ status: "completed", output: "in time" }]);
  letGo();
  await expect
    .poll(async () => (await database.pool.query("SELECT data FROM engine_steps")).rows)
    .toEqual([{ data: '"in time"' }]);
});

test("a claim under way while its executor stops leaves no run, and begins none", async () => {
  let began = 0;
  const functions = [
    testFunction({ id: "late", triggers: [{ event: "t/late" }] }, async ({ step }) =>
      step.run("late", () => ++began),
    ),
  ];
  const query = database.pool.query.bind(database.pool) as (...given: unknown[]) => Promise<never>;
  let sent: () => void = () => {};
  const claiming = new Promise<void>((resolve) => {
    sent = resolve;
  });
  let letGo: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let isHolding = false;
  let underWay = 0;
  const spy = vi.spyOn(database.pool, "query").mockImplementation(async (...given: unknown[]) => {
    if (!JSON.stringify(given[0]).includes("engine_claim")) return query(...given);
    if (isHolding) {
      sent();
      await held;
    }
    underWay++;
    return query(...given).finally(() => {
      underWay--;
    });
  });
  const executor = await start(functions);
  // Those of the start are over: none of them takes up what comes now.
  await expect.poll(() => underWay).toBe(0);
  isHolding = true;
  await send("t/late");
  await claiming;
  const stopped = executor.stop({ graceMs: 5_000 });
  // As long as all else of a stop takes, several times over.
  setTimeout(letGo, 300);
  await stopped;
  await held;
  spy.mockRestore();
  await expect
    .poll(
      async () =>
        (
          await database.pool.query<{ owner: string | null }>(
            "SELECT owner FROM engine_runs WHERE status = 'active'",
          )
        ).rows,
    )
    .toEqual([{ owner: null }]);
  expect(began).toBe(0);
  await start(functions);
  await ended("fake-late");
  expect(began).toBe(1);
});

class RetryAfterError extends Error {
  override readonly name = "RetryAfterError";
}

test.each<[asked: string, said: RegExp, ask: (step: Steps) => Promise<unknown>]>([
  [
    "steps side by side",
    /parallel.*"one".*"two"/,
    (step) => Promise.all([step.run("one", () => 1), step.run("two", () => 2)]),
  ],
  [
    "a step beside one that has begun",
    /parallel.*"one".*"two"/,
    (step) =>
      Promise.all([
        step.run("one", () => new Promise<null>(() => {})),
        step.sleep("nap", 1_000).then(() => step.run("two", () => 2)),
      ]),
  ],
  [
    "an own pause after an error",
    /RetryAfterError/,
    (step) =>
      step.run("later", () => {
        throw new RetryAfterError("later");
      }),
  ],
])(
  "a run that asks for %s ends as failed, and says that this is not supported",
  async (_, said, ask) => {
    await start([
      testFunction(
        { id: "odd", triggers: [{ event: "t/odd" }], retries: 1 },
        async ({ step }) => void (await ask(step)),
      ),
    ]);
    await send("t/odd");
    expect(await ended("fake-odd")).toMatchObject([
      { status: "failed", output: { message: expect.stringMatching(said) } },
    ]);
  },
);

test("steps side by side are refused before either has begun", async () => {
  const begun: string[] = [];
  await start([
    testFunction({ id: "both", triggers: [{ event: "t/both" }] }, async ({ step }) => {
      const each = (name: string) => step.run(name, () => begun.push(name));
      return Promise.all([each("one"), each("two")]);
    }),
  ]);
  await send("t/both");
  await ended("fake-both");
  expect(begun).toEqual([]);
});

test("a process that drives nothing routes what it sends, and takes nothing", async () => {
  await database.pool.query("DELETE FROM engine_lanes");
  const functions = [
    testFunction({ id: "waits-for-a-worker", triggers: [{ event: "web/asked" }] }, async () => 7),
  ];
  const web = await start(functions, 10, false);
  await send("web/asked");
  await web.beat();
  await web.beat();
  const { rows } = await database.pool.query(
    `SELECT function_id, queued, owner, (SELECT array_agg(lane) FROM engine_lanes) AS lanes
     FROM engine_runs`,
  );
  expect(rows).toEqual([
    { function_id: "fake-waits-for-a-worker", queued: true, owner: null, lanes: ["common"] },
  ]);
  expect(engineState().waitingLanes).toEqual(["common"]);
  await start(functions);
  expect(await ended("fake-waits-for-a-worker")).toEqual([{ status: "completed", output: 7 }]);
});

const CALL = { event: "t/call", match: { field: "id", value: "it" }, timeoutSeconds: 3600 };

/** Has a run go on that waits for `CALL`, once no process keeps its function in memory any more. */
async function callAsleep(functionId: string): Promise<void> {
  await expect
    .poll(
      async () =>
        (
          await database.pool.query(
            `SELECT 1 FROM engine_runs r JOIN engine_waits w ON w.run_id = r.id
             WHERE r.function_id = $1 AND w.event = 't/call' AND r.owner IS NULL AND NOT r.queued`,
            [functionId],
          )
        ).rowCount,
      { interval: 20 },
    )
    .toBe(1);
  await send("t/call", { id: "it" });
}

test("a step that is named twice is made twice, and each finds what it gave", async () => {
  let times = 0;
  let calls = 0;
  await start([
    testFunction({ id: "again", triggers: [{ event: "t/again" }] }, async ({ step }) => {
      calls++;
      const both = [await step.run("same", () => ++times), await step.run("same", () => ++times)];
      await step.waitForEvent("calls", CALL);
      return both;
    }),
  ]);
  await send("t/again");
  await callAsleep("fake-again");
  expect(await ended("fake-again")).toEqual([{ status: "completed", output: [1, 2] }]);
  expect({ times, calls }).toEqual({ times: 2, calls: 2 });
});

test("a step's result and error are JSON's, whether it went on or was recalled", async () => {
  const seen: unknown[] = [];
  await start([
    testFunction({ id: "shape", triggers: [{ event: "t/shape" }] }, async ({ step }) => {
      const given: unknown = await step.run("give", () => ({ at: new Date(0), none: undefined }));
      const nothing: unknown = await step.run("nothing", () => undefined);
      const thrown: unknown = await step
        .run("throw", () => {
          throw new NonRetriableError("never");
        })
        .catch((error: unknown) => error instanceof Error && [error.name, error.message]);
      seen.push([given, nothing, thrown]);
      await step.waitForEvent("calls", CALL);
    }),
  ]);
  await send("t/shape");
  await callAsleep("fake-shape");
  await ended("fake-shape");
  const once = [{ at: "1970-01-01T00:00:00.000Z" }, null, ["NonRetriableError", "never"]];
  expect(seen).toEqual([once, once]);
});

test.each(["* * * * * *", "TZ=Europe/Berlin 5 * * * *"])(
  "a function whose time is %j is refused by name before any job is taken",
  async (cron) => {
    const functions = [testFunction({ id: "odd", triggers: [{ cron }] }, async () => {})];
    await expect(start(functions)).rejects.toThrow(/"fake-odd".*cron/);
  },
);
