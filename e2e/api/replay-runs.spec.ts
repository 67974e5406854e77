import { expectError } from "../support/expect-answers";
import { startRun, waitForRun } from "../support/runs";
import { expect, test } from "../support/test";

test("an ended run is replayed on another version: its input, anew, apart", async ({
  api,
  newAgent,
  script,
}) => {
  const agent = await newAgent({ skill: "Say it in French." });
  const one = await script({ text: "Oui." }, { text: "Yes." }, { text: "Oui, encore." });
  const body = {
    agent_id: agent.agent_id,
    input: { text: one.mark },
    metadata: { customer: "c" },
    max_credits: 40,
  };
  const first = await waitForRun(api, (await startRun(api, body)).run_id);
  await api.patch(`/v1/agents/${agent.agent_id}`, { skill_content: "Say it in English." });
  const answer = await api.post(`/v1/runs/${first.run_id}/replay`);
  const accepted = answer.as("Run");
  expect([answer.status, answer.header("location")]).toEqual([202, `/v1/runs/${accepted.run_id}`]);
  expect(accepted).toMatchObject({
    kind: "agent",
    status: "pending",
    replayed_from: first.run_id,
    agent_version: null,
    metadata: { customer: "c" },
  });
  expect(accepted.conversation_id).not.toBe(first.conversation_id);
  expect(await waitForRun(api, accepted.run_id)).toMatchObject({
    result: { text: "Yes." },
    replayed_from: first.run_id,
  });
  const old = (
    await api.post(`/v1/runs/${first.run_id}/replay`, { version: 1, metadata: { try: "2" } })
  ).as("Run");
  expect(await waitForRun(api, old.run_id)).toMatchObject({
    agent_version: 1,
    metadata: { try: "2" },
    result: { text: "Oui, encore." },
  });
  const prompts = (await one.calls()).map(({ body }) => JSON.stringify(body.messages));
  expect(prompts.map((prompt) => prompt.includes("in French"))).toEqual([true, false, true]);
  const { input } = (await api.get(`/v1/runs/${old.run_id}?include_input=true`)).as("Run");
  expect(input).toEqual({ text: one.mark });
});

test("a replay is accepted once under its Idempotency-Key, and costs like any run", async ({
  api,
  script,
}) => {
  const one = await script({ text: "One." }, { text: "Two." }, { text: "Three." });
  const first = await waitForRun(api, (await startRun(api, { input: { text: one.mark } })).run_id);
  const headers = { "idempotency-key": one.key };
  const ask = (body: object) => api.post(`/v1/runs/${first.run_id}/replay`, body, { headers });
  const again = (await ask({})).as("Run");
  const repeated = await ask({});
  expect([
    repeated.status,
    repeated.header("idempotency-replayed"),
    repeated.as("Run").run_id,
  ]).toEqual([202, "true", again.run_id]);
  expectError(await ask({ metadata: { a: "b" } }), 409, "IDEMPOTENCY_CONFLICT");
  const run = await waitForRun(api, again.run_id);
  expect(run.usage.credits).toBeGreaterThan(0);
  expect(await one.calls()).toHaveLength(2);
});

test("a run at work, a creation, unknown versions or models or agents are refused", async ({
  api,
  newAgent,
  newAccount,
  script,
}) => {
  const agent = await newAgent();
  const one = await script({ text: "later", hold_first: true });
  const { run_id } = await startRun(api, { agent_id: agent.agent_id, input: { text: one.mark } });
  const replay = (body: object = {}, by = api) => by.post(`/v1/runs/${run_id}/replay`, body);
  expectError(await replay(), 409, "CONFLICT");
  await one.release();
  await waitForRun(api, run_id);
  expectError(await replay({ version: 7 }), 404, "VERSION_NOT_FOUND");
  expectError(await replay({ version: 0 }), 400, "INVALID_INPUT", "version");
  expectError(await replay({ model: "nobody/none" }), 400, "INVALID_INPUT", "model");
  expectError(await replay({ input: {} }), 400, "INVALID_INPUT");
  expectError(await replay({}, (await newAccount()).api), 404, "RUN_NOT_FOUND");
  const { data } = (await api.get("/v1/runs?limit=100")).as("RunPage");
  const creation = data.find(({ kind }) => kind === "agent_creation");
  expectError(await api.post(`/v1/runs/${creation?.run_id}/replay`), 409, "CONFLICT");
  const { workspace_id } = (await api.post("/v1/workspaces", { name: "Gone soon" })).as(
    "Workspace",
  );
  const bound = (await startRun(api, { input: { text: one.mark }, workspace_id })).run_id;
  await waitForRun(api, bound);
  await api.delete(`/v1/workspaces/${workspace_id}`);
  expectError(await api.post(`/v1/runs/${bound}/replay`), 404, "WORKSPACE_NOT_FOUND");
  await api.delete(`/v1/agents/${agent.agent_id}`);
  expectError(await replay(), 409, "CONFLICT");
});
