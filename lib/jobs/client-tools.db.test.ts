import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createAccount } from "@/lib/domain/account/create-account";
import { insertAgent } from "@/lib/domain/agents/insert-agent";
import { listApprovals } from "@/lib/domain/approvals/list-approvals";
import { resolveApproval } from "@/lib/domain/approvals/resolve-approval";
import { type Principal, systemPrincipal } from "@/lib/domain/principal";
import { cancelRun } from "@/lib/domain/runs/cancel-run";
import { requestRun } from "@/lib/domain/runs/request-run";
import { getRun, type RunView } from "@/lib/domain/runs/run-view";
import { submitToolResults } from "@/lib/domain/runs/submit-tool-results";
import { createSecret } from "@/lib/domain/secrets/create-secret";
import { openDomainDatabase } from "@/lib/domain/test/domain-database";
import { startEmbeddedExecutor } from "@/lib/engine/embedded/start-embedded-executor";
import { functions } from "@/lib/jobs/functions";
import { startScriptedModel } from "@/lib/jobs/test/scripted-model";
import type { AgentConfig } from "@/lib/model/agent-config/agent-config-schema";
import { isTerminal } from "@/lib/model/run/run-status";
import { newId } from "@/lib/platform/ids";
import { postgres, transaction } from "@/lib/platform/postgres";

const model = await startScriptedModel();
const database = await openDomainDatabase({
  env: {
    OPENAI_COMPATIBLE_BASE_URL: model.baseUrl,
    OPENAI_COMPATIBLE_MODELS: "scripted",
    LOG_LEVEL: "error",
    ENCRYPTION_KEYS: JSON.stringify([{ id: "k1", key: Buffer.alloc(32, 7).toString("base64") }]),
  },
});

const ORDER = {
  type: "object",
  properties: { order: { type: "string" } },
  required: ["order"],
  additionalProperties: false,
};
const CLIENT = [
  { name: "find_order", description: "Finds an order.", input_schema: ORDER },
  { name: "cancel_order", description: "Cancels an order.", input_schema: ORDER },
];
const FIND = { id: "call-find", name: "find_order", args: { order: "4711" } };
const CANCEL = { id: "call-cancel", name: "cancel_order", args: { order: "4712" } };

let executor: Awaited<ReturnType<typeof startExecutor>>;
let owner: Principal;

function startExecutor() {
  return startEmbeddedExecutor({ functions, pool: postgres(), concurrency: 10 });
}

beforeAll(async () => {
  executor = await startExecutor();
});

afterAll(async () => {
  await executor.stop({ graceMs: 1_000 });
  await model.close();
  await database.close();
});

beforeEach(async () => {
  owner = await newOwner();
  model.seen.length = 0;
});

async function newOwner(): Promise<Principal> {
  const { accountId } = await createAccount({
    email: `${newId()}@example.test`,
    password: null,
    credits: 10_000,
  });
  return systemPrincipal(accountId);
}

/**
 * A run of an agent with the client tools, whose model makes these calls and then says that it is
 * done.
 */
async function start(
  calls: { id: string; name: string; args: unknown }[],
  config: Omit<AgentConfig, "version"> = {},
): Promise<string> {
  const agentId = newId();
  const draft = {
    name: "A",
    description: null,
    skillContent: "# A",
    config: { version: 1 as const, tools: { builtin: [], client: CLIENT }, ...config },
    configContent: "version: 1\n",
    keyOrder: null,
    dashboardTemplate: null,
    writeAutonomy: "blocked" as const,
  };
  await transaction((tx) =>
    insertAgent(
      tx,
      { agentId, accountId: owner.accountId, runId: newId(), version: "1.0.0", releaseNote: null },
      draft,
    ),
  );
  model.play([{ calls }, { text: "Done." }]);
  const request = {
    agentId,
    input: { text: "go" },
    conversationId: null,
    workspaceId: null,
    webhookUrl: null,
    shouldNotify: false,
    model: null,
    metadata: {},
    maxCreditsMicros: null,
  };
  // Without an idempotency key there is no replay.
  return ((await requestRun(owner, "agent", request)) as RunView).id;
}

