import type { Schemas } from "../support/api-document";
import { brokenBodies, expectError } from "../support/expect-answers";
import { expect, test } from "../support/test";
import { MALFORMED_IDS, UNKNOWN_ID, UNKNOWN_IDS } from "../support/unknown-ids";

test("a workspace is created with its name and description, and is found in the list", async ({
  api,
}) => {
  const response = await api.post("/v1/workspaces", {
    name: "Quarterly figures 🌍",
    description: "All of them.",
  });
  expect(response.status).toBe(201);
  const made = response.as("Workspace");
  expect(made).toMatchObject({ name: "Quarterly figures 🌍", description: "All of them." });
  expect(
    (await api.get("/v1/workspaces", { query: { limit: 100 } })).as("WorkspacePage").data,
  ).toContainEqual(made);
  expect(
    (await api.post("/v1/workspaces", { name: "No description" })).as("Workspace").description,
  ).toBeNull();
});

test("the list is newest first and its pages stay whole while workspaces are added", async ({
  newAccount,
}) => {
  const { api } = await newAccount();
  const made: string[] = [];
  for (const name of ["a", "b", "c", "d", "e"])
    made.unshift((await api.post("/v1/workspaces", { name })).as("Workspace").workspace_id);
  const found: string[] = [];
  let query: Record<string, string | number> | null = { limit: 2 };
  while (query) {
    const page: Schemas["WorkspacePage"] = (await api.get("/v1/workspaces", { query })).as(
      "WorkspacePage",
    );
    found.push(...page.data.map((row) => row.workspace_id));
    await api.post("/v1/workspaces", { name: "late" });
    query = page.next_cursor === null ? null : { limit: 2, cursor: page.next_cursor };
  }
  expect(found).toEqual(made);
});

test("a name has 1 to 255 characters", async ({ api }) => {
  for (const name of ["x", "ü".repeat(255), "🌍".repeat(255)])
    expect((await api.post("/v1/workspaces", { name })).status).toBe(201);
  for (const name of ["", "x".repeat(256), "🌍".repeat(256), 7, null])
    expectError(await api.post("/v1/workspaces", { name }), 400, "INVALID_INPUT", "name");
  expectError(await api.post("/v1/workspaces", {}), 400, "INVALID_INPUT", "name");
});

for (const { name, options, status, code } of brokenBodies({ name: "x" }, "name")) {
  test(`POST /v1/workspaces refuses ${name}`, async ({ api }) => {
    expectError(await api.post("/v1/workspaces", undefined, options), status, code);
  });
}

test("an agent is put into a workspace, listed, and taken out; each twice is harmless", async ({
  api,
  sharedAgent,
}) => {
  const { workspace_id } = (await api.post("/v1/workspaces", { name: "team" })).as("Workspace");
  const place = `/v1/workspaces/${workspace_id}/agents`;
  const listed = async () =>
    (await api.get(place)).as("AgentMetadataPage").data.map((agent) => agent.agent_id);
  expect(await listed()).toEqual([]);
  for (const _ of ["once", "again"])
    expect((await api.put(`${place}/${sharedAgent.agent_id}`)).status).toBe(204);
  expect(await listed()).toEqual([sharedAgent.agent_id]);
  for (const _ of ["once", "again"])
    expect((await api.delete(`${place}/${sharedAgent.agent_id}`)).status).toBe(204);
  expect(await listed()).toEqual([]);
});

test("ids of workspaces and agents are 400 when malformed and 404 by kind else", async ({
  api,
  sharedAgent,
}) => {
  const { workspace_id } = (await api.post("/v1/workspaces", { name: "ids" })).as("Workspace");
  for (const id of MALFORMED_IDS) {
    expectError(await api.get(`/v1/workspaces/${id}/files`), 400, "INVALID_INPUT", "workspace_id");
    expectError(
      await api.put(`/v1/workspaces/${workspace_id}/agents/${id}`),
      400,
      "INVALID_INPUT",
      "agent_id",
    );
  }
  for (const id of UNKNOWN_IDS) {
    for (const suffix of ["/files", "/agents", `/files/${UNKNOWN_ID}/content`])
      expectError(await api.get(`/v1/workspaces/${id}${suffix}`), 404, "WORKSPACE_NOT_FOUND");
    expectError(
      await api.put(`/v1/workspaces/${id}/agents/${sharedAgent.agent_id}`),
      404,
      "WORKSPACE_NOT_FOUND",
    );
    expectError(
      await api.put(`/v1/workspaces/${workspace_id}/agents/${id}`),
      404,
      "AGENT_NOT_FOUND",
    );
    expectError(
      await api.get(`/v1/workspaces/${workspace_id}/files/${id}/content`),
      404,
      "FILE_NOT_FOUND",
    );
  }
});

for (const query of [{ limit: "0" }, { limit: "101" }, { cursor: "nonsense" }]) {
  test(`the lists around a workspace refuse ${JSON.stringify(query)}`, async ({ api }) => {
    const { workspace_id } = (await api.post("/v1/workspaces", { name: "lists" })).as("Workspace");
    for (const path of ["/v1/workspaces", `/v1/workspaces/${workspace_id}/files`])
      expectError(await api.get(path, { query }), 400, "INVALID_INPUT", Object.keys(query)[0]);
  });
}
