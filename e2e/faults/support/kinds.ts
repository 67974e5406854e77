import type { ApiResponse } from "../../support/api-client";
import { until } from "../../support/until";
import type { ModelPlan } from "./fault-model";
import type { LabAccount } from "./lab";
import { accept, newKey, type Started, startRun } from "./load";
import type { World } from "./world";

/**
 * The kinds of work that faults meet beside plain runs and runs with a tool. Each starts one and
 * does what its people and backends do, asking the next process where one does not answer; it
 * resolves once nobody else's help is wanted.
 */

/** Nobody is there for longer than a process, the database and both together are away. */
export const PATIENCE = { deadlineMs: 300_000, everyMs: 250 };
const CONSULT = {
  name: "consult",
  description: "Asks the caller.",
  input_schema: { type: "object" },
};
const DRAFT = {
  name: "Weather reporter",
  description: "Reports the weather from a file.",
  skill_content: "# Weather reporter\n\n1. Read the file.\n2. Report.",
  config: { version: 1 },
  write_autonomy: "approval_required",
};

/** A run that asks before its write; a person approves. */
export async function approvedRun(
  world: World,
  agentId: string,
  plan: ModelPlan = {},
  account = world.account,
): Promise<Started> {
  const run = await startRun(world, { account, agentId, ...plan, toolTurns: 1 });
  const approval = await answered(
    world,
    account,
    "the approval to be asked for",
    "GET",
    `/v1/approvals?run_id=${run.runId}`,
    (answer) => {
      const [first] = answer.as("ApprovalPage").data;
      return first ?? null;
    },
  );
  const path = `/v1/approvals/${approval.approval_id}/resolve`;
  await answered(
    world,
    account,
    "the approval to be decided",
    "POST",
    path,
    (answer) => answer.as("Approval").status === "approved",
    {
      decision: "approve",
      digest: approval.digest,
    },
  );
  return run;
}

/** An agent whose tool `consult` is carried out by its caller. */
export function newConsultingAgent(world: World, account = world.account): Promise<string> {
  return world.newAgent(account, "full_auto", { client: [CONSULT] });
}

/** A run that waits for its caller's tool. */
export async function consultingRun(
  world: World,
  agentId: string,
  plan: ModelPlan = {},
  account = world.account,
): Promise<Started> {
  const run = await startRun(world, {
    account,
    agentId,
    ...plan,
    toolTurns: 1,
    toolName: CONSULT.name,
    toolArgs: {},
  });
  const path = `/v1/runs/${run.runId}`;
  await until(
    "the results to be taken",
    async () => {
      const seen = await anyProcess(world, account, "GET", path);
      if (seen?.status !== 200) return false;
      const { requires_action: action, status } = seen.as("Run");
      if (action?.type !== "client_tool") return status === "completed";
      const results = action.calls.map(({ tool_call_id }) => ({ tool_call_id, output: "yes" }));
      await anyProcess(world, account, "POST", `${path}/tool-results`, { results });
      return false;
    },
    PATIENCE,
  );
  return run;
}

/** A call of 4.2 credits: the second one takes a run beyond a limit of 8. */
const DEAR: ModelPlan = { toolTurns: 2, usage: { input: 4_000, output: 100 } };
const LIMIT = 8;
/** Enough for what a fault has it pay again. */
const RAISED = 1_000;

/** A run that reaches its limit and is raised. */
export async function raisedRun(
  world: World,
  agentId: string,
  plan: ModelPlan = {},
  account = world.account,
): Promise<Started> {
  const run = await startRun(world, { account, agentId, ...plan, ...DEAR, limit: LIMIT });
  await untilRaised(world, run);
  return run;
}

/** An agent that may have another one, `agentId`, do something for it. */
export function newLeadingAgent(
  world: World,
  agentId: string,
  account = world.account,
): Promise<string> {
  const agents = [{ agent_id: agentId, name: "helper" }];
  return world.newAgent(account, "full_auto", { agents });
}

/** A run of an agent that has another one work, which reaches the limit of both; it is raised. */
export async function raisedFamily(
  world: World,
  leadingId: string,
  plan: ModelPlan = {},
  account = world.account,
): Promise<Started> {
  const childKey = newKey(world);
  world.model.plan(childKey, { ...plan, ...DEAR });
  const run = await startRun(world, {
    account,
    agentId: leadingId,
    ...plan,
    toolTurns: 1,
    toolName: "helper",
    toolArgs: { request: `Please answer. [[run:${childKey}]]` },
    limit: LIMIT,
  });
  await untilRaised(world, run);
  return { ...run, childKey };
}

