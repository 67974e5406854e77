import type { Run } from "@/lib/client/schemas";
import type { Agent } from "../support/api-document";
import { expectSameAnswer } from "../support/expect-answers";
import type { ModelScript } from "../support/model-script";
import { startRun, waitForRun } from "../support/runs";
import { test as base, expect } from "../support/test";
import { UNKNOWN_ID } from "../support/unknown-ids";

interface Theirs {
  agent: Agent;
  run: Run;
  creation: Run;
  workspace: string;
  file: string;
  script: ModelScript;
}

/** What the other account owns; each test asks for it as `account`. */
const test = base.extend<{ theirs: Theirs }>({
  theirs: async ({ stranger, newAgent, script }, use) => {
    const one = await script({ text: "theirs" });
    const agent = await newAgent({}, stranger.api);
    const run = await waitForRun(
      stranger.api,
      (await startRun(stranger.api, { agent_id: agent.agent_id, input: { text: one.mark } }))
        .run_id,
    );
    const [creation] = (
      await stranger.api.get("/v1/runs", { query: { agent_id: agent.agent_id, limit: 100 } })
    )
      .as("RunPage")
      .data.filter((row) => row.kind === "agent_creation");
    if (!creation) throw new Error("The creation's run is not in the list of its agent.");
    const { workspace_id: workspace } = (
      await stranger.api.post("/v1/workspaces", { name: "theirs" })
    ).as("Workspace");
    const upload = {
      raw: "secret",
      query: { path: "secret.txt" },
      headers: { "content-type": "text/plain" },
    };
    const { file_id: file } = (
      await stranger.api.post(`/v1/workspaces/${workspace}/files`, undefined, upload)
    ).as("WorkspaceFile");
    await use({ agent, run, creation, workspace, file, script: one });
  },
});

type Case = [
  name: string,
  method: string,
  path: (id: { run: string; agent: string; workspace: string; file: string }) => string,
  json?: (id: {
    run: string;
    agent: string;
    workspace: string;
    conversation: string;
    creation: string;
  }) => unknown,
];

const CASES: Case[] = [
  ["GET /v1/agents/{id}", "GET", (id) => `/v1/agents/${id.agent}`],
  ["GET /v1/runs/{id}", "GET", (id) => `/v1/runs/${id.run}`],
  ["GET /v1/runs/{id}?raw_output", "GET", (id) => `/v1/runs/${id.run}?raw_output=true`],
  ["POST /v1/runs/{id}/cancel", "POST", (id) => `/v1/runs/${id.run}/cancel`],
  ["GET /v1/runs/{id}/events", "GET", (id) => `/v1/runs/${id.run}/events`],
  [
    "POST /v1/runs with agent_id",
    "POST",
    () => "/v1/runs",
    (id) => ({ input: {}, agent_id: id.agent }),
  ],
  [
    "POST /v1/runs with conversation_id",
    "POST",
    () => "/v1/runs",
    (id) => ({ input: {}, conversation_id: id.conversation }),
  ],
  [
    "POST /v1/runs with workspace_id",
    "POST",
    () => "/v1/runs",
    (id) => ({ input: {}, workspace_id: id.workspace }),
  ],
  [
    "POST /v1/realtime/runs with agent_id",
    "POST",
    () => "/v1/realtime/runs",
    (id) => ({ input: {}, agent_id: id.agent }),
  ],
  [
    "POST /v1/realtime/runs with conversation_id",
    "POST",
    () => "/v1/realtime/runs",
    (id) => ({ input: {}, conversation_id: id.conversation }),
  ],
  [
    "POST /v1/realtime/runs with workspace_id",
    "POST",
    () => "/v1/realtime/runs",
    (id) => ({ input: {}, workspace_id: id.workspace }),
  ],
  [
    "POST /v1/agents with conversation_id",
    "POST",
    () => "/v1/agents",
    (id) => ({ input: "x", conversation_id: id.creation }),
  ],
  ["GET /v1/workspaces/{id}/files", "GET", (id) => `/v1/workspaces/${id.workspace}/files`],
  [
    "POST /v1/workspaces/{id}/files",
    "POST",
    (id) => `/v1/workspaces/${id.workspace}/files?path=planted.txt`,
  ],
  [
    "GET /v1/workspaces/{id}/files/{id}/content",
    "GET",
    (id) => `/v1/workspaces/${id.workspace}/files/${id.file}/content`,
  ],
  ["GET /v1/workspaces/{id}/agents", "GET", (id) => `/v1/workspaces/${id.workspace}/agents`],
];

for (const [name, method, path, json] of CASES) {
  test(`an object of another account answers exactly as one that is not there: ${name}`, async ({
    api,
    theirs,
  }) => {
    const theirIds = {
      run: theirs.run.run_id,
      agent: theirs.agent.agent_id,
      workspace: theirs.workspace,
      file: theirs.file,
      conversation: String(theirs.run.conversation_id),
      creation: String(theirs.creation.conversation_id),
    };
    const noIds = {
      run: UNKNOWN_ID,
      agent: UNKNOWN_ID,
      workspace: UNKNOWN_ID,
      file: UNKNOWN_ID,
      conversation: UNKNOWN_ID,
      creation: UNKNOWN_ID,
    };
    const ask = (id: typeof noIds) =>
      api.request(
        method,
        path(id),
        json
          ? { json: json(id) }
          : method === "POST" && name.includes("files")
            ? { raw: "x", headers: { "content-type": "text/plain" } }
            : {},
      );
    expectSameAnswer(await ask(theirIds), await ask(noIds), 404);
  });
}

test("another account's agent gets into no workspace, and another's file unread", async ({
  api,
  theirs,
}) => {
  const { workspace_id } = (await api.post("/v1/workspaces", { name: "mine" })).as("Workspace");
  const put = (agent: string) => api.put(`/v1/workspaces/${workspace_id}/agents/${agent}`);
  expectSameAnswer(await put(theirs.agent.agent_id), await put(UNKNOWN_ID), 404);
  const read = (file: string) => api.get(`/v1/workspaces/${workspace_id}/files/${file}/content`);
  expectSameAnswer(await read(theirs.file), await read(UNKNOWN_ID), 404);
});

test("nothing of another account is in any list, filters that name it included", async ({
  newAccount,
  theirs,
}) => {
  const { api } = await newAccount();
  const empty = { data: [], has_more: false, next_cursor: null };
  for (const path of [
    "/v1/agents",
    "/v1/runs",
    "/v1/workspaces",
    `/v1/runs?agent_id=${theirs.agent.agent_id}`,
    `/v1/runs?conversation_id=${theirs.run.conversation_id}`,
  ]) {
    expect((await api.get(path)).json()).toEqual(empty);
  }
});

test("attempts of another account change nothing for the owner", async ({
  api,
  stranger,
  theirs,
  script,
}) => {
  const held = await script({ text: "unharmed", hold_first: true });
  const run = await startRun(stranger.api, { input: { text: held.mark } });
  await held.waitForCalls(1);
  expect((await api.post(`/v1/runs/${run.run_id}/cancel`)).status).toBe(404);
  await held.release();
  expect((await waitForRun(stranger.api, run.run_id)).status).toBe("completed");
  const listed = (await stranger.api.get(`/v1/workspaces/${theirs.workspace}/files`)).as(
    "WorkspaceFilePage",
  ).data;
  expect(listed.map((file) => file.path)).toEqual(["secret.txt"]);
  expect(
    (await stranger.api.get("/v1/agents", { query: { limit: 100 } }))
      .as("AgentMetadataPage")
      .data.map((row) => row.agent_id),
  ).toContain(theirs.agent.agent_id);
});
