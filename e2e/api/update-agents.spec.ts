import type { Agent } from "../support/api-document";
import { brokenBodies, expectError } from "../support/expect-answers";
import { test as base, expect } from "../support/test";
import { MALFORMED_IDS, UNKNOWN_IDS } from "../support/unknown-ids";

/** An agent that only this test changes. */
const test = base.extend<{ agent: Agent; path: string }>({
  agent: ({ newAgent }, use) => newAgent().then(use),
  path: ({ agent }, use) => use(`/v1/agents/${agent.agent_id}`),
});

test("a patch replaces the given fields, answers the record, and stores a noted version", async ({
  api,
  agent,
  path,
}) => {
  const patch = {
    name: "Renamed",
    description: null,
    version: "2.0.0",
    skill_content: "# New",
    write_autonomy: "blocked",
    release_note: "because",
  };
  const answer = await api.patch(path, patch);
  expect(answer.status).toBe(200);
  const { release_note, ...fields } = patch;
  const changed = answer.as("Agent");
  expect(changed).toMatchObject({
    ...fields,
    agent_id: agent.agent_id,
    status: "active",
    config: agent.config,
    created_at: agent.created_at,
  });
  expect(changed.updated_at > agent.updated_at).toBe(true);
  const fetched = await api.get(path);
  expect(fetched.json()).toEqual(answer.json());
  expect(fetched.header("etag")).toBe(answer.header("etag"));
  const list = (await api.get(`${path}/versions`)).as("AgentVersionMetadataPage").data;
  expect(
    list.map(({ number, source, version, release_note: note }) => [number, source, version, note]),
  ).toEqual([
    [2, "patch", "2.0.0", release_note],
    [1, "create", "1.0.0", null],
  ]);
  expect(list[0]?.version_id).toBe(changed.current_version_id);
});

test("a patch that changes nothing answers 200 with the same record and stores no version", async ({
  api,
  agent,
  path,
}) => {
  for (const patch of [
    {},
    { name: agent.name },
    { config: agent.config },
    { config_content: agent.config_content },
    { release_note: "nothing" },
  ]) {
    const answer = await api.patch(path, patch);
    expect([answer.status, answer.json()]).toEqual([200, agent]);
  }
  expect((await api.get(`${path}/versions`)).as("AgentVersionMetadataPage").data).toHaveLength(1);
});

test("If-Match lets a patch through only on the record that it names", async ({ api, path }) => {
  const etag = String((await api.get(path)).header("etag"));
  expect(etag).toMatch(/^"[^"]+"$/);
  const first = await api.patch(path, { name: "First" }, { headers: { "if-match": etag } });
  expect(first.status).toBe(200);
  const stale = await api.patch(path, { name: "Second" }, { headers: { "if-match": etag } });
  expectError(stale, 412, "VERSION_CONFLICT");
  expect((await api.get(path)).as("Agent").name).toBe("First");
  for (const header of ["*", String(first.header("etag")), `"other", ${first.header("etag")}`])
    expect((await api.patch(path, {}, { headers: { "if-match": header } })).status).toBe(200);
  expectError(
    await api.patch(path, {}, { headers: { "if-match": `W/${first.header("etag")}` } }),
    412,
    "VERSION_CONFLICT",
  );
});

test("of twenty patches at once with one If-Match exactly one is stored", async ({ api, path }) => {
  const headers = { "if-match": String((await api.get(path)).header("etag")) };
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => api.patch(path, { name: `n${n}` }, { headers })),
  );
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
  for (const answer of answers.filter((each) => each.status !== 200))
    expectError(answer, 412, "VERSION_CONFLICT");
  expect((await api.get(`${path}/versions`)).as("AgentVersionMetadataPage").data).toHaveLength(2);
});

