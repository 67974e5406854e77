import { expectError } from "../support/expect-answers";
import { expect, test } from "../support/test";

const YAML = { "content-type": "application/yaml" };
const DOCUMENT =
  "kind: agent\nformat: 1\nname: Imported\nskill_content: |\n  # Imported\n\n  Answer.\n";

test("a copy is a new, active agent with the same texts and a history of its own", async ({
  api,
  newAgent,
}) => {
  const agent = await newAgent({ skill: "# Original", config: { starters: ["one"] } });
  await api.patch(`/v1/agents/${agent.agent_id}`, { version: "4.0.0" });
  const answer = await api.post(`/v1/agents/${agent.agent_id}/duplicate`);
  expect(answer.status).toBe(201);
  const copy = answer.as("Agent");
  expect(answer.header("location")).toBe(`/v1/agents/${copy.agent_id}`);
  const { skill_content, config, config_content, dashboard_template, write_autonomy, description } =
    agent;
  expect(copy).toMatchObject({
    skill_content,
    config,
    config_content,
    dashboard_template,
    write_autonomy,
    description,
    version: "1.0.0",
    status: "active",
  });
  expect(copy.name).toBe(`${agent.name} (copy)`);
  expect(copy.agent_id).not.toBe(agent.agent_id);
  expect(
    (await api.get(`/v1/agents/${copy.agent_id}/versions`)).as("AgentVersionMetadataPage").data,
  ).toMatchObject([{ number: 1, source: "create" }]);
  await api.patch(`/v1/agents/${copy.agent_id}`, { skill_content: "changed" });
  expect((await api.get(`/v1/agents/${agent.agent_id}`)).as("Agent").skill_content).toBe(
    "# Original",
  );
});

test("an export is one YAML document, which another account imports, without a run", async ({
  api,
  newAgent,
  newAccount,
}) => {
  const agent = await newAgent({ name: "Träger: 日報", skill: "# Skill\n\n- one\n- two\n" });
  const path = `/v1/agents/${agent.agent_id}`;
  await api.patch(path, {
    config_content: "# mine\nversion: 1\nstarters: [Go] # soon\n",
    version: "1.10",
  });
  const written = {
    name: "An order",
    input: { request: "Where is 1024?" },
    checks: [{ type: "contains", value: "1024" }],
  };
  expect((await api.post(`${path}/cases`, written)).status).toBe(201);
  const exported = await api.get(`${path}/export`);
  expect([exported.status, exported.header("content-type")]).toEqual([200, "application/yaml"]);
  expect(exported.header("content-disposition")).toMatch(/^attachment; filename="[a-z0-9.-]+"$/);
  expect(exported.text).toMatch(/^kind: agent\nformat: 1\nname: /);
  const stranger = await newAccount();
  const answer = await stranger.api.post("/v1/agents/import", undefined, {
    raw: exported.text,
    headers: YAML,
  });
  expect(answer.status).toBe(201);
  const made = answer.as("Agent");
  expect(answer.header("location")).toBe(`/v1/agents/${made.agent_id}`);
  const { name, description, version, write_autonomy, skill_content, config, dashboard_template } =
    (await api.get(path)).as("Agent");
  expect(made).toMatchObject({
    name,
    description,
    version,
    write_autonomy,
    skill_content,
    config,
    dashboard_template,
    status: "active",
  });
  for (const comment of ["# mine", "# soon"]) expect(made.config_content).toContain(comment);
  const cases = await stranger.api.get(`/v1/agents/${made.agent_id}/cases`);
  expect(cases.as("AgentCasePage").data).toMatchObject([written]);
  expect((await stranger.api.get("/v1/runs")).json()).toMatchObject({ data: [] });
  expect((await stranger.api.get(`/v1/agents/${made.agent_id}/export`)).text).toBe(exported.text);
});

test("an archived agent can be exported and copied", async ({ api, newAgent }) => {
  const path = `/v1/agents/${(await newAgent()).agent_id}`;
  await api.delete(path);
  expect((await api.get(`${path}/export`)).status).toBe(200);
  expect((await api.post(`${path}/duplicate`)).as("Agent").status).toBe("active");
});

