import { brokenBodies, expectError } from "../support/expect-answers";
import { toolResultOf } from "../support/model-script";
import { expectWholeLog, lastMessageText, RunStream } from "../support/run-log";
import { startRun, waitForRun } from "../support/runs";
import { test as base, expect } from "../support/test";

/**
 * An account for each test: what it keeps secret is struck out of the results of every run of the
 * account.
 */
const test = base.extend({ api: async ({ newAccount }, use) => use((await newAccount()).api) });

const HOSTS = ["api.example.com"];
let counter = 0;
/** A name that no other test of this worker uses. */
const newName = () => `S${process.pid}_${Date.now()}_${++counter}`;

test("a secret is added, listed, fetched, changed and deleted, and never gives its value", async ({
  api,
}) => {
  const name = newName();
  const value = `value-of-${name}`;
  const added = await api.post("/v1/secrets", {
    name,
    value,
    description: "CRM",
    allowed_hosts: ["api.example.com", "crm.example.com:8443"],
  });
  expect(added.status).toBe(201);
  const record = added.as("Secret");
  expect(record).toMatchObject({
    name,
    description: "CRM",
    allowed_hosts: ["api.example.com", "crm.example.com:8443"],
    last_used_at: null,
  });
  const fetched = await api.get(`/v1/secrets/${name}`);
  expect(fetched.as("Secret")).toEqual(record);
  const listed = await api.get("/v1/secrets", { query: { limit: 100 } });
  expect(listed.as("SecretPage").data).toContainEqual(record);
  const changed = await api.put(`/v1/secrets/${name}`, { value: `${value}-2`, description: null });
  expect(changed.status).toBe(200);
  expect(changed.as("Secret")).toMatchObject({
    description: null,
    allowed_hosts: record.allowed_hosts,
    created_at: record.created_at,
  });
  for (const answer of [added, fetched, listed, changed])
    expect(answer.text).not.toContain("value");
  expect((await api.delete(`/v1/secrets/${name}`)).status).toBe(204);
  expectError(await api.get(`/v1/secrets/${name}`), 404, "SECRET_NOT_FOUND");
  expectError(await api.delete(`/v1/secrets/${name}`), 404, "SECRET_NOT_FOUND");
  expectError(await api.put(`/v1/secrets/${name}`, { value: "x" }), 404, "SECRET_NOT_FOUND");
});

test("a taken name answers 409 and changes nothing", async ({ api }) => {
  const name = newName();
  const record = (await api.post("/v1/secrets", { name, value: "x", allowed_hosts: HOSTS })).as(
    "Secret",
  );
  expectError(
    await api.post("/v1/secrets", { name, value: "y", description: "other", allowed_hosts: HOSTS }),
    409,
    "CONFLICT",
  );
  expect((await api.get(`/v1/secrets/${name}`)).as("Secret")).toEqual(record);
});

test("a name starts with a capital and has 1 to 64 capitals, digits and underscores", async ({
  api,
}) => {
  const longest = `${newName()}_`.padEnd(64, "X");
  expect(
    (await api.post("/v1/secrets", { name: longest, value: "x", allowed_hosts: HOSTS })).status,
  ).toBe(201);
  expect((await api.delete(`/v1/secrets/${longest}`)).status).toBe(204);
  for (const name of ["", "a", "1A", "_A", "A-B", "A B", "Ä", "A\n", `${longest}X`, 7, null])
    expectError(
      await api.post("/v1/secrets", { name, value: "x", allowed_hosts: HOSTS }),
      400,
      "INVALID_INPUT",
      "name",
    );
  expectError(await api.get("/v1/secrets/lower"), 400, "INVALID_INPUT", "name");
});

test("a value has 1 to 65,536 bytes, of more than one a character too", async ({ api }) => {
  const name = newName();
  for (const value of ["x", "x".repeat(65_536), "é".repeat(32_768)]) {
    expect((await api.post("/v1/secrets", { name, value, allowed_hosts: HOSTS })).status).toBe(201);
    expect((await api.delete(`/v1/secrets/${name}`)).status).toBe(204);
  }
  await api.post("/v1/secrets", { name, value: "x", allowed_hosts: HOSTS });
  for (const value of ["", "x".repeat(65_537), `${"é".repeat(32_768)}x`, 7, null]) {
    expectError(
      await api.post("/v1/secrets", { name: newName(), value, allowed_hosts: HOSTS }),
      400,
      "INVALID_INPUT",
      "value",
    );
    expectError(await api.put(`/v1/secrets/${name}`, { value }), 400, "INVALID_INPUT", "value");
  }
  expectError(
    await api.put(`/v1/secrets/${name}`, { description: "no value" }),
    400,
    "INVALID_INPUT",
    "value",
  );
});