test("config and config_content agree, whichever is patched, and config wins over a text", async ({
  api,
  path,
}) => {
  const text = "# kept\nversion: 1\ninputs: {type: object, properties: {topic: {type: string}}}\n";
  const byText = (await api.patch(path, { config_content: text })).as("Agent");
  expect(byText).toMatchObject({
    config_content: text,
    config: { version: 1, inputs: { properties: { topic: { type: "string" } } } },
  });
  expect(byText.inputs_schema).toEqual({
    type: "object",
    properties: { topic: { type: "string" } },
  });
  const byConfig = (await api.patch(path, { config: { version: 1, limits: { max_steps: 7 } } })).as(
    "Agent",
  );
  expect(byConfig.config_content).toContain("# kept");
  expect(byConfig.config_content).toContain("max_steps: 7");
  expect(byConfig.inputs_schema).toBeNull();
  const both = (
    await api.patch(path, {
      config: { version: 1, limits: { max_steps: 9 } },
      config_content: "version: 1\n",
    })
  ).as("Agent");
  expect(both.config).toEqual({ version: 1, limits: { max_steps: 9 } });
  expect(both.config_content).toContain("max_steps: 9");
});

for (const [what, config_content, line, column] of [
  ["does not parse", "version: 1\nlimits: {max_steps: 3\n", 3, 1],
  ["does not fit the schema", "version: 1\nlimits:\n  max_steps: many\n", 3, 14],
  ["has an unknown key", "version: 1\nmodle: x\n", 2, 1],
  ["says a key twice", "version: 1\nversion: 1\n", 2, 1],
  ["has an alias", "version: 1\nstarters: &a [x]\n", 2, 11],
] as const) {
  test(`a config_content that ${what} answers 400 with line and column`, async ({
    api,
    agent,
    path,
  }) => {
    const answer = await api.patch(path, { config_content, name: "Not stored" });
    const { details } = expectError(answer, 400, "INVALID_INPUT");
    expect(details?.[0]).toMatchObject({ line, column });
    expect(details?.[0]?.path).toMatch(/^config_content/);
    expect(details?.[0]?.message).toContain(`line ${line}, column ${column}`);
    expect((await api.get(path)).json()).toEqual(agent);
  });
}

test("a dashboard is replaced and cleared, and one that does not fit is refused", async ({
  api,
  path,
}) => {
  const dashboard_template = {
    version: 1,
    title: "Sales",
    layout: [{ i: "a", x: 0, y: 0, w: 6, h: 2 }],
    widgets: { a: { type: "markdown", source: { from: "last_result", path: "/text" } } },
  };
  expect((await api.patch(path, { dashboard_template })).as("Agent").dashboard_template).toEqual(
    dashboard_template,
  );
  expectError(
    await api.patch(path, {
      dashboard_template: { ...dashboard_template, widgets: { a: { type: "iframe" } } },
    }),
    400,
    "INVALID_INPUT",
  );
  expect(
    (await api.patch(path, { dashboard_template: null })).as("Agent").dashboard_template,
  ).toBeNull();
});

test("a field's limit is taken, one more refused, in code points, or bytes for a skill", async ({
  api,
  path,
}) => {
  const accepted: Record<string, unknown>[] = [
    { name: "n" },
    { name: "n".repeat(255) },
    { name: "ü".repeat(255) },
    { name: "🌍".repeat(255) },
    { version: "v".repeat(64) },
    { version: "🌍".repeat(64) },
    { description: "d".repeat(10_000) },
    { release_note: "r".repeat(2000) },
    { release_note: "🌍".repeat(2000) },
    { release_note: null },
    { skill_content: "" },
    { skill_content: "s".repeat(262_144) },
    { skill_content: "ü".repeat(131_072) },
    { skill_content: "🌍".repeat(65_536) },
    { config_content: "version: 1\n".padEnd(131_072, "#") },
    { config_content: `version: 1\n#${"🌍".repeat(131_072 - 12)}` },
  ];
  for (const patch of accepted)
    expect([Object.keys(patch), (await api.patch(path, patch)).status]).toEqual([
      Object.keys(patch),
      200,
    ]);
  const refused: Record<string, unknown>[] = [
    { name: "" },
    { name: "n".repeat(256) },
    { name: "ü".repeat(256) },
    { name: "🌍".repeat(256) },
    { name: null },
    { version: "" },
    { version: "v".repeat(65) },
    { version: 2 },
    { description: "d".repeat(10_001) },
    { release_note: "r".repeat(2001) },
    { release_note: "🌍".repeat(2001) },
    { skill_content: "s".repeat(262_145) },
    { skill_content: `${"ü".repeat(131_072)}s` },
    { skill_content: `${"🌍".repeat(65_536)}s` },
    { skill_content: null },
    { config_content: "version: 1\n".padEnd(131_073, "#") },
    { config_content: `version: 1\n#${"🌍".repeat(131_073 - 12)}` },
    { config: [] },
    { config: null },
    { dashboard_template: "none" },
    { write_autonomy: "sometimes" },
    { write_autonomy: null },
  ];
  const before = (await api.get(path)).json();
  for (const patch of refused) {
    const [field] = Object.keys(patch);
    expectError(
      await api.patch(path, { description: "not stored", ...patch }),
      400,
      "INVALID_INPUT",
      field,
    );
  }
  expect((await api.get(path)).json()).toEqual(before);
});

