import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { until } from "../support/until";
import { expect, test } from "./support/fault-test";
import { expectInvariants } from "./support/invariants";
import { newKey, type Started, startRun, untilAsked, untilQuiet } from "./support/load";
import type { World } from "./support/world";

const SOURCE = readFileSync(fileURLToPath(new URL("../../lib/platform/failpoint.ts", import.meta.url)), "utf8");
const LIST = /FAILPOINTS = \[([^\]]*)\]/.exec(SOURCE)?.[1] ?? "";
/** Far more than a start takes to find what the process before it left; the log of a run that was cancelled meanwhile is closed by the sweep of each minute. */
const QUIET_MS = 90_000;
const NAMES = [...LIST.matchAll(/^\s*"([a-z-]+\.[a-z-]+)",$/gm)].map(([, name]) => name ?? "");

/** What passes the places, by the first part of their names; it asks again for what got no answer. */
const SCENARIOS: Record<string, (world: World) => Promise<Started[]>> = {
  cancel: cancelledRun,
  approval: approvedRun,
  child: superAgentRun,
  client: runWithClientTool,
};

test("the list of failpoints is found in the service's source", () => {
  expect(NAMES.length).toBeGreaterThan(15);
});

for (const name of NAMES) {
  // Two of them stand for all in the short form: a start that got no answer, and a charged turn that the engine does not know of.
  const mark = name === "accept.committed" || name === "turn.stored" ? "@short " : "";
  test(`${mark}kill -9 at ${name}: after the next start all is as if nothing had happened`, async ({ open }) => {
    const world = await open({ environment: { FAILPOINT: name } });
    const { service } = world.process(0);
    const scenario = (SCENARIOS[name.split(".")[0] ?? ""] ?? runWithTool)(world);
    scenario.catch(() => undefined); // told below
    const ended = await Promise.race([service.exited.then(() => true), failureOf(scenario), expired(60_000)]);
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

async function approvedRun(world: World): Promise<Started[]> {
  const agentId = await world.newAgent(world.account, "approval_required");
  const run = await startRun(world, { agentId, toolTurns: 1 });
  await until("the approval to be decided", async () => {
    const answer = await world
      .api()
      .get("/v1/approvals", { query: { run_id: run.runId } })
      .catch(() => null);
    if (answer?.status !== 200) return false;
    const [approval] = answer.as("ApprovalPage").data;
    if (approval?.status !== "pending") return approval?.status === "approved";
    await world
      .api()
      .post(`/v1/approvals/${approval.approval_id}/resolve`, { decision: "approve" })
      .catch(() => null);
    return false;
  });
  return [run];
}

async function runWithClientTool(world: World): Promise<Started[]> {
  const consult = { name: "consult", description: "Asks the caller.", input_schema: { type: "object" } };
  const agentId = await world.newAgent(world.account, "full_auto", [consult]);
  const run = await startRun(world, { agentId, toolTurns: 1, toolName: "consult", toolArgs: {} });
  await until("the results to be taken", async () => {
    const answer = await world
      .api()
      .get(`/v1/runs/${run.runId}`)
      .catch(() => null);
    if (answer?.status !== 200) return false;
    const { requires_action: action, status } = answer.as("Run");
    if (action?.type !== "client_tool") return status === "completed";
    const results = action.calls.map(({ tool_call_id }) => ({ tool_call_id, output: "yes" }));
    await world
      .api()
      .post(`/v1/runs/${run.runId}/tool-results`, { results })
      .catch(() => null);
    return false;
  });
  return [run];
}

async function superAgentRun(world: World): Promise<Started[]> {
  const agentId = await world.newAgent();
  const childKey = newKey(world);
  world.model.plan(childKey, {});
  const toolArgs = { agent_id: agentId, input: { text: `Please answer. [[run:${childKey}]]` } };
  const parent = await startRun(world, { path: "/v1/super-agent/runs", hasWebhook: false, toolTurns: 1, toolName: "run_agent", toolArgs });
  await untilQuiet(world);
  // The call that starts it was made twice; the run is there once.
  expect(await world.query("SELECT 1 FROM runs WHERE parent_run_id = $1", [parent.runId])).toHaveLength(1);
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
