import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { until } from "../support/until";
import { expect, test } from "./support/fault-test";
import { expectInvariants } from "./support/invariants";
import {
  approvedRun,
  consultingRun,
  firing,
  newConsultingAgent,
  newLeadingAgent,
  raisedFamily,
  raisedRun,
  superAgentRun,
} from "./support/kinds";
import { type Started, startRun, untilAsked, untilQuiet } from "./support/load";
import { askingRun, erasedPerson, followedRun, newAskingAgent } from "./support/spoken-kinds";
import type { World, WorldOptions } from "./support/world";

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
/** A schedule's clock strikes each minute. */
const PASSED_WITHIN_MS = 120_000;
const NAMES = [...LIST.matchAll(/^\s*"([a-z-]+\.[a-z-]+)",$/gm)].map(([, name]) => name ?? "");

/** It asks again for what got no answer. */
type Scenario = (world: World) => Promise<Started[]>;

/** What passes the places, by the first part of their names. */
const SCENARIOS: Record<string, Scenario> = {
  cancel: cancelledRun,
  approval: async (world) => [
    await approvedRun(world, await world.newAgent(world.account, "approval_required")),
  ],
  budget: async (world) => [await raisedRun(world, await world.newAgent())],
  child: runWithChild,
  message: async (world) => [await spokenToRun(world)],
  client: async (world) => [await consultingRun(world, await newConsultingAgent(world))],
  erase: async (world) => {
    await erasedPerson(world, await world.newAgent());
    return [];
  },
};

const familyRun: Scenario = async (world) => [
  await raisedFamily(world, await newLeadingAgent(world, await world.newAgent())),
];
const askedRun: Scenario = async (world) => [await askingRun(world, await newAskingAgent(world))];
const HELD = { holdAfter: 3, pieces: 6 };
const queuedRuns: Scenario = (world) => followedRun(world, "queue", {}, world.account, HELD);
const interruptingRuns: Scenario = (world) =>
  followedRun(world, "interrupt", {}, world.account, HELD);

/** Work of other kinds that passes the same places, each of which dies there once more. */
const MORE: [name: string, who: string, scenario: Scenario][] = [
  ["accept.committed:2", "a run that another one starts", familyRun],
  ["end.written", "a run that another one waits for", familyRun],
  ["end.committed", "a run that another one waits for", familyRun],
  ["budget.waiting", "a run whose limit is that of the one above it", familyRun],
  ["budget.asked", "a run whose limit is that of the one above it", familyRun],
  ["budget.raised", "a run whose limit is that of the one above it", familyRun],
  ["client.waiting", "a run that asks a person", askedRun],
  ["client.asked", "a run that asks a person", askedRun],
  ["message.accepted", "a run that asks a person", askedRun],
  ["accept.committed:2", "a run that waits for its conversation", queuedRuns],
  ["end.written", "a run for which another one waits", queuedRuns],
  ["end.committed", "a run for which another one waits", queuedRuns],
  ["accept.committed:2", "a run that interrupts another one", interruptingRuns],
  ["cancel.committed", "a run that interrupts another one", interruptingRuns],
  ["cancel.told", "a run that interrupts another one", interruptingRuns],
  [
    "accept.committed",
    "a schedule that is fired by the clock",
    async (world) => [await firing(world, await world.newAgent())],
  ],
  [
    "accept.committed",
    "a schedule that is fired by hand",
    async (world) => [await firing(world, await world.newAgent(), {}, world.account, "hand")],
  ],
];

test("the list of failpoints is found in the service's source", () => {
  expect(NAMES.length).toBeGreaterThan(15);
});

for (const name of NAMES) {
  // Two of them stand for all in the short form: a start that got no answer, and a charged turn
  // that the engine does not know of.
  const mark = name === "accept.committed" || name === "turn.stored" ? "@short " : "";
  test(`${mark}kill -9 at ${name}: after the next start all is as if nothing had happened`, async ({
    open,
  }) => dieOnce(open, name, SCENARIOS[name.split(".")[0] ?? ""] ?? runWithTool));
}

for (const [name, who, scenario] of MORE)
  test(`kill -9 at ${name} of ${who}: after the next start all is as if nothing happened`, async ({
    open,
  }) => dieOnce(open, name, scenario));

/** @param place a name, and the number of its passing where that is not the first */
async function dieOnce(
  open: (options: WorldOptions) => Promise<World>,
  place: string,
  work: Scenario,
): Promise<void> {
  const [name = ""] = place.split(":");
  const world = await open({ environment: { FAILPOINT: place } });
  const { service } = world.process(0);
  const scenario = work(world);
  scenario.catch(() => undefined); // told below
  const ended = await Promise.race([
    service.exited.then(() => true),
    failureOf(scenario),
    expired(PASSED_WITHIN_MS),
  ]);
  world.note(name);
  expect(ended, `nothing passed ${name}`).toBe(true);
  expect(readFileSync(service.logFile, "utf8")).toContain(`FAILPOINT ${name}:`);
  await world.restart(0, {});
  const runs = await scenario;
  await untilQuiet(world, QUIET_MS);
  await expectInvariants(world, runs);
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
  const input = `Say also ${run.key}.`;
  await until("the message to be taken", async () => {
    const answer = await world
      .api()
      .post(`/v1/runs/${run.runId}/messages`, { input }, { headers })
      .catch(() => null);
    return answer?.status === 202;
  });
  // It is held on its last answer: what was said has it take another turn.
  world.model.release(run.key);
  return { ...run, said: [input] };
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
  return [{ ...run, mayFail: true }];
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