const REFUSED: [string, string, string, number][] = [
  ["is no YAML", "kind: [agent\n", "", 2],
  ["is of another kind", DOCUMENT.replace("kind: agent", "kind: skill"), "kind", 1],
  ["is of another format", DOCUMENT.replace("format: 1", "format: 2"), "format", 2],
  ["has no name", DOCUMENT.replace("name: Imported\n", ""), "name", 1],
  ["has an unknown key", `${DOCUMENT}status: active\n`, "status", 8],
  ["has a config that does not fit", `${DOCUMENT}config:\n  version: 2\n`, "config.version", 9],
  [
    "has a model that is not in the list",
    `${DOCUMENT}config: {version: 1, model: no/such}\n`,
    "config.model",
    8,
  ],
  ["has an alias", `${DOCUMENT}description: *x\n`, "", 8],
  ["has a NUL character", `${DOCUMENT}description: "a\\0"\n`, "description", 8],
  ["is too deep", `${DOCUMENT}config: ${"[".repeat(5000)}\n`, "", 8],
];
for (const [what, raw, path, line] of REFUSED) {
  test(`a document that ${what} answers 400 with its place, and nothing is stored`, async ({
    newAccount,
  }) => {
    const { api } = await newAccount();
    const { details } = expectError(
      await api.post("/v1/agents/import", undefined, { raw, headers: YAML }),
      400,
      "INVALID_INPUT",
      path,
    );
    expect(details?.find((detail) => detail.path === path)).toMatchObject({
      line,
      column: expect.any(Number),
    });
    expect((await api.get("/v1/agents")).json()).toMatchObject({ data: [] });
  });
}

test("an import takes application/yaml only, at most 4 MiB of it, in UTF-8", async ({ api }) => {
  for (const type of ["application/json", "text/plain", "application/yamlish"])
    expectError(
      await api.post("/v1/agents/import", undefined, {
        raw: DOCUMENT,
        headers: { "content-type": type },
      }),
      400,
      "INVALID_INPUT",
    );
  expectError(
    await api.post("/v1/agents/import", undefined, { raw: new TextEncoder().encode(DOCUMENT) }),
    400,
    "INVALID_INPUT",
  );
  expectError(
    await api.post("/v1/agents/import", undefined, {
      raw: new Uint8Array([0xff, 0xfe]),
      headers: YAML,
    }),
    400,
    "INVALID_INPUT",
  );
  expectError(
    await api.post("/v1/agents/import", undefined, { raw: "", headers: YAML }),
    400,
    "INVALID_INPUT",
  );
  const max = 4 * 1024 * 1024;
  const padded = (bytes: number) => DOCUMENT.padEnd(bytes, "#");
  expectError(
    await api.post("/v1/agents/import", undefined, { raw: padded(max + 1), headers: YAML }),
    413,
    "PAYLOAD_TOO_LARGE",
  );
  const comment = DOCUMENT.padEnd(max, `# ${"x".repeat(1_000_000)}\n`);
  expect(
    (
      await api.post("/v1/agents/import", undefined, {
        raw: comment,
        headers: { "content-type": "application/yaml; charset=utf-8" },
      })
    ).status,
  ).toBe(201);
});

test("a name of 255 characters is imported, one more is not; a skill is measured in bytes", async ({
  api,
}) => {
  const send = async (name: string, skill: string) =>
    (
      await api.post("/v1/agents/import", undefined, {
        raw: `kind: agent\nformat: 1\nname: ${name}\nskill_content: ${skill}\n`,
        headers: YAML,
      })
    ).status;
  expect(await send("n".repeat(255), "ü".repeat(131_072))).toBe(201);
  expect(await send("n".repeat(256), "s")).toBe(400);
  expect(await send("n", `${"ü".repeat(131_072)}s`)).toBe(400);
});

test("the JSON Schemas of config and dashboard are public, and say what the service takes", async ({
  anonymous,
}) => {
  for (const name of ["agent-config", "dashboard-template"]) {
    const answer = await anonymous.get(`/v1/schemas/${name}.json`);
    expect([answer.status, answer.header("content-type")]).toEqual([
      200,
      expect.stringMatching(/^application\/json/),
    ]);
    expect(answer.json()).toMatchObject({
      $schema: expect.stringContaining("2020-12"),
      type: "object",
      additionalProperties: false,
      required: expect.arrayContaining(["version"]),
    });
  }
  expectError(await anonymous.get("/v1/schemas/other.json"), 404, "NOT_FOUND");
  expectError(await anonymous.post("/v1/schemas/agent-config.json", {}), 405, "METHOD_NOT_ALLOWED");
});
