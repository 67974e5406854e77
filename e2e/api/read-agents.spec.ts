import { expectError } from "../support/expect-answers";
import { expect, test } from "../support/test";
import { MALFORMED_IDS, UNKNOWN_IDS } from "../support/unknown-ids";

test("one agent is the full record; the list is metadata only", async ({ api, newAgent }) => {
  const agent = await newAgent({
    name: "Reader",
    skill: "# Reader\n\nRead.",
    config: { model: "compatible/test-model" },
  });
  const response = await api.get(`/v1/agents/${agent.agent_id}`);
  expect(response.as("Agent")).toEqual(agent);
  expect(agent).toMatchObject({
    name: "Reader",
    skill_content: "# Reader\n\nRead.",
    status: "active",
    dashboard_template: null,
  });
  const row = (await api.get("/v1/agents", { query: { limit: 100 } }))
    .as("AgentMetadataPage")
    .data.find((each) => each.agent_id === agent.agent_id);
  expect(row).toBeTruthy();
  for (const field of ["skill_content", "config_content", "config", "dashboard_template"])
    expect(row).not.toHaveProperty(field);
});

test("the list is newest first and its pages stay whole while agents are added", async ({
  newAccount,
  newAgent,
}) => {
  const { api } = await newAccount();
  const made: string[] = [];
  for (const name of ["a", "b", "c"]) made.unshift((await newAgent({ name }, api)).agent_id);
  const first = (await api.get("/v1/agents", { query: { limit: 2 } })).as("AgentMetadataPage");
  expect(first).toMatchObject({ has_more: true });
  await newAgent({ name: "late" }, api);
  const second = (
    await api.get("/v1/agents", { query: { limit: 2, cursor: String(first.next_cursor) } })
  ).as("AgentMetadataPage");
  expect([...first.data, ...second.data].map((row) => row.agent_id)).toEqual(made);
  expect(second).toMatchObject({ has_more: false, next_cursor: null });
});

test("the list's filters hold: archived agents are apart, and q finds by name", async ({
  newAccount,
  newAgent,
}) => {
  const { api, client } = await newAccount();
  const agent = await newAgent({ name: "Zanzibar finder 100%" }, api);
  await newAgent({ name: "Other" }, api);
  const find = async (query: { q?: string; status?: "active" | "archived" }) =>
    (await client.get("/v1/agents", { params: { query } })).data.map((row) => row.agent_id);
  expect(await find({ q: "zanzibar" })).toEqual([agent.agent_id]);
  expect(await find({ q: "100%" })).toEqual([agent.agent_id]);
  expect(await find({ q: "no such name" })).toEqual([]);
  expect(await find({ status: "active" })).toHaveLength(2);
  expect(await find({ status: "archived" })).toEqual([]);
});

test("an account without agents has an empty list", async ({ newAccount }) => {
  const { api } = await newAccount();
  expect((await api.get("/v1/agents")).json()).toEqual({
    data: [],
    has_more: false,
    next_cursor: null,
  });
});

for (const query of [
  { limit: "0" },
  { limit: "101" },
  { limit: "ten" },
  { limit: "" },
  { limit: "1.5" },
  { cursor: "nonsense" },
  { status: "sleeping" },
]) {
  test(`a known query key with a bad value is refused: ${JSON.stringify(query)}`, async ({
    api,
  }) => {
    expectError(
      await api.get("/v1/agents", { query }),
      400,
      "INVALID_INPUT",
      Object.keys(query)[0],
    );
  });
}

test("an unknown query key is ignored, and the limits of a page are both allowed", async ({
  api,
}) => {
  for (const query of [{ surprise: "1" }, { limit: "1" }, { limit: "100" }])
    expect((await api.get("/v1/agents", { query })).status).toBe(200);
});

test("a malformed id answers 400, a well-formed one that is not there 404", async ({ api }) => {
  for (const id of MALFORMED_IDS)
    expectError(await api.get(`/v1/agents/${id}`), 400, "INVALID_INPUT", "agent_id");
  for (const id of UNKNOWN_IDS)
    expectError(await api.get(`/v1/agents/${id}`), 404, "AGENT_NOT_FOUND");
});
