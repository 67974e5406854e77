import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { until } from "../support/until";
import { expect, test } from "./support/fault-test";
import { expectInvariants } from "./support/invariants";
import {
  approvedRun,
  consultingRun,
  newConsultingAgent,
  raisedRun,
  superAgentRun,
} from "./support/kinds";
import { type Started, startRun, untilAsked, untilQuiet } from "./support/load";
import type { World } from "./support/world";

const SOURCE = readFileSync(
  fileURLToPath(new URL("../../lib/platform/failpoint.ts", import.meta.url)),
  "utf8",
);
const LIST = /FAILPOINTS = \[([^\]]*)\]/.exec(SOURCE)?.[1] ?? "";
/**
 * Far more than a start takes to find what the process before it left; the log of a run that was
 * cancelled meanwhile is closed by the sweep of each minute.
 */
const QUIET_MS = 90_000;
const NAMES = [...LIST.matchAll(/^\s*"([a-z-]+\.[a-z-]+)",$/gm)].map(([, name]) => name ?? "");

/**
 * What passes the places, by the first part of their names; it asks again for what got no answer.
 */
const SCENARIOS: Record<string, (world: World) => Promise<Started[]>> = {
  cancel: cancelledRun,
  approval: async (world) => [
    await approvedRun(world, await world.newAgent(world.account, "approval_required")),
  ],
  budget: async (world) => [await raisedRun(world, await world.newAgent())],
  child: runWithChild,
  message: async (world) => [await spokenToRun(world)],
  client: async (world) => [await consultingRun(world, await newConsultingAgent(world))],
};

test("the list of failpoints is found in the service's source", () => {
  expect(NAMES.length).toBeGreaterThan(15);
});

for (const name of NAMES) {
  // Two of them stand for all in the short form: a start that got no answer, and a charged turn
  // that the engine does not know of.
  const mark = name === "accept.committed" || name === "turn.stored" ? "@short " : "";
  test(`${mark}kill -9 at ${name}: after the next start all is as if nothing had happened`, async ({
    open,
  }) => {
    const world = await open({ environment: { FAILPOINT: name } });
    const { service } = world.process(0);
    const scenario = (SCENARIOS[name.split(".")[0] ?? ""] ?? runWithTool)(world);
    scenario.catch(() => undefined); // told below
    const ended = await Promise.race([
      service.exited.then(() => true),
      failureOf(scenario),
      expired(60_000),
    ]);
    world.note(name);
    expect(ended, `nothing passed ${name}`).toBe(true);
    expect(readFileSync(service.logFile, "utf8")).toContain(`FAILPOINT ${name}:`);
    await world.restart(0, {});
    const runs = await scenario;
    await untilQuiet(world, QUIET_MS);
    await expectInvariants(world, runs, { mayFail: name.startsWith("cancel.") ? runs : [] });
  });
}

async function runWithTool(world: World): Promise<Started[]> {
  const agentId = await world.newAgent();
  return [await startRun(world, { agentId, toolTurns: 1, pieces: 6, pieceMs: 30 })];
}

/** It is told something while it works; whoever had no answer says it again under the same key. */
async function spokenToRun(world: World): Promise<Started> {
  const agentId = await world.newAgent();
  const run = await startRun(world, {
    agentId,
    toolTurns: 2,
    holdAfter: 3,
    pieces: 6,
    pieceMs: 30,
  });
  await untilAsked(world, [run]);
  const headers = { "idempotency-key": run.runId };
  await until("the message to be taken", async () => {
    const answer = await world
      .api()
      .post(`/v1/runs/${run.runId}/messages`, { input: "Be brief." }, { headers })
      .catch(() => null);
    return answer?.status === 202;
  });
  return run;
}

async function cancelledRun(world: World): Promise<Started[]> {
  const run = await startRun(world, { holdAfter: 3, pieces: 6 });
  await untilAsked(world, [run]);
  await until("the cancel to be heard", async () => {
    const answer = await world
      .api()
      .post(`/v1/runs/${run.runId}/cancel`)
      .catch(() => null);
    return answer !== null && answer.status < 300;
  });
  return [run];
}

async function runWithChild(world: World): Promise<Started[]> {
  const parent = await superAgentRun(world, await world.newAgent());
  await untilQuiet(world);
  // The call that starts it was made twice; the run is there once.
  expect(
    await world.query("SELECT 1 FROM runs WHERE parent_run_id = $1", [parent.runId]),
  ).toHaveLength(1);
  return [parent];
}

/** Fails when `work` does, and never ends else. */
function failureOf(work: Promise<unknown>): Promise<never> {
  return work.then(() => new Promise<never>(() => undefined));
}

/** False, later: a deadline that ends what hangs. */
function expired(milliseconds: number): Promise<false> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds, false).unref());
}