for (const { name, options, status, code } of brokenBodies({ name: "x" }, "name")) {
  test(`PATCH /v1/agents/{id} refuses ${name}`, async ({ api, sharedAgent }) => {
    expectError(
      await api.request("PATCH", `/v1/agents/${sharedAgent.agent_id}`, options),
      status,
      code,
    );
  });
}

test("fields that a patch cannot set are refused by name", async ({ api, path }) => {
  for (const field of ["agent_id", "status", "created_at", "inputs_schema", "current_version_id"])
    expectError(await api.patch(path, { [field]: "x" }), 400, "INVALID_INPUT", field);
});

test("a malformed id answers 400, a missing one 404, for every operation of an agent", async ({
  api,
}) => {
  const operations: [string, string, unknown?][] = [
    ["PATCH", "", { name: "x" }],
    ["DELETE", ""],
    ["POST", "/duplicate"],
    ["GET", "/export"],
    ["GET", "/versions"],
    ["GET", `/versions/${UNKNOWN_IDS[0]}`],
    ["POST", `/versions/${UNKNOWN_IDS[0]}/restore`],
    ["POST", "/edits", { input: "x" }],
    ["GET", "/edits"],
    ["GET", `/edits/${UNKNOWN_IDS[0]}`],
  ];
  for (const [method, rest, json] of operations) {
    const ask = (id: string) =>
      api.request(method, `/v1/agents/${id}${rest}`, json === undefined ? {} : { json });
    for (const id of MALFORMED_IDS) expectError(await ask(id), 400, "INVALID_INPUT", "agent_id");
    for (const id of UNKNOWN_IDS) expectError(await ask(id), 404, "AGENT_NOT_FOUND");
  }
});

test("the hourly cap of writes holds for agents too, and what it rejects changes nothing", async ({
  newAccount,
  newAgent,
}) => {
  const { api } = await newAccount({ writePerHour: 3 });
  const agent = await newAgent({}, api);
  const path = `/v1/agents/${agent.agent_id}`;
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, n) => api.patch(path, { name: `n${n}` })),
  );
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(2);
  for (const answer of answers.filter((each) => each.status !== 200)) {
    expect(expectError(answer, 429, "RATE_LIMITED").retryAfterSeconds).toBe(
      Number(answer.header("retry-after")),
    );
  }
  const before = (await api.get(path)).json();
  const list = await api.get("/v1/agents");
  const [version] = (await api.get(`${path}/versions`)).as("AgentVersionMetadataPage").data;
  for (const refused of [
    await api.delete(path),
    await api.post(`${path}/duplicate`),
    await api.post(`${path}/edits`, { input: "x" }),
    await api.post(`${path}/versions/${version?.version_id}/restore`),
    await api.post("/v1/agents/import", undefined, {
      raw: "kind: agent\nformat: 1\nname: N\nskill_content: S\n",
      headers: { "content-type": "application/yaml" },
    }),
  ])
    expectError(refused, 429, "RATE_LIMITED");
  expect((await api.get(path)).json()).toEqual(before);
  expect((await api.get("/v1/agents")).as("AgentMetadataPage")).toEqual(list.json());
  expect((await api.get(`${path}/edits`)).json()).toMatchObject({ data: [] });
});