const until = <T>(look: () => Promise<T | false | null | undefined>) =>
  vi.waitUntil(look, { timeout: 60_000, interval: 20 });

const waiting = (runId: string) =>
  until(async () => {
    const { requiresAction } = await getRun(owner, runId);
    return requiresAction?.type === "client_tool" && requiresAction.calls;
  });

const ended = (runId: string) =>
  until(async () => {
    const run = await getRun(owner, runId);
    return isTerminal(run.status) && run;
  });

const found = { toolCallId: FIND.id, succeeded: true, output: { status: "shipped" } };
const failed = {
  toolCallId: CANCEL.id,
  succeeded: false,
  output: { error: "It has left the house." },
};

/** What the model was told about its calls. */
const told = () =>
  (model.seen.at(-1)?.messages ?? [])
    .filter(({ role }) => role === "tool")
    .map(({ content }) => content);

async function events(runId: string): Promise<{ type: string }[]> {
  const { rows } = await postgres().query<{ lines: string }>(
    "SELECT lines::text AS lines FROM run_events WHERE run_id = $1 ORDER BY 1",
    [runId],
  );
  return rows.map(({ lines }) => ({ type: lines }));
}

test("a run waits with its client tools' calls, and goes on with those posted", async () => {
  const runId = await start([FIND]);
  expect(await waiting(runId)).toEqual([
    { tool_call_id: FIND.id, name: "find_order", arguments: { order: "4711" } },
  ]);
  expect(model.seen).toHaveLength(1);
  const run = await submitToolResults(owner, runId, [found]);
  expect(run.requiresAction).toBeNull();
  expect(await ended(runId)).toMatchObject({
    status: "completed",
    result: { text: "Done." },
    requiresAction: null,
  });
  expect(told()).toEqual(['{"status":"shipped"}']);
});

test("a turn's calls are asked together; each is answered, the last lets it go on", async () => {
  const runId = await start([FIND, CANCEL]);
  expect((await waiting(runId)).map(({ tool_call_id }) => tool_call_id)).toEqual([
    FIND.id,
    CANCEL.id,
  ]);
  const half = await submitToolResults(owner, runId, [failed]);
  expect(half.requiresAction).toEqual({
    type: "client_tool",
    calls: [{ tool_call_id: FIND.id, name: "find_order", arguments: { order: "4711" } }],
  });
  expect(model.seen).toHaveLength(1);
  await submitToolResults(owner, runId, [found]);
  expect((await ended(runId)).status).toBe("completed");
  expect(told()).toEqual(['{"status":"shipped"}', '{"error":"It has left the house."}']);
});

test("an unknown or answered call is refused, and nothing of such a post is taken", async () => {
  const runId = await start([FIND, CANCEL]);
  await waiting(runId);
  await expect(
    submitToolResults(owner, runId, [found, { ...failed, toolCallId: "no-such-call" }]),
  ).rejects.toMatchObject({
    code: "CONFLICT",
  });
  expect(await waiting(runId)).toHaveLength(2);
  await submitToolResults(owner, runId, [found]);
  const other = { ...found, output: "another" };
  await expect(submitToolResults(owner, runId, [other])).rejects.toMatchObject({
    code: "CONFLICT",
  });
  await expect(submitToolResults(owner, runId, [other, failed])).rejects.toMatchObject({
    code: "CONFLICT",
  });
  expect((await waiting(runId)).map(({ tool_call_id }) => tool_call_id)).toEqual([CANCEL.id]);
  await submitToolResults(owner, runId, [failed]);
  await ended(runId);
  expect(told()[0]).toBe('{"status":"shipped"}');
  await expect(submitToolResults(owner, runId, [found])).rejects.toMatchObject({
    code: "CONFLICT",
  });
});

test("of many posts of one result at once, one is taken", async () => {
  const runId = await start([FIND]);
  await waiting(runId);
  const posts = Array.from({ length: 8 }, (_, index) =>
    submitToolResults(owner, runId, [{ ...found, output: index }]),
  );
  const outcomes = await Promise.allSettled(posts);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  await ended(runId);
  expect(told()).toEqual([String(outcomes.findIndex(({ status }) => status === "fulfilled"))]);
});

