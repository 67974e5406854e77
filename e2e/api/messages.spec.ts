import { admin } from "../support/admin";
import type { ApiClient } from "../support/api-client";
import { expectError } from "../support/expect-answers";
import { toolResultOf } from "../support/model-script";
import { RunStream } from "../support/run-log";
import { startRun, waitForRun } from "../support/runs";
import { test as base, expect } from "../support/test";
import { until } from "../support/until";

const ASK = {
  id: "call-ask",
  name: "ask_user",
  args: { question: "Which region?", options: ["North", "South"] },
};

/** Starts a run of an agent that asks which region, and gives it once it waits. */
const test = base.extend<{
  asking: (
    turns?: object[],
  ) => Promise<{ runId: string; agentId: string; told: () => Promise<string> }>;
}>({
  asking: ({ api, newAgent, script }, use) =>
    use(async (turns = [{ text: "Done." }]) => {
      const agent = await newAgent({
        autonomy: "blocked",
        config: { tools: { builtin: ["ask_user"] } },
      });
      const one = await script({ tool_calls: [ASK] }, ...turns);
      const { run_id: runId } = await startRun(api, {
        agent_id: agent.agent_id,
        input: { text: one.mark },
      });
      await until("the run to ask", async () => {
        const { requires_action: action } = (await api.get(`/v1/runs/${runId}`)).as("Run");
        return action?.type === "question";
      });
      return {
        runId,
        agentId: agent.agent_id,
        told: async () => toolResultOf((await one.calls()).at(-1)),
      };
    }),
});

const say = (api: ApiClient, runId: string, body: object, key?: string) =>
  api.post(`/v1/runs/${runId}/messages`, body, key ? { headers: { "idempotency-key": key } } : {});

test("a question is answered by the first message, and its stream shows both", async ({
  api,
  asking,
}) => {
  const { runId, told } = await asking();
  expect((await api.get(`/v1/runs/${runId}`)).as("Run").requires_action).toEqual({
    type: "question",
    ...ASK.args,
  });
  const answer = await say(api, runId, { input: "South" });
  expect([answer.status, answer.as("AcceptedMessage")]).toEqual([
    202,
    { message_id: expect.any(String), position: 1, next_run_id: null },
  ]);
  expect(await waitForRun(api, runId)).toMatchObject({
    status: "completed",
    requires_action: null,
  });
  expect(await told()).toBe('{"answer":"South"}');
  const lines = await (await RunStream.follow(api, runId)).readAll();
  expect(lines.map(({ type }) => type)).toEqual(
    expect.arrayContaining(["question.asked", "message.received"]),
  );
  expectError(await say(api, runId, { input: "too late" }), 409, "RUN_NOT_ACTIVE");
  const { data } = (await api.get(`/v1/runs/${runId}/messages`)).as("RunMessagePage");
  expect(data).toMatchObject([{ text: "South", status: "shown", tool_call_id: ASK.id }]);
});

test("what waits, what is for later and what is queued come in turn, each once", async ({
  api,
  asking,
}) => {
  const { runId, agentId } = await asking();
  const run = (await api.get(`/v1/runs/${runId}`)).as("Run");
  const later = await say(api, runId, { input: "and then this", when: "after" }, "later");
  expect(await say(api, runId, { input: "and then this", when: "after" }, "later")).toMatchObject({
    status: 202,
    text: later.text,
  });
  const start = (ifBusy?: string) =>
    api.post("/v1/runs", {
      agent_id: agentId,
      input: { text: "more" },
      conversation_id: run.conversation_id,
      ...(ifBusy && { if_busy: ifBusy }),
    });
  expectError(await start(), 409, "CONVERSATION_BUSY");
  const queued = (await start("queue")).as("Run");
  expect(queued.status).toBe("pending");
  const steered = await start("steer");
  expect([steered.status, steered.as("Run").run_id]).toEqual([202, runId]);
  expect(steered.as("Run").message_id).toBeDefined();
  const { next_run_id: next } = later.as("AcceptedMessage");
  await waitForRun(api, runId);
  await waitForRun(api, String(next));
  await waitForRun(api, queued.run_id);
  const order = (await api.get(`/v1/runs?conversation_id=${run.conversation_id}`))
    .as("RunPage")
    .data.map(({ run_id, started_at }) => ({ run_id, at: String(started_at) }))
    .sort((a, b) => (a.at < b.at ? -1 : 1))
    .map(({ run_id }) => run_id);
  expect(order).toEqual([runId, next, queued.run_id]);
});

test("what is for later is refused where its start would be, and not what the run is told", async ({
  newAccount,
  newAgent,
  script,
}) => {
  const { api, email } = await newAccount({ credits: 100_000 });
  const agent = await newAgent(
    { autonomy: "blocked", config: { tools: { builtin: ["ask_user"] } } },
    api,
  );
  const one = await script({ tool_calls: [ASK] }, { text: "Done." });
  const { run_id: runId } = await startRun(api, {
    agent_id: agent.agent_id,
    input: { text: one.mark },
  });
  await until("the run to ask", async () =>
    Boolean((await api.get(`/v1/runs/${runId}`)).as("Run").requires_action),
  );
  const later = () => say(api, runId, { input: "And then?", when: "after" });
  await admin(["account", "update", "--email", email, "--credits", "0"]);
  expectError(await later(), 402, "INSUFFICIENT_CREDITS");
  await admin(["account", "update", "--email", email, "--blocked", "true"]);
  expectError(await later(), 403, "ACCOUNT_BLOCKED");
  expect((await say(api, runId, { input: "South" })).status).toBe(202);
});

test("to interrupt cancels the run at work, and the new one begins", async ({ api, asking }) => {
  const { runId, agentId } = await asking();
  const run = (await api.get(`/v1/runs/${runId}`)).as("Run");
  const next = await api.post("/v1/runs", {
    agent_id: agentId,
    input: { text: "instead" },
    conversation_id: run.conversation_id,
    if_busy: "interrupt",
  });
  expect(next.status).toBe(202);
  expect((await waitForRun(api, runId)).status).toBe("cancelled");
  expect((await waitForRun(api, next.as("Run").run_id)).status).toBe("completed");
});

test("a message that is no text and no inputs, empty or of another account is refused", async ({
  api,
  asking,
  stranger,
}) => {
  const { runId } = await asking();
  for (const body of [{}, { input: 7 }, { input: "  " }, { input: "x", when: "now" }, { x: 1 }])
    expectError(await say(api, runId, body), 400, "INVALID_INPUT");
  expectError(await say(stranger.api, runId, { input: "x" }), 404, "RUN_NOT_FOUND");
  expect((await api.get(`/v1/runs/${runId}`)).as("Run").requires_action?.type).toBe("question");
});