test("an allowed host is a host or host:port, without a scheme, a path or a wildcard", async ({
  api,
}) => {
  const good = {
    name: newName(),
    value: "x",
    allowed_hosts: ["API.Example.com", "127.0.0.1:9", "[::1]:8080"],
  };
  expect((await api.post("/v1/secrets", good)).as("Secret").allowed_hosts).toEqual([
    "api.example.com",
    "127.0.0.1:9",
    "[::1]:8080",
  ]);
  for (const host of [
    "",
    "https://a.example",
    "a.example/x",
    "*.example.com",
    "a.example:0",
    "a.example:65536",
    "u@a.example",
    "a b",
  ])
    expectError(
      await api.post("/v1/secrets", { name: newName(), value: "x", allowed_hosts: [host] }),
      400,
      "INVALID_INPUT",
      "allowed_hosts.0",
    );
  expectError(
    await api.post("/v1/secrets", { name: newName(), value: "x", allowed_hosts: "a.example" }),
    400,
    "INVALID_INPUT",
    "allowed_hosts",
  );
});

test("a new secret names its hosts, or is refused with how; a change keeps those left out", async ({
  api,
}) => {
  for (const hosts of [{}, { allowed_hosts: null }, { allowed_hosts: [] }]) {
    const name = newName();
    const refused = await api.post("/v1/secrets", { name, value: "x", ...hosts });
    expectError(refused, 400, "INVALID_INPUT", "allowed_hosts");
    expect(refused.text).toContain("api.example.com");
    expectError(await api.get(`/v1/secrets/${name}`), 404, "SECRET_NOT_FOUND");
  }
  const name = newName();
  await api.post("/v1/secrets", { name, value: "x", allowed_hosts: HOSTS });
  expect((await api.put(`/v1/secrets/${name}`, { value: "y" })).as("Secret").allowed_hosts).toEqual(
    HOSTS,
  );
  for (const allowed_hosts of [null, []])
    expectError(
      await api.put(`/v1/secrets/${name}`, { value: "z", allowed_hosts }),
      400,
      "INVALID_INPUT",
      "allowed_hosts",
    );
  expect(
    (await api.put(`/v1/secrets/${name}`, { value: "z", allowed_hosts: ["b.example:8443"] })).as(
      "Secret",
    ).allowed_hosts,
  ).toEqual(["b.example:8443"]);
});

for (const { name, options, status, code } of brokenBodies(
  { name: "NEVER_STORED", value: "x", allowed_hosts: HOSTS },
  "value",
)) {
  test(`POST and PUT of secrets refuse ${name}`, async ({ api }) => {
    expectError(await api.post("/v1/secrets", undefined, options), status, code);
    expectError(await api.request("PUT", "/v1/secrets/NEVER_STORED", options), status, code);
  });
}

test("another account's secret answers as a missing one does, and is left alone", async ({
  api,
  stranger,
}) => {
  const name = newName();
  await stranger.api.post("/v1/secrets", { name, value: "theirs", allowed_hosts: HOSTS });
  const missing = newName();
  const calls: [string, unknown?][] = [["GET"], ["DELETE"], ["PUT", { value: "mine" }]];
  for (const [method, json] of calls) {
    const foreign = await api.request(method, `/v1/secrets/${name}`, { json });
    const absent = await api.request(method, `/v1/secrets/${missing}`, { json });
    expect([foreign.status, foreign.text]).toEqual([absent.status, absent.text]);
    expectError(foreign, 404, "SECRET_NOT_FOUND");
  }
  expect((await stranger.api.get(`/v1/secrets/${name}`)).as("Secret").updated_at).toBeTruthy();
});