test("a call that nobody carries out in time counts as failed, and the run goes on", async () => {
  const runId = await start([FIND], { limits: { approval_timeout_seconds: 1 } });
  await waiting(runId);
  expect((await ended(runId)).status).toBe("completed");
  expect(told()[0]).toMatch(/gave no result in time/);
  await expect(submitToolResults(owner, runId, [found])).rejects.toMatchObject({
    code: "CONFLICT",
  });
});

test("where the result is needed the run fails with APPROVAL_EXPIRED by name", async () => {
  const runId = await start([FIND], { limits: { approval_timeout_seconds: 1, max_steps: 1 } });
  const run = await ended(runId);
  expect(run).toMatchObject({ status: "failed", error: { code: "APPROVAL_EXPIRED" } });
  expect(run.error?.message).toContain("find_order");
});

test("the time for which a run waits does not count against its time limit", async () => {
  const runId = await start([FIND], { limits: { timeout_seconds: 2 } });
  await waiting(runId);
  await postgres().query(
    "UPDATE client_tool_calls SET created_at = created_at - interval '1 hour' WHERE run_id = $1",
    [runId],
  );
  await postgres().query(
    "UPDATE runs SET started_at = started_at - interval '1 hour' WHERE id = $1",
    [runId],
  );
  await submitToolResults(owner, runId, [found]);
  expect((await ended(runId)).status).toBe("completed");
});

test("a cancelled run takes no results", async () => {
  const runId = await start([FIND]);
  await waiting(runId);
  expect((await cancelRun(owner, runId)).run).toMatchObject({
    status: "cancelled",
    requiresAction: null,
  });
  await expect(submitToolResults(owner, runId, [found])).rejects.toMatchObject({
    code: "CONFLICT",
  });
});

test("another account's run is not there", async () => {
  const runId = await start([FIND]);
  await waiting(runId);
  const stranger = await newOwner();
  await expect(submitToolResults(stranger, runId, [found])).rejects.toMatchObject({
    code: "RUN_NOT_FOUND",
  });
  expect(await waiting(runId)).toHaveLength(1);
  await cancelRun(owner, runId);
});

test("arguments that do not fit the tool's schema never reach the caller", async () => {
  const runId = await start([{ ...FIND, args: { order: 4711 } }]);
  expect((await ended(runId)).status).toBe("completed");
  expect(told()[0]).toMatch(/do not fit/);
  const { rowCount } = await postgres().query("SELECT 1 FROM client_tool_calls WHERE run_id = $1", [
    runId,
  ]);
  expect(rowCount).toBe(0);
});

test("a client tool under permissions.ask is approved first, denied never", async () => {
  const runId = await start([FIND], { permissions: { ask: ["find_order"] } });
  const approval = await until(
    async () =>
      (await listApprovals(owner, { limit: 10, cursor: null, statuses: ["pending"], runId }))
        .data[0] ?? null,
  );
  expect(approval.shown?.tool_kind).toBe("client");
  await resolveApproval(owner, approval.id, "approve", null);
  await waiting(runId);
  await submitToolResults(owner, runId, [found]);
  expect((await ended(runId)).status).toBe("completed");
  const denied = await start([FIND], { permissions: { deny: ["find_order"] } });
  expect((await ended(denied)).status).toBe("completed");
});

test("a secret that the caller sends back is not shown to the model", async () => {
  await createSecret(owner, {
    name: "CRM_KEY",
    value: "sk-very-secret-4711",
    description: null,
    allowedHosts: ["crm.example.test"],
  });
  const runId = await start([FIND]);
  await waiting(runId);
  await submitToolResults(owner, runId, [{ ...found, output: { seen: "sk-very-secret-4711" } }]);
  await ended(runId);
  expect(JSON.stringify(told())).not.toContain("sk-very-secret-4711");
});

test("the log shows which tools are asked for, not their inputs or answers", async () => {
  const runId = await start([FIND]);
  await waiting(runId);
  await submitToolResults(owner, runId, [found]);
  await ended(runId);
  const log = JSON.stringify(await events(runId));
  expect(log).toContain("client_tool.requested");
  expect(log).not.toContain("4711");
  expect(log).not.toContain("shipped");
});
