import { expectError } from "../support/expect-answers";
import { startRun, waitForRun } from "../support/runs";
import { expect, test } from "../support/test";

test("deleting archives: again 204, fetched by id, listed as archived alone", async ({
  newAccount,
  newAgent,
}) => {
  const { api } = await newAccount();
  const [agent, other] = [await newAgent({}, api), await newAgent({}, api)];
  const path = `/v1/agents/${agent.agent_id}`;
  for (let n = 0; n < 2; n++) {
    const answer = await api.delete(path);
    expect([answer.status, answer.text]).toEqual([204, ""]);
  }
  expect((await api.get(path)).as("Agent")).toMatchObject({
    ...agent,
    status: "archived",
    updated_at: expect.any(String),
  });
  const list = async (status?: string) =>
    (await api.get("/v1/agents", { query: { status } }))
      .as("AgentMetadataPage")
      .data.map((row) => row.agent_id);
  expect(await list()).toEqual([other.agent_id]);
  expect(await list("archived")).toEqual([agent.agent_id]);
});

test("an archived agent refuses runs, edits and changes with 409, its runs readable", async ({
  api,
  newAgent,
  script,
}) => {
  const agent = await newAgent();
  const path = `/v1/agents/${agent.agent_id}`;
  const one = await script({ text: "done" });
  const run = await waitForRun(
    api,
    (await startRun(api, { agent_id: agent.agent_id, input: { text: one.mark } })).run_id,
  );
  expect((await api.delete(path)).status).toBe(204);
  for (const refused of [
    await api.post("/v1/runs", { agent_id: agent.agent_id, input: {} }),
    await api.post("/v1/realtime/runs", { agent_id: agent.agent_id, input: {} }),
    await api.post(`${path}/edits`, { input: "Change it." }),
    await api.patch(path, { name: "x" }),
    await api.post(`${path}/versions/${agent.current_version_id}/restore`),
  ])
    expectError(refused, 409, "CONFLICT");
  expect((await api.get(`/v1/runs/${run.run_id}`)).json()).toEqual(run);
  expect((await api.get(path)).as("Agent")).toMatchObject({
    name: agent.name,
    current_version_id: agent.current_version_id,
  });
});
