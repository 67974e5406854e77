import { admin } from "../support/admin";
import { ApiClient } from "../support/api-client";
import type { Schemas } from "../support/api-document";
import { expectError } from "../support/expect-answers";
import { toolResultOf } from "../support/model-script";
import { expectWholeLog, RunStream } from "../support/run-log";
import { startRun, waitForRun } from "../support/runs";
import { test as base, expect } from "../support/test";
import { until } from "../support/until";

type Run = Schemas["Run"];

const SCHEMA = { type: "object", properties: { order: { type: "string" } }, required: ["order"] };
const CLIENT = [
  { name: "find_order", description: "Finds an order by its number.", input_schema: SCHEMA },
];
const CALL = { id: "call-one", name: "find_order", args: { order: "4711" } };

/** Starts a run of an agent whose client tool is called, and gives it once it waits. */
const test = base.extend<{
  waiting: (limits?: Record<string, number>) => Promise<{ run: Run; told: () => Promise<string> }>;
}>({
  waiting: ({ api, newAgent, script }, use) =>
    use(async (limits = {}) => {
      const agent = await newAgent({
        autonomy: "blocked",
        config: { tools: { client: CLIENT }, limits },
      });
      const one = await script({ tool_calls: [CALL] }, { text: "It has been shipped." });
      const { run_id } = await startRun(api, {
        agent_id: agent.agent_id,
        input: { text: one.mark },
      });
      return {
        run: await waits(api, run_id),
        told: async () => toolResultOf((await one.calls()).at(-1)),
      };
    }),
});

function waits(api: ApiClient, runId: string): Promise<Run> {
  return until("the run to wait for results", async () => {
    const run = (await api.get(`/v1/runs/${runId}`)).as("Run");
    return run.requires_action?.type === "client_tool" && run;
  });
}

const post = (api: ApiClient, runId: string, ...results: object[]) =>
  api.post(`/v1/runs/${runId}/tool-results`, { results });
const found = { tool_call_id: CALL.id, output: { status: "shipped" } };

test("a client tool's call is answered by the caller, and the run goes on with the answer", async ({
  api,
  waiting,
}) => {
  const { run, told } = await waiting();
  expect(run).toMatchObject({
    status: "running",
    requires_action: {
      type: "client_tool",
      calls: [{ tool_call_id: CALL.id, name: "find_order", arguments: { order: "4711" } }],
    },
  });
  const answer = await post(api, run.run_id, found);
  expect([answer.status, answer.as("Run").run_id]).toEqual([202, run.run_id]);
  expect(await waitForRun(api, run.run_id)).toMatchObject({
    status: "completed",
    requires_action: null,
    result: { text: "It has been shipped." },
  });
  expect(await told()).toBe('{"status":"shipped"}');
});

test("the model hears why a call was not carried out", async ({ api, waiting }) => {
  const { run, told } = await waiting();
  expect(
    (await post(api, run.run_id, { tool_call_id: CALL.id, error: "There is no such order." }))
      .status,
  ).toBe(202);
  expect((await waitForRun(api, run.run_id)).status).toBe("completed");
  expect(await told()).toContain("There is no such order.");
});

test("an unknown, an answered and an ended run's call answer 409, and another account 404", async ({
  api,
  stranger,
  waiting,
}) => {
  const { run } = await waiting();
  expectError(
    await post(api, run.run_id, found, { ...found, tool_call_id: "another" }),
    409,
    "CONFLICT",
  );
  expectError(await post(stranger.api, run.run_id, found), 404, "RUN_NOT_FOUND");
  expect((await waits(api, run.run_id)).requires_action).toEqual(run.requires_action);
  expect((await post(api, run.run_id, found)).status).toBe(202);
  expectError(await post(api, run.run_id, found), 409, "CONFLICT");
  await waitForRun(api, run.run_id);
  expectError(await post(api, run.run_id, found), 409, "CONFLICT");
  const cancelled = (await waiting()).run;
  expect((await api.post(`/v1/runs/${cancelled.run_id}/cancel`)).status).toBe(202);
  expectError(await post(api, cancelled.run_id, found), 409, "CONFLICT");
});

