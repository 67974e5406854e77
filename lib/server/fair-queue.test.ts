import { expect, test } from "vitest";
import type { Timer } from "@/lib/server/body-guard";
import { FairQueue, type FairQueueLimits } from "@/lib/server/fair-queue";

/** Rests end at once: what is counted here is the order alone. */
const atOnce: Timer = (_ms, work) => {
  work();
  return () => {};
};

function queueOf({ each = 2, ...limits }: Partial<FairQueueLimits> = {}) {
  let now = 0;
  const queue = new FairQueue(
    { total: 6, each, alone: each, waitingEach: 1_000, ...limits },
    () => now,
    atOnce,
  );
  const pass = (ms: number) => {
    now += ms;
  };
  const started: string[] = [];
  const leaves = new Map<string, () => void>();
  const enter = (client: string, name: string, { cost = 1, shared = true } = {}) => {
    const leave = queue.enter({ client, cost, shared, start: () => void started.push(name) });
    if (leave) leaves.set(name, leave);
    return leave !== null;
  };
  return { started, enter, pass, leave: (name: string) => leaves.get(name)?.() };
}

test("however many requests a client has open, its few places precede another's", () => {
  for (const open of [10, 1_000]) {
    const { started, enter } = queueOf();
    for (let n = 0; n < open; n++) enter("a", `a${n}`);
    enter("b", "b");
    expect(started).toEqual(["a0", "a1", "b"]);
  }
});

test("a client alone has more in work; after another's request few, for ten seconds", () => {
  const { started, enter, leave, pass } = queueOf({ total: 9, alone: 5 });
  for (let n = 0; n < 20; n++) enter("a", `a${n}`);
  expect(started).toEqual(["a0", "a1", "a2", "a3", "a4"]);
  enter("b", "b0");
  expect(started.at(-1)).toBe("b0");
  leave("b0");
  for (let n = 0; n < 3; n++) leave(`a${n}`);
  expect(started.slice(6)).toEqual([]);
  leave("a3");
  expect(started.slice(6)).toEqual(["a5"]);
  pass(10_000);
  leave("a4");
  expect(started.slice(6)).toEqual(["a5", "a6"]);
  pass(1);
  leave("a5");
  expect(started.slice(6)).toEqual(["a5", "a6", "a7", "a8", "a9", "a10"]);
});

test("what costs more takes no more places of a client that is alone", () => {
  const { started, enter } = queueOf({ alone: 6, total: 12 });
  for (const n of [0, 1]) enter("a", `page${n}`, { cost: 2 });
  expect(started).toEqual(["page0"]);
  const calls = queueOf({ alone: 6, total: 12 });
  for (let n = 0; n < 9; n++) calls.enter("a", `call${n}`);
  expect(calls.started).toHaveLength(6);
});

test("a lone client's page comes in beside its calls, and keeps none waiting", () => {
  const { started, enter } = queueOf({ alone: 6, total: 12 });
  for (let n = 0; n < 3; n++) enter("a", `call${n}`);
  enter("a", "page", { cost: 2 });
  enter("a", "call3");
  expect(started).toEqual(["call0", "call1", "call2", "page", "call3"]);
});

test("when all places are taken the clients come in turn, whoever waits with more", () => {
  const { started, enter, leave } = queueOf({ total: 2 });
  for (let n = 0; n < 100; n++) enter("a", `a${n}`);
  for (const client of ["b", "c"]) for (const n of [0, 1]) enter(client, `${client}${n}`);
  for (let n = 0; n < 6; n++) leave(started[n] ?? "");
  expect(started).toEqual(["a0", "a1", "b0", "c0", "a2", "b1", "c1", "a3"]);
});

test("a client's requests are started in order, but those that gave up waiting", () => {
  const { started, enter, leave } = queueOf({ each: 1 });
  for (const name of ["first", "second", "third"]) enter("a", name);
  leave("second");
  leave("second");
  leave("first");
  expect(started).toEqual(["first", "third"]);
});

test("what costs more takes more places, and goes in alone when it costs more than all", () => {
  const { started, enter, leave } = queueOf({ each: 4 });
  enter("a", "small");
  enter("a", "page", { cost: 4 });
  enter("a", "behind it");
  expect(started).toEqual(["small"]);
  leave("small");
  expect(started).toEqual(["small", "page"]);
  leave("page");
  expect(started).toEqual(["small", "page", "behind it"]);
  const huge = queueOf({ total: 2, each: 1 });
  huge.enter("a", "huge", { cost: 9 });
  expect(huge.started).toEqual(["huge"]);
});

test("slow senders of many clients take no place of all: the next client is let in", () => {
  const { started, enter } = queueOf({ total: 2 });
  for (let n = 0; n < 50; n++) enter(`slow${n}`, `slow${n}`, { shared: false });
  enter("b", "b");
  expect(started.at(-1)).toBe("b");
});

test("a client's waiting is bounded, and its end makes room again", () => {
  const { enter, leave } = queueOf({ each: 1, waitingEach: 2 });
  expect([
    enter("a", "1"),
    enter("a", "2"),
    enter("a", "3"),
    enter("a", "4"),
    enter("b", "1b"),
  ]).toEqual([true, true, true, false, true]);
  leave("1");
  expect(enter("a", "5")).toBe(true);
});

test("everything that entered is started and ends, in any order of endings", () => {
  const { started, enter, leave } = queueOf({ total: 5, each: 3 });
  const names = Array.from({ length: 300 }, (_, n) => `${n}`);
  for (const [n, name] of names.entries())
    enter(`client${n % 7}`, name, { cost: 1 + (n % 3), shared: n % 5 !== 0 });
  for (let n = 0; n < names.length; n++) leave(started[n] ?? "");
  expect([...started].sort()).toEqual([...names].sort());
});

test("a client that floods beside another rests as long as each request took, alone not", () => {
  let now = 0;
  const due: { at: number; work: () => void }[] = [];
  const timer = (ms: number, work: () => void) => {
    due.push({ at: now + ms, work });
    return () => {};
  };
  const pass = (ms: number) => {
    now += ms;
    for (const { work } of due.splice(0).filter((each) => each.at <= now || !due.push(each)))
      work();
  };
  const queue = new FairQueue(
    { total: 6, each: 1, alone: 1, waitingEach: 1_000 },
    () => now,
    timer,
  );
  const started: string[] = [];
  const enter = (client: string, name: string) =>
    queue.enter({ client, cost: 1, shared: true, start: () => void started.push(name) });
  const leaves = Array.from({ length: 40 }, (_, n) => enter("a", `a${n}`));
  pass(5);
  leaves[0]?.();
  expect(started).toEqual(["a0", "a1"]);
  enter("b", "b0")?.();
  pass(5);
  leaves[1]?.();
  expect(started).toEqual(["a0", "a1", "b0"]);
  pass(4);
  expect(started).toHaveLength(3);
  pass(1);
  expect(started.at(-1)).toBe("a2");
  pass(1_000);
  leaves[2]?.();
  expect(started.at(-1)).toBe("a3");
});
