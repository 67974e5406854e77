import { expectSameAnswer } from "../support/expect-answers";
import { startRun, waitForRun } from "../support/runs";
import { expect, test } from "../support/test";
import { UNKNOWN_ID } from "../support/unknown-ids";

interface Ids {
  agent: string;
  version: string;
  edit: string;
  conversation: string;
}
type Case = [method: string, path: (id: Ids) => string, json?: unknown];

const CASES: Case[] = [
  ["PATCH", (id) => `/v1/agents/${id.agent}`, { name: "taken" }],
  ["PATCH", (id) => `/v1/agents/${id.agent}`, {}],
  ["DELETE", (id) => `/v1/agents/${id.agent}`],
  ["POST", (id) => `/v1/agents/${id.agent}/duplicate`],
  ["GET", (id) => `/v1/agents/${id.agent}/export`],
  ["GET", (id) => `/v1/agents/${id.agent}/versions`],
  ["GET", (id) => `/v1/agents/${id.agent}/versions/${id.version}`],
  ["POST", (id) => `/v1/agents/${id.agent}/versions/${id.version}/restore`],
  ["POST", (id) => `/v1/agents/${id.agent}/edits`, { input: "x" }],
  ["GET", (id) => `/v1/agents/${id.agent}/edits`],
  ["GET", (id) => `/v1/agents/${id.agent}/edits/${id.edit}`],
  ["GET", (id) => `/v1/conversations/${id.conversation}`],
  ["DELETE", (id) => `/v1/conversations/${id.conversation}`],
];

test("another account's agent, version, edit or conversation answers like a missing one", async ({
  api,
  stranger,
  newAgent,
  script,
}) => {
  const agent = await newAgent({}, stranger.api);
  const path = `/v1/agents/${agent.agent_id}`;
  const one = await script({
    tool_calls: [{ name: "$only", args: { name: "Theirs", summary: "x" } }],
  });
  const edit = (await stranger.api.post(`${path}/edits`, { input: one.mark })).as("EditRun");
  await waitForRun(stranger.api, edit.run_id);
  const plain = await script({ text: "theirs" });
  const run = await waitForRun(
    stranger.api,
    (await startRun(stranger.api, { input: { text: plain.mark } })).run_id,
  );
  const theirs = {
    agent: agent.agent_id,
    version: agent.current_version_id,
    edit: edit.run_id,
    conversation: String(run.conversation_id),
  };
  const none = {
    agent: UNKNOWN_ID,
    version: UNKNOWN_ID,
    edit: UNKNOWN_ID,
    conversation: UNKNOWN_ID,
  };
  const before = await Promise.all([
    stranger.api.get(path),
    stranger.api.get(`/v1/conversations/${run.conversation_id}`),
  ]);
  for (const [method, pathOf, json] of CASES) {
    const ask = (id: Ids) => api.request(method, pathOf(id), json === undefined ? {} : { json });
    await test.step(`${method} ${pathOf(none)}`, async () =>
      expectSameAnswer(await ask(theirs), await ask(none), 404));
  }
  const own = await newAgent();
  for (const [method, rest, key] of [
    ["GET", "versions/", "version"],
    ["GET", "edits/", "edit"],
  ] as const) {
    const ask = (id: Ids) => api.request(method, `/v1/agents/${own.agent_id}/${rest}${id[key]}`);
    expectSameAnswer(await ask(theirs), await ask(none), 404);
  }
  const after = await Promise.all([
    stranger.api.get(path),
    stranger.api.get(`/v1/conversations/${run.conversation_id}`),
  ]);
  expect(after.map((answer) => answer.text)).toEqual(before.map((answer) => answer.text));
  expect(
    (await stranger.api.get(`${path}/versions`)).as("AgentVersionMetadataPage").data,
  ).toHaveLength(2);
});

test("another account's conversations are in no list", async ({ newAccount, stranger, script }) => {
  const one = await script({ text: "theirs" });
  await startRun(stranger.api, { input: { text: one.mark } });
  const { api } = await newAccount();
  expect((await api.get("/v1/conversations")).json()).toEqual({
    data: [],
    has_more: false,
    next_cursor: null,
  });
});