test("writes count against the hourly cap, and one over it stores nothing", async ({
  newAccount,
}) => {
  const { api } = await newAccount({ writePerHour: 2 });
  expect(
    (await api.post("/v1/secrets", { name: "A", value: "x", allowed_hosts: HOSTS })).status,
  ).toBe(201);
  expectError(
    await api.post("/v1/secrets", { name: "A", value: "x", allowed_hosts: HOSTS }),
    409,
    "CONFLICT",
  );
  expect((await api.put("/v1/secrets/A", { value: "y" })).status).toBe(200);
  const over = await api.post("/v1/secrets", { name: "B", value: "x", allowed_hosts: HOSTS });
  expectError(over, 429, "RATE_LIMITED");
  expect(Number(over.header("retry-after"))).toBeGreaterThanOrEqual(1);
  expectError(await api.delete("/v1/secrets/A"), 429, "RATE_LIMITED");
  expect((await api.get("/v1/secrets")).as("SecretPage").data.map((row) => row.name)).toEqual([
    "A",
  ]);
});

test("a connector sends the secret to its host, and no run, event or transcript shows it", async ({
  api,
  inbox,
  newAgent,
  script,
}) => {
  const name = newName();
  const value = `tok-${name}-%2F+/=`;
  await api.post("/v1/secrets", { name, value, allowed_hosts: [new URL(inbox.url).host] });
  await inbox.answerWith([
    {
      status: 200,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ echo: value, b64: Buffer.from(value).toString("base64") }),
    },
  ]);
  const http = [
    {
      name: "ping",
      method: "POST",
      url: `${inbox.url}/ping`,
      auth_secret: name,
      input_schema: { type: "object" },
    },
  ];
  const agent = await newAgent({ config: { tools: { http } } });
  const one = await script({ tool_calls: [{ name: "ping", args: { a: 1 } }] }, { text: "Done." });
  const run = await waitForRun(
    api,
    (await startRun(api, { agent_id: agent.agent_id, input: { text: one.mark } })).run_id,
  );
  expect(run.status).toBe("completed");
  const [call] = await inbox.received();
  expect(call).toMatchObject({
    method: "POST",
    body: '{"a":1}',
    headers: { authorization: `Bearer ${value}` },
  });
  expect(call?.headers["idempotency-key"]).toMatch(new RegExp(`^${run.run_id}:.+`));
  const told = toolResultOf((await one.calls()).at(-1));
  expect(told).toContain("[redacted]");
  const events = await api.get(`/v1/runs/${run.run_id}/events`, {
    headers: { accept: "application/json" },
  });
  const raw = await api.get(`/v1/runs/${run.run_id}`, { query: { raw_output: "true" } });
  for (const text of [told, events.text, raw.text, JSON.stringify(await one.calls())])
    for (const form of [
      value,
      JSON.stringify(value).slice(1, -1),
      Buffer.from(value).toString("base64"),
    ])
      expect(text).not.toContain(form);
  expect((await api.get(`/v1/secrets/${name}`)).as("Secret").last_used_at).not.toBeNull();
});

test("a secret that the model says is shown nowhere, however cut; a short one is", async ({
  api,
  script,
}) => {
  const value = `tok-${newName()}-%2F+/=`;
  await api.post("/v1/secrets", { name: newName(), value, allowed_hosts: HOSTS });
  await api.post("/v1/secrets", { name: newName(), value: "8080", allowed_hosts: HOSTS });
  const forms = [
    value,
    Buffer.from(value).toString("base64").replace(/=+$/, ""),
    Buffer.from(value).toString("hex"),
    encodeURIComponent(value),
  ];
  const said = `Port 8080: ${forms.join(" and ")}.`;
  const one = await script({ reasoning: said, text: said, chunk_size: 5 });
  const stream = await RunStream.start(api, { input: { text: one.mark } });
  await stream.readAll();
  const expected = "Port 8080: [redacted] and [redacted] and [redacted] and [redacted].";
  const last = expectWholeLog(stream.lines);
  expect(last).toMatchObject({ type: "run.completed", result: { text: expected } });
  expect(lastMessageText(stream.lines)).toBe(expected);
  expect(
    stream.lines.flatMap((line) => (line.type === "thinking.delta" ? [line.delta] : [])).join(""),
  ).toBe(expected);
  expect(
    (await api.get(`/v1/runs/${stream.runId}`, { query: { raw_output: "true" } })).as("Run").result,
  ).toMatchObject({
    text: expected,
    raw_output: expected,
  });
});
