import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type EngineHost, embeddedHost, serverHost } from "@/lib/engine/conformance/engine-hosts";
import { conformanceFunctions, type Gates, Journal } from "@/lib/engine/conformance/functions";
import { newId } from "@/lib/platform/ids";

const engines: [string, () => Promise<EngineHost>][] = [
  ["the embedded executor", embeddedHost],
  // `npm run test:inngest`
  ...(process.env.INNGEST_SERVER
    ? [["an Inngest server", serverHost] satisfies [string, () => Promise<EngineHost>]]
    : []),
];

describe.each(engines)("%s", (name, open) => {
  let host: EngineHost;
  const journal = new Journal();
  const gates: Gates = new Map();

  beforeAll(async () => {
    host = await open();
    await host.start(conformanceFunctions(journal, gates));
  });
  afterAll(() => host.stop());

  const isEnd = (entry: string) => entry.startsWith("end");
  /** Sends the event, waits for the end of the run that it starts, and returns all that it did. */
  async function run(
    event: string,
    data: Record<string, unknown> = {},
    key = newId(),
  ): Promise<string[]> {
    await host.send(event, { ...data, key });
    return end(key);
  }
  async function end(key: string): Promise<string[]> {
    await expect.poll(() => journal.of(key).some(isEnd), { interval: 20 }).toBe(true);
    return journal.of(key);
  }
  /** All that a run of c/asks did, once it has done what stands after its wait. */
  async function whole(key: string): Promise<string[]> {
    await started(key, "after");
    return journal.of(key);
  }
  async function started(key: string, entry: string): Promise<void> {
    await expect.poll(() => journal.of(key), { interval: 20 }).toContain(entry);
  }
  async function openGate(key: string): Promise<void> {
    await expect.poll(() => gates.has(key), { interval: 20 }).toBe(true);
    gates.get(key)?.();
  }

  test("a run's steps are made once, in order, each with what those before it gave", async () => {
    expect(await run("c/steps")).toEqual([
      "turn-0",
      "turn-1",
      "turn-2",
      "turn-3",
      "turn-4",
      "end 10",
    ]);
  });

  test("an event sent twice under one id starts a function once", async () => {
    const key = newId();
    await Promise.all([host.send("c/steps", { key }, key), host.send("c/steps", { key }, key)]);
    await end(key);
    await host.send("c/steps", { key }, key);
    await run("c/steps");
    expect(journal.of(key).filter(isEnd)).toEqual(["end 10"]);
  });

  test("a step that fails is tried again, and those before it are not", async () => {
    expect(await run("c/flaky")).toEqual(["first", "flaky", "flaky", "flaky", "end"]);
  });

  test("a step that goes on failing ends the run; onFailure is told once", async () => {
    const key = newId();
    expect(await run("c/broken", {}, key)).toEqual(["broken", "broken", "end as broken as ever"]);
    await run("c/steps");
    expect(journal.of(key)).toHaveLength(3);
  });

  test("a run sleeps for the milliseconds that a step has chosen, not less", async () => {
    expect(await run("c/pauses")).toEqual(["end in time"]);
  });

  test("a run waits for the event that matches it, and for no other", async () => {
    const key = newId();
    await host.send("c/asks", { key, timeout: 300 });
    await started(key, "asked");
    await host.send("c/answered", { question: newId(), text: "another's" });
    await host.send("c/answered", { question: key, text: "yes" });
    expect(await whole(key)).toEqual(["asked", "end yes", "after"]);
  });

  test("an event that comes while the step beside the wait works is not lost", async () => {
    const key = newId();
    await host.send("c/asks", { key, timeout: 300, gate: true });
    await started(key, "asked");
    await host.send("c/answered", { question: key, text: "in time" });
    // Whatever the answer does to the run, it has been dealt with when a later event has.
    await run("c/steps");
    await openGate(key);
    expect(await whole(key)).toEqual(["asked", "end in time", "after"]);
  });

  test("a wait that nobody answers ends in its time", async () => {
    const key = newId();
    await host.send("c/asks", { key, timeout: 1 });
    expect(await whole(key)).toEqual(["asked", "end nobody", "after"]);
  });

  test("a wait that is not needed keeps no run from its end", async () => {
    const key = newId();
    await host.send("c/asks", { key, timeout: 300, known: true });
    expect(await whole(key)).toEqual(["asked", "end known", "after"]);
  });

  test("a step that fails for good beside its wait ends the run", async () => {
    expect(await run("c/asks", { timeout: 300, broken: true })).toEqual([
      "asked",
      "asked",
      "end as broken as ever",
    ]);
  });

  test("what follows a wait is made once, however close step and event end", async () => {
    const keys = Array.from({ length: 20 }, () => newId());
    await Promise.all(keys.map((key) => host.send("c/asks", { key, timeout: 300, gate: true })));
    for (const key of keys) await started(key, "asked");
    await Promise.all(
      keys.map(async (key) => {
        await Promise.all([openGate(key), host.send("c/answered", { question: key, text: "x" })]);
        await started(key, "after");
      }),
    );
    await run("c/steps");
    for (const key of keys) expect(journal.of(key)).toEqual(["asked", "end x", "after"]);
  });

  test("a run that is ended from outside starts no further step, and others go on", async () => {
    const [one, two] = [newId(), newId()];
    for (const key of [one, two]) await host.send("c/cancel", { key });
    for (const key of [one, two]) await started(key, "first");
    await host.send("c/cancelled", { key: one });
    // The engine has heard of it when it has dealt with what was sent later.
    await run("c/steps");
    for (const key of [one, two]) await openGate(key);
    expect(await end(two)).toEqual(["first", "end"]);
    await run("c/steps");
    expect(journal.of(one)).toEqual(["first"]);
  });

  test("of one value of each key no more work at once than its limit, and all end", async () => {
    const hosts = ["h1", "h2"];
    const runs = Array.from({ length: 12 }, (_, index) => ({
      key: newId(),
      account: `a${index % 6}`,
      host: hosts[index % 2] ?? "",
    }));
    const atWork = (value: string) =>
      journal.of(`${value} at work`).reduce((sum, sign) => sum + (sign === "+" ? 1 : -1), 0);
    const most = (value: string) => {
      let [now, top] = [0, 0];
      for (const sign of journal.of(`${value} at work`)) {
        now += sign === "+" ? 1 : -1;
        top = Math.max(top, now);
      }
      return top;
    };
    await Promise.all(runs.map((each) => host.send("c/in-turn", each)));
    // All places of both hosts are taken, and only those.
    await expect.poll(() => hosts.map(atWork), { interval: 20 }).toEqual([3, 3]);
    await run("c/steps");
    const isOver = () => runs.every(({ key }) => journal.of(key).some(isEnd));
    await expect
      .poll(
        () => {
          for (const { key } of runs) gates.get(key)?.();
          return isOver();
        },
        { interval: 20 },
      )
      .toBe(true);
    expect(hosts.map(most)).toEqual([3, 3]);
    for (const { account } of runs) expect(most(account)).toBeLessThanOrEqual(2);
  });

  test("a trigger's condition lets through what it names", async () => {
    const unwanted = newId();
    await host.send("c/kind", { kind: "other", key: unwanted });
    expect(await run("c/kind", { kind: "wanted" })).toEqual(["end"]);
    await run("c/steps");
    expect(journal.of(unwanted)).toEqual([]);
  });

  test("what a step gives comes back as it was, however large", async () => {
    expect(await run("c/large")).toEqual(['end 480000 [null,1.5,{"a":[]}]']);
  });

  test("a function with two triggers starts by its event", async () => {
    expect(await run("c/either")).toEqual(["end"]);
  });

  // The embedded executor's clock has a test of its own, by times that it is told.
  test.runIf(name === "an Inngest server")("and in its time", { timeout: 150_000 }, async () => {
    await expect
      .poll(() => journal.of("by the clock").length, { interval: 200, timeout: 120_000 })
      .toBeGreaterThan(0);
  });
});