/** Once raised, nobody asks again: it goes on by that alone. */
async function untilRaised(world: World, { account, runId }: Started): Promise<void> {
  const path = `/v1/runs/${runId}`;
  await until(
    "the raised run to go on",
    async () => {
      const seen = await anyProcess(world, account, "GET", path);
      if (seen?.status !== 200) return false;
      const { requires_action: action, status } = seen.as("Run");
      if (action?.type !== "budget") return status === "completed";
      const [low] = await world
        .query("SELECT 1 FROM runs WHERE id = $1 AND NOT max_is_raised", [runId])
        .catch(() => []);
      if (low) await anyProcess(world, account, "PATCH", path, { max_credits: RAISED });
      return false;
    },
    PATIENCE,
  );
}

/** A super-agent that has one agent run. */
export async function superAgentRun(
  world: World,
  agentId: string,
  plan: ModelPlan = {},
  account = world.account,
): Promise<Started> {
  const childKey = newKey(world);
  world.model.plan(childKey, plan);
  const toolArgs = { agent_id: agentId, input: { text: `Please answer. [[run:${childKey}]]` } };
  const run = await startRun(world, {
    account,
    path: "/v1/super-agent/runs",
    hasWebhook: false,
    toolTurns: 1,
    toolName: "run_agent",
    toolArgs,
  });
  return { ...run, childKey };
}

/** A creation in plain language. */
export async function build(world: World, account = world.account): Promise<Started> {
  const key = newKey(world);
  world.model.plan(key, { toolTurns: 1, toolName: "create_agent", toolArgs: DRAFT });
  const body = { input: `Make a weather reporter. [[run:${key}]]`, webhook_url: world.webhookUrl };
  let tries = 0;
  const runId = await until(
    `the creation ${key} to be accepted`,
    () => accept(world.api(tries++ % world.processes.length, account), "/v1/agents", key, body),
    PATIENCE,
  );
  return { key, runId, account, path: "/v1/runs", hasWebhook: true, isBuild: true };
}

/**
 * A schedule that comes due now, once, whoever is there to see it; or that is fired by hand, which
 * is asked for again until it is answered.
 */
export async function firing(
  world: World,
  agentId: string,
  plan: ModelPlan = {},
  account = world.account,
  by: "clock" | "hand" = "clock",
): Promise<Started> {
  const key = newKey(world);
  world.model.plan(key, plan);
  // Once a year: what fires it here is that its time is set.
  const body = {
    cron: "0 0 1 1 *",
    timezone: "UTC",
    input: { text: `Please answer. [[run:${key}]]` },
  };
  const path = `/v1/agents/${agentId}/schedules`;
  // Creations of schedules keep no key: one that a fault swallowed stands beside the one that is
  // used, and is not due for months.
  const { schedule_id: id } = await until(
    "the schedule to be made",
    async () => {
      const made = await anyProcess(world, account, "POST", path, body);
      return made?.status === 201 && made.as("Schedule");
    },
    PATIENCE,
  );
  const fire = () => anyProcess(world, account, "POST", `${path}/${id}/run`, {}, keyed(key));
  if (by === "hand")
    await until("the schedule to be fired", async () => (await fire())?.status === 202, PATIENCE);
  else
    await until(
      "the schedule's time to be set",
      () =>
        world
          .query("UPDATE schedules SET next_run_at = now() WHERE id = $1 RETURNING id", [id])
          .then(
            ([row]) => row,
            () => null,
          ),
      PATIENCE,
    );
  const row = await until(
    "the schedule to fire",
    () =>
      world.query<{ id: string }>("SELECT id FROM runs WHERE schedule_id = $1", [id]).then(
        ([first]) => first,
        () => null,
      ),
    PATIENCE,
  );
  return { key, runId: row.id, account, path: "/v1/runs", hasWebhook: false };
}

/** What has a request asked for again change nothing. */
export function keyed(key: string): Record<string, string> {
  return { "idempotency-key": key };
}

let turns = 0;

/** The answer of one of the processes, asked in turn; null where it gives none. */
export function anyProcess(
  world: World,
  account: LabAccount,
  method: string,
  path: string,
  json?: object,
  headers?: Record<string, string>,
): Promise<ApiResponse | null> {
  const api = world.api(turns++ % world.processes.length, account);
  const options = { json, ...(headers && { headers }), signal: AbortSignal.timeout(20_000) };
  return api.request(method, path, options).catch(() => null);
}

/** What `read` finds in an answer of 200, asked again until it finds something. */
function answered<T>(
  world: World,
  account: LabAccount,
  what: string,
  method: string,
  path: string,
  read: (answer: ApiResponse) => T | null | false,
  json?: object,
): Promise<T> {
  const probe = async () => {
    const answer = await anyProcess(world, account, method, path, json);
    return answer?.status === 200 && read(answer);
  };
  return until(what, probe, PATIENCE);
}
