import { setTimeout as delay } from "node:timers/promises";
import { until } from "../support/until";
import { expect, test } from "./support/fault-test";
import { InngestStandIn } from "./support/inngest-stand-in";
import { startRun, untilQuiet } from "./support/load";
import type { World } from "./support/world";

/** Some of what a supervisor would need to restart a process, and long enough for every retry. */
const OUTAGE_MS = 45_000;
const TOLD_WITHIN_MS = 30_000;
const BACK_WITHIN_MS = 10_000;
const ASK_EVERY_MS = 250;

interface Ready {
  status: number;
  checks: Record<string, string>;
}

async function ready(world: World, index: number): Promise<Ready> {
  const response = await fetch(`${world.process(index).service.baseUrl}/api/ready`);
  const { checks } = (await response.json()) as { checks: Record<string, string> }; // as documented
  return { status: response.status, checks };
}

/** Asks whether each process lives, as a supervisor does, until it is stopped. */
function watchLife(world: World) {
  const answers: string[] = [];
  let isOver = false;
  const watch = async (index: number) => {
    while (!isOver) {
      const answer = await fetch(`${world.process(index).service.baseUrl}/api/health`, {
        signal: AbortSignal.timeout(5_000),
      }).then(
        ({ status }) => `${index}: ${status}`,
        (error: Error) => `${index}: ${error.message}`,
      );
      answers.push(answer);
      await delay(ASK_EVERY_MS);
    }
  };
  const watching = Promise.all(world.processes.map((_, index) => watch(index)));
  return async () => {
    isOver = true;
    await watching;
    return answers;
  };
}

/** Goes through an outage of what `/api/ready` calls by those names. */
async function expectOutage(
  world: World,
  names: string[],
  end: () => Promise<void>,
  begin: () => Promise<void>,
): Promise<void> {
  const pids = world.processes.map(({ service }) => service.pid);
  let ended = 0;
  for (const { service } of world.processes)
    void service.exited.then(() => {
      ended += 1;
    });
  const stopWatching = watchLife(world);
  const startedAt = Date.now();
  await end();
  const isTold = async ({ status, checks }: Ready) =>
    status === 503 && names.every((name) => checks[name] === "down");
  for (const index of world.processes.keys())
    await until("what is missing to be told", async () => isTold(await ready(world, index)), {
      everyMs: ASK_EVERY_MS,
      deadlineMs: TOLD_WITHIN_MS,
    });
  console.log(`  measured: told after ${Date.now() - startedAt} ms`);
  await delay(Math.max(0, OUTAGE_MS - (Date.now() - startedAt)));
  await begin();
  const backAt = Date.now();
  for (const index of world.processes.keys())
    await until("readiness", async () => (await ready(world, index)).status === 200, {
      everyMs: ASK_EVERY_MS,
      deadlineMs: BACK_WITHIN_MS,
    });
  console.log(`  measured: ready ${Date.now() - backAt} ms after the outage`);
  const answers = await stopWatching();
  expect(answers.length).toBeGreaterThan(100);
  expect([...new Set(answers)].sort()).toEqual(pids.map((_, index) => `${index}: 200`));
  expect(ended).toBe(0);
}

test("PostgreSQL's outage restarts nothing: it is told within 30 s, 10 s later over", async ({
  open,
}) => {
  const world = await open({ processes: 2 });
  await expectOutage(
    world,
    ["database"],
    () => world.cluster.stop(),
    () => world.cluster.start(),
  );
  await startRun(world);
  await untilQuiet(world);
});

test("an outage of Inngest restarts nothing: it is told within 30 s, and 10 s later over", async ({
  open,
}) => {
  const server = await InngestStandIn.start();
  try {
    const world = await open({ processes: 2, environment: server.environment });
    await expectOutage(
      world,
      ["engine", "registration"],
      () => server.goAway(),
      () => server.comeBack(),
    );
  } finally {
    await server.goAway();
  }
});
