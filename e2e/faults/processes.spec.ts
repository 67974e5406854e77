import { hasInngest } from "../support/inngest-server-of";
import { until } from "../support/until";
import { expect, skipWithInngest, test } from "./support/fault-test";
import { expectInvariants } from "./support/invariants";
import { type Started, startRun, startRuns, untilAsked, untilQuiet } from "./support/load";
import type { World } from "./support/world";

/** A process that gives no sign of life has lost its runs after this time. */
const TAKE_OVER_MS = 15_000;

/**
 * An Inngest server's calls are signed with the second, and five minutes later they are refused.
 */
const CLOCK_SHIFT_MS = hasInngest ? 240_000 : 600_000;

const pause = (milliseconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** The runs of which the model was asked by more than one process: asked again since `at`. */
async function untilAskedAgain(world: World, runs: Started[], deadlineMs: number): Promise<void> {
  await until(
    "the runs to be taken over",
    async () => runs.every(({ key }) => world.model.callsOf(key).length > 1),
    { deadlineMs },
  );
}

test("@short runs in good weather end once, each with its webhook, and all sums agree", async ({
  open,
}) => {
  const world = await open({ processes: 2 });
  const agentId = await world.newAgent();
  const runs = [
    ...(await startRuns(world, 6, { pieceMs: 5 })),
    ...(await startRuns(world, 6, { agentId, toolTurns: 2 })),
  ];
  await untilQuiet(world);
  await expectInvariants(world, runs, { explains: [] });
});

test("@short kill -9 of one of two processes amid its model calls: each run ends once", async ({
  open,
}) => {
  const world = await open({ processes: 1 });
  const runs = await startRuns(world, 6, { holdAfter: 3, pieces: 6 });
  await untilAsked(world, runs);
  await world.addProcess();
  await world.kill(0);
  await untilAskedAgain(world, runs, TAKE_OVER_MS * 4);
  world.model.release(...runs.map(({ key }) => key));
  await untilQuiet(world);
  await expectInvariants(world, runs);
});

test("a process stopped for 20 s has lost its runs after 15 s, and wakes harmless", async ({
  open,
}) => {
  const world = await open({ processes: 1 });
  // Held in the middle: both processes have an answer of their own to tell.
  const runs = await startRuns(world, 5, { holdAfter: 4, pieces: 8 });
  await untilAsked(world, runs);
  await world.addProcess();
  world.freeze(0);
  world.takeOut(0);
  const stoppedAt = Date.now();
  await untilAskedAgain(world, runs, TAKE_OVER_MS);
  console.log(`  measured: taken over after ${Date.now() - stoppedAt} ms`);
  await pause(20_000 - (Date.now() - stoppedAt));
  // The one that wakes reads its whole answer, and would store and tell it.
  world.model.release(...runs.map(({ key }) => key));
  world.thaw(0);
  await untilQuiet(world);
  const later = await startRuns(world, 4);
  await untilQuiet(world);
  // What it does when it wakes it does within its first seconds.
  await pause(5_000);
  await expectInvariants(world, [...runs, ...later]);
});

test("a process that wakes to an answer already told charges and changes nothing", async ({
  open,
}) => {
  const world = await open({ processes: 1 });
  const runs = await startRuns(world, 3, { holdAfter: 4, pieces: 8 });
  await untilAsked(world, runs);
  await world.addProcess();
  world.freeze(0);
  world.takeOut(0);
  await untilAskedAgain(world, runs, TAKE_OVER_MS * 4);
  world.model.release(...runs.map(({ key }) => key));
  await untilQuiet(world);
  const charged = await world.query(
    "SELECT run_id, step_key, credits_micros FROM run_usage ORDER BY 1, 2",
  );
  world.thaw(0);
  await pause(8_000);
  expect(
    await world.query("SELECT run_id, step_key, credits_micros FROM run_usage ORDER BY 1, 2"),
  ).toEqual(charged);
  await expectInvariants(world, runs);
});

test("ten deaths of the process in one run fail it and free its holds; others complete", async ({
  open,
}) => {
  test.setTimeout(600_000);
  const world = await open();
  const poison = await startRun(world, { holdAfter: 2, pieces: 6 });
  const conversation = async () => {
    const [row] = await world.query<{ id: string }>(
      "SELECT conversation_id AS id FROM runs WHERE id = $1",
      [poison.runId],
    );
    return row?.id ?? "";
  };
  for (let death = 1; death <= 12; death++) {
    const isOver = async () =>
      (
        await world.query("SELECT 1 FROM runs WHERE id = $1 AND completed_at IS NOT NULL", [
          poison.runId,
        ])
      ).length > 0;
    const isAsked = () => world.model.callsOf(poison.key).length >= death;
    await until("the run to be taken up again, or to end", async () => isAsked() || isOver(), {
      deadlineMs: 120_000,
    });
    if (await isOver()) break;
    await world.kill(0);
    await world.restart(0);
  }
  await untilQuiet(world, 150_000);
  const [row] = await world.query<{ status: string }>("SELECT status FROM runs WHERE id = $1", [
    poison.runId,
  ]);
  expect(row?.status).toBe("failed");
  const next = await startRun(world, { conversationId: await conversation() });
  await untilQuiet(world);
  await expectInvariants(world, [poison, next], { mayFail: [poison] });
});

test("a clock ten minutes off at one of two processes ends no run early, in order", async ({
  open,
}) => {
  const world = await open({ processes: 2, clockShifts: [CLOCK_SHIFT_MS, -CLOCK_SHIFT_MS] });
  const apart = await startRuns(world, 8, { pieces: 20, pieceMs: 50 });
  const first = await startRun(world, { processes: [0] });
  await untilQuiet(world);
  const [row] = await world.query<{ id: string }>(
    "SELECT conversation_id AS id FROM runs WHERE id = $1",
    [first.runId],
  );
  const conversation: Started[] = [first];
  // By turns at the one whose clock is ahead and the one whose is behind.
  for (let turn = 1; turn <= 4; turn++) {
    conversation.push(
      await startRun(world, { conversationId: row?.id ?? "", processes: [turn % 2] }),
    );
    await untilQuiet(world);
  }
  const last = world.model.callsOf(conversation.at(-1)?.key ?? "")[0];
  const asked = JSON.stringify(last?.messages.filter(({ role }) => role === "user"));
  const order = [...asked.matchAll(/\[\[run:([a-z0-9-]+)\]\]/g)].map(([, key]) => key);
  expect.soft(order).toEqual(conversation.map(({ key }) => key));
  await expectInvariants(world, [...apart, ...conversation], { explains: [] });
});

test("500 runs of one account on four places begin in the order in which they came", async ({
  open,
}) => {
  skipWithInngest("the order of starts is the executor's; its server has a queue of its own");
  test.setTimeout(600_000);
  const world = await open({
    environment: { WORKER_CONCURRENCY: "4", RUNS_AT_WORK_PER_ACCOUNT: "4" },
  });
  const runs: Started[] = [];
  // Long enough in all for what looks after lost runs to come by some times.
  for (let index = 0; index < 500; index++)
    runs.push(await startRun(world, { pieces: 6, pieceMs: 120, hasWebhook: false }));
  await untilQuiet(world, 400_000);
  const begun = world.model.calls.map(({ key }) => key);
  const late = runs.map(({ key }, index) => Math.abs(begun.indexOf(key) - index));
  // Four at once may overtake each other, and no more.
  expect(Math.max(...late)).toBeLessThan(8);
  await expectInvariants(world, runs, { explains: [] });
});

test("an account whose runs and hung deliveries take every place delays no other account", async ({
  open,
}) => {
  const world = await open({ environment: { WORKER_CONCURRENCY: "8" } });
  const greedy = await startRuns(world, 30, { holdAfter: 1 });
  const other = world.otherAccount;
  const run = await startRun(world, { account: other });
  const cancelled = await startRun(world, { account: other, holdAfter: 1 });
  await untilAsked(world, [run, cancelled]);
  await world.api(0, other).post(`/v1/runs/${cancelled.runId}/cancel`);
  const arrived = ({ runId }: Started) => world.receiver.hooks.some((hook) => hook.runId === runId);
  await until("the other account's webhooks", async () => arrived(run) && arrived(cancelled));
  world.model.release(...greedy.map(({ key }) => key));
  await untilQuiet(world);
  await expectInvariants(world, [...greedy, run, cancelled], {
    explains: [],
    mayFail: [cancelled],
  });
});
