import type { ApiClient } from "../support/api-client";
import { startRun, waitForRun } from "../support/runs";
import { test as base, expect } from "../support/test";
import { until } from "../support/until";

/** An agent that has another one work, by the tool `helper`. */
const test = base.extend<{ leader: string }>({
  leader: async ({ api, newAgent }, use) => {
    const helper = await newAgent({ name: "Helper" });
    const leader = await newAgent({ name: "Leader" });
    const agents = [{ agent_id: helper.agent_id, name: "helper" }];
    const config = { version: 1, tools: { agents } };
    const path = `/v1/agents/${leader.agent_id}`;
    expect((await api.patch(path, { config })).status).toBe(200);
    await use(leader.agent_id);
  },
});

const ask = (request: string) => ({ tool_calls: [{ name: "helper", args: { request } }] });

function childOf(api: ApiClient, runId: string) {
  return until("the run below to be there", async () => {
    const { data } = (await api.get("/v1/runs")).as("RunPage");
    return data.find(({ parent_run_id: parent }) => parent === runId);
  });
}

test("an agent has another one work, in a run whose answer it is given, in one limit", async ({
  api,
  leader,
  script,
}) => {
  const dear = {
    text: "counting",
    tool_calls: [{ name: "todo", fill: true }],
    usage: { input: 4000, output: 100 },
  };
  const below = await script(dear, dear, { text: "The tide is low." });
  const one = await script(ask(below.mark), { text: "Low, it says." });
  const { run_id } = await startRun(api, {
    agent_id: leader,
    input: { text: one.mark },
    max_credits: 8,
    on_budget: "wait",
  });
  const path = `/v1/runs/${run_id}`;
  const child = await childOf(api, run_id);
  for (const each of [path, `/v1/runs/${child.run_id}`])
    await until("the limit to be met", async () => {
      const { requires_action: action } = (await api.get(each)).as("Run");
      return action?.type === "budget";
    });
  expect((await api.patch(path, { max_credits: 100 })).status).toBe(200);
  expect(await waitForRun(api, run_id)).toMatchObject({
    status: "completed",
    requires_action: null,
    result: { text: "Low, it says." },
  });
  expect(await waitForRun(api, child.run_id)).toMatchObject({
    status: "completed",
    parent_run_id: run_id,
    result: { text: "The tide is low." },
  });
  expect(await below.calls()).toHaveLength(3);
  expect(JSON.stringify((await one.calls()).at(-1)?.body.messages)).toContain("The tide is low.");
});

test("a run that is cancelled takes those below it with it", async ({ api, leader, script }) => {
  const below = await script({ text: "never said", hold_after: 0 });
  const one = await script(ask(below.mark), { text: "never said either" });
  const { run_id } = await startRun(api, { agent_id: leader, input: { text: one.mark } });
  const child = await childOf(api, run_id);
  await below.waitForCalls(1);
  expect((await api.post(`/v1/runs/${run_id}/cancel`)).status).toBe(202);
  expect((await waitForRun(api, child.run_id)).status).toBe("cancelled");
  await below.waitForDisconnect();
});