test("a call that nobody answers expires after the config's time, and the run goes on", async ({
  api,
  waiting,
}) => {
  const { run, told } = await waiting({ approval_timeout_seconds: 1 });
  expect((await waitForRun(api, run.run_id)).status).toBe("completed");
  expect(await told()).toContain("gave no result in time");
  expectError(await post(api, run.run_id, found), 409, "CONFLICT");
});

test("a stream shows that results are awaited, goes on with them, and shows no values", async ({
  api,
  newAgent,
  script,
}) => {
  const agent = await newAgent({ config: { tools: { client: CLIENT } } });
  const one = await script({ tool_calls: [CALL] }, { text: "Done." });
  const stream = await RunStream.start(api, {
    agent_id: agent.agent_id,
    input: { text: one.mark },
  });
  await stream.readTo(({ type }) => type === "client_tool.requested");
  expect((await post(api, stream.runId, found)).status).toBe(202);
  await stream.readAll();
  expect(expectWholeLog(stream.lines).type).toBe("run.completed");
  expect(stream.lines.filter(({ type }) => /tool/.test(type))).toMatchObject([
    { type: "tool.started", tool_call_id: CALL.id },
    { type: "client_tool.requested", calls: [{ tool_call_id: CALL.id, name: "find_order" }] },
    { type: "tool.completed", tool_call_id: CALL.id, status: "succeeded" },
  ]);
  expect(JSON.stringify(stream.lines)).not.toContain("4711");
  expect(JSON.stringify(stream.lines)).not.toContain("shipped");
});

test("an app key answers the calls of its own agent's runs, in the words of its path", async ({
  account,
  newAgent,
  script,
  serviceUrl,
}) => {
  const agent = await newAgent({ config: { tools: { client: CLIENT } } });
  const one = await script({ tool_calls: [CALL] }, { text: "Done." });
  const { api_key: key } = await admin([
    "key",
    "create",
    "--email",
    account.email,
    "--agent",
    agent.agent_id,
  ]);
  const app = new ApiClient(serviceUrl, String(key));
  const path = `/api/v1/apps/${agent.agent_id}/runs`;
  const runId = String((await app.post(path, { inputs: { text: one.mark } })).as("AppRun").runId);
  const waitingRun = await until("the run to wait", async () => {
    const run = (await app.get(`${path}/${runId}`)).as("AppRun");
    return run.requiresAction && run;
  });
  expect(waitingRun.requiresAction).toEqual({
    type: "client_tool",
    calls: [{ toolCallId: CALL.id, name: "find_order", arguments: { order: "4711" } }],
  });
  const answer = await app.post(`${path}/${runId}/tool-results`, {
    results: [{ toolCallId: CALL.id, output: 7 }],
  });
  expect(answer.status).toBe(202);
  await until(
    "the run to end",
    async () => (await app.get(`${path}/${runId}`)).as("AppRun").status === "completed",
  );
  expect(toolResultOf((await one.calls()).at(-1))).toBe("7");
});

test("each result has exactly one of output and error, and each call stands once", async ({
  api,
  waiting,
}) => {
  const { run } = await waiting();
  for (const results of [
    [],
    [{ tool_call_id: CALL.id }],
    [{ ...found, error: "both" }],
    [found, found],
    [{ tool_call_id: CALL.id, error: "" }],
    [{ output: 1 }],
  ])
    expectError(await post(api, run.run_id, ...results), 400, "INVALID_INPUT");
  expect((await post(api, run.run_id, { tool_call_id: CALL.id, output: null })).status).toBe(202);
});

test("a config whose client tool has another tool's name is refused", async ({ api, newAgent }) => {
  const agent = await newAgent();
  for (const name of ["web_fetch", "read_skill", "crm", "crm__find", "twice"]) {
    const [tool] = CLIENT;
    const client = [{ ...tool, name }, ...(name === "twice" ? [{ ...tool, name }] : [])];
    const config = {
      version: 1,
      tools: { mcp: [{ name: "crm", url: "https://crm.example.com/mcp" }], client },
    };
    expectError(await api.patch(`/v1/agents/${agent.agent_id}`, { config }), 400, "INVALID_INPUT");
  }
});
