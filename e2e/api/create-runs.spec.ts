import { brokenBodies, expectError } from "../support/expect-answers";
import { textOfMessages } from "../support/model-script";
import { RunStream } from "../support/run-log";
import { inputOfBytes, startRun, waitForRun } from "../support/runs";
import { expect, test } from "../support/test";
import { UNKNOWN_ID, UNKNOWN_IDS } from "../support/unknown-ids";

const INPUT_MAX_BYTES = 262_144;
const pairs = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, "value"]));

test("an agent's run is accepted as pending with its address, and ends with an answer", async ({
  api,
  sharedAgent,
  script,
}) => {
  const one = await script({ text: "The answer is 42." });
  const body = {
    agent_id: sharedAgent.agent_id,
    input: { question: `What is it? ${one.mark}` },
    metadata: { customer: "c-1" },
    should_notify: false,
  };
  const accepted = await api.post("/v1/runs", body);
  expect(accepted.status).toBe(202);
  const pending = accepted.as("Run");
  expect(pending).toMatchObject({
    status: "pending",
    kind: "agent",
    agent_id: sharedAgent.agent_id,
    metadata: { customer: "c-1" },
    workspace_id: null,
  });
  expect(pending.conversation_id).toBeTruthy();
  expect(new URL(accepted.header("location") ?? "", api.baseUrl).pathname).toBe(
    `/v1/runs/${pending.run_id}`,
  );
  const run = await waitForRun(api, pending.run_id);
  expect(run).toMatchObject({
    status: "completed",
    model: "compatible/test-model",
    result: { text: "The answer is 42.", artifacts: [] },
  });
  expect(run.error ?? null).toBeNull();
  expect(Date.parse(run.started_at ?? "")).toBeGreaterThanOrEqual(Date.parse(run.created_at));
  expect(Date.parse(run.completed_at ?? "")).toBeGreaterThanOrEqual(
    Date.parse(run.started_at ?? ""),
  );
});

test("a run follows its agent's own skill and gets its input", async ({
  api,
  newAgent,
  script,
}) => {
  const agent = await newAgent({
    name: "Parrot",
    skill: "# Parrot\n\nAlways say PIECES-OF-EIGHT.",
  });
  const one = await script({ text: "ok" });
  await waitForRun(
    api,
    (
      await startRun(api, {
        agent_id: agent.agent_id,
        input: { ask: one.mark, topic: "GOLD-AND-SILVER" },
      })
    ).run_id,
  );
  const told = textOfMessages((await one.calls())[0]);
  expect(told).toContain("PIECES-OF-EIGHT");
  expect(told).toContain("GOLD-AND-SILVER");
});

test("a run without an agent is a general run of kind agent, with every built-in tool", async ({
  api,
  script,
}) => {
  const one = await script({ text: "general" });
  const run = await startRun(api, { input: { text: one.mark } });
  expect(run).toMatchObject({ kind: "agent", agent_id: null });
  expect((await waitForRun(api, run.run_id)).status).toBe("completed");
  const tools = (await one.calls())[0]?.body.tools?.map((tool) => tool.function.name);
  expect(tools).toEqual(
    expect.arrayContaining(["files_read", "files_edit", "run_javascript", "todo", "artifacts"]),
  );
});

test("an agent with a list of tools is offered no others", async ({ api, newAgent, script }) => {
  const agent = await newAgent({ config: { tools: { builtin: ["todo"] } } });
  const one = await script({ text: "ok" });
  await waitForRun(
    api,
    (await startRun(api, { agent_id: agent.agent_id, input: { text: one.mark } })).run_id,
  );
  const tools = (await one.calls())[0]?.body.tools?.map((tool) => tool.function.name) ?? [];
  expect(tools).toContain("todo");
  for (const name of ["files_read", "run_javascript", "artifacts", "web_fetch"])
    expect(tools).not.toContain(name);
});

test("the request's model wins over the agent's, and the agent's over the default", async ({
  api,
  newAgent,
  script,
}) => {
  const agent = await newAgent({ config: { model: "compatible/other-model" } });
  for (const [model, expected] of [
    [undefined, "other-model"],
    ["compatible/test-model", "test-model"],
  ] as const) {
    const one = await script({ text: "ok" });
    const run = await waitForRun(
      api,
      (await startRun(api, { agent_id: agent.agent_id, input: { text: one.mark }, model })).run_id,
    );
    expect(run.model).toBe(`compatible/${expected}`);
    expect((await one.calls())[0]?.body.model).toBe(expected);
  }
});

test("a model that is not in the list is refused with the list", async ({ api }) => {
  for (const model of ["nobody/nothing", "compatible/not-configured", "test-model", ""]) {
    const { message } = expectError(
      await api.post("/v1/runs", { input: {}, model }),
      400,
      "INVALID_INPUT",
      "model",
    );
    if (model) expect(message).toContain("builtin/offline");
  }
});

test("an agent's inputs schema is held against the input, and the place named", async ({
  api,
  newAgent,
  script,
}) => {
  const inputs = {
    type: "object",
    properties: { topic: { type: "string" }, count: { type: "integer", maximum: 5 } },
    required: ["topic"],
  };
  const agent = await newAgent({ config: { inputs } });
  const attempt = (input: Record<string, unknown>) =>
    api.post("/v1/runs", { agent_id: agent.agent_id, input });
  expectError(await attempt({}), 400, "INVALID_INPUT", "input.topic");
  expectError(await attempt({ topic: 7 }), 400, "INVALID_INPUT", "input.topic");
  expectError(await attempt({ topic: "x", count: 6 }), 400, "INVALID_INPUT", "input.count");
  expectError(
    await api.post("/v1/realtime/runs", { agent_id: agent.agent_id, input: {} }),
    400,
    "INVALID_INPUT",
    "input.topic",
  );
  const one = await script({ text: "ok" });
  expect((await attempt({ topic: one.mark, count: 5 })).status).toBe(202);
});

for (const [wrong, right] of [
  ["appId", "agent_id"],
  ["inputs", "input"],
  ["skills", "skill"],
] as const) {
  test(`a run's body with ${wrong} is refused with words about ${right}, both ways`, async ({
    api,
  }) => {
    for (const path of ["/v1/runs", "/v1/realtime/runs"]) {
      const body = {
        input: {},
        [wrong]: wrong === "skills" ? [] : wrong === "inputs" ? {} : UNKNOWN_ID,
      };
      const { message, details } = expectError(
        await api.post(path, body),
        400,
        "INVALID_INPUT",
        wrong,
      );
      expect(
        `${message} ${details?.map((detail) => detail.message).join(" ")}`.replaceAll(wrong, ""),
      ).toContain(right);
    }
  });
}

test("an input of 256 KB serialized is accepted and a byte more is not, in UTF-8", async ({
  api,
  script,
}) => {
  const one = await script({ text: "ok" });
  for (const multiByte of [false, true]) {
    const good = inputOfBytes(INPUT_MAX_BYTES, { multiByte, end: one.mark });
    expect(Buffer.byteLength(JSON.stringify(good))).toBe(INPUT_MAX_BYTES);
    expect((await api.post("/v1/runs", { input: good })).status).toBe(202);
    expectError(
      await api.post("/v1/runs", { input: inputOfBytes(INPUT_MAX_BYTES + 1, { multiByte }) }),
      400,
      "INVALID_INPUT",
      "input",
    );
  }
});

test("metadata holds 16 pairs with keys of 64 and values of 512 characters, and none more", async ({
  api,
  script,
}) => {
  const one = await script({ text: "ok" });
  const input = { text: one.mark };
  for (const metadata of [
    {},
    pairs(16),
    { ["k".repeat(64)]: "v" },
    { k: "v".repeat(512) },
    { clé: "ü".repeat(512) },
    { ["🌍".repeat(64)]: "🌍".repeat(512) },
  ]) {
    const response = await api.post("/v1/runs", { input, metadata });
    expect(response.status).toBe(202);
    expect(response.as("Run").metadata).toEqual(metadata);
  }
  for (const metadata of [
    pairs(17),
    { ["k".repeat(65)]: "v" },
    { k: "v".repeat(513) },
    { k: "🌍".repeat(513) },
    { k: 1 },
    { k: null },
    [],
    "text",
  ]) {
    expectError(await api.post("/v1/runs", { input, metadata }), 400, "INVALID_INPUT");
  }
});

/** An object of `levels` levels, itself counted. */
function nestedObject(levels: number): Record<string, unknown> {
  return levels === 1 ? {} : { deeper: nestedObject(levels - 1) };
}

test("JSON of 64 levels is accepted and of 65 is not", async ({ api, script }) => {
  const one = await script({ text: "ok" });
  const attempt = (levels: number) =>
    api.post("/v1/runs", { input: { text: one.mark, nested: nestedObject(levels - 2) } });
  expect((await attempt(64)).status).toBe(202);
  expectError(await attempt(65), 400, "INVALID_INPUT");
});

const UNSTORABLE: [string, Record<string, unknown>][] = [
  ["a NUL character deep inside", { a: [{ b: "x\u0000y" }] }],
  ["a NUL character in a key", { "x\u0000y": 1 }],
  ["a lone high surrogate deep inside", { a: [["\ud83c"]] }],
  ["a lone low surrogate in a key", { "\udf0d": 1 }],
];
for (const [name, input] of UNSTORABLE) {
  test(`a run's input with ${name} is refused, async and streamed, and in metadata too`, async ({
    api,
  }) => {
    for (const path of ["/v1/runs", "/v1/realtime/runs"])
      expectError(await api.post(path, { input }), 400, "INVALID_INPUT");
    expectError(
      await api.post("/v1/runs", { input: {}, metadata: { key: "x\u0000y" } }),
      400,
      "INVALID_INPUT",
    );
  });
}

test("a webhook has up to 2,048 characters, and is public http or https without a login", async ({
  api,
  inbox,
  script,
}) => {
  const one = await script({ text: "ok" });
  const input = { text: one.mark };
  const long = `${inbox.url}/`.padEnd(2048, "x");
  expect((await api.post("/v1/runs", { input, webhook_url: long })).status).toBe(202);
  const refused = [
    `${long}x`,
    "not a url",
    "ftp://93.184.216.34/",
    "file:///etc/passwd",
    "http://localhost/",
    "http://localhost.:80/",
    "http://a.localhost/",
    "http://printer.local/",
    "http://intranet/",
    "http://metadata.google.internal/",
    "http://127.0.0.1:9/",
    "http://127.1/",
    "http://0x7f.1/",
    "http://2130706433/",
    "http://0.0.0.0/",
    "http://10.1.2.3/",
    "http://172.16.0.1/",
    "http://192.168.1.1/",
    "http://169.254.169.254/latest/meta-data",
    "http://100.64.0.1/",
    "http://168.63.129.16/",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::a9fe:a9fe]/",
    "http://[fd00::1]/",
    "http://[fe80::1]/",
    // secretlint-disable-next-line -- an address with a password is what has to be refused
    "http://user:pass@93.184.216.34/",
  ];
  for (const webhook_url of refused) {
    const response = await api.post("/v1/runs", { input, webhook_url });
    expect([webhook_url, response.status]).toEqual([webhook_url, 400]);
    expectError(response, 400, "INVALID_INPUT", "webhook_url");
  }
});

for (const { name, options, status, code } of brokenBodies(
  { input: {}, model: "builtin/offline" },
  "model",
)) {
  for (const path of ["/v1/runs", "/v1/realtime/runs"]) {
    test(`POST ${path} refuses ${name}`, async ({ api }) => {
      expectError(await api.post(path, undefined, options), status, code);
    });
  }
}

const BAD_FIELDS: [string, Record<string, unknown>, string][] = [
  ["no input", {}, "input"],
  ["a text as input", { input: "hello" }, "input"],
  ["a list as input", { input: [] }, "input"],
  ["null as input", { input: null }, "input"],
  ["a malformed agent_id", { input: {}, agent_id: "42" }, "agent_id"],
  ["a malformed conversation_id", { input: {}, conversation_id: "42" }, "conversation_id"],
  ["a malformed workspace_id", { input: {}, workspace_id: "42" }, "workspace_id"],
  ["a number as model", { input: {}, model: 4 }, "model"],
  ["max_credits of 0", { input: {}, max_credits: 0 }, "max_credits"],
  ["negative max_credits", { input: {}, max_credits: -1 }, "max_credits"],
  ["max_credits as text", { input: {}, max_credits: "5" }, "max_credits"],
  ["an unknown field", { input: {}, surplus: 1 }, "surplus"],
  [
    "an unknown field that every object of the language has",
    { input: {}, constructor: 1 },
    "constructor",
  ],
  [
    "an unknown field by which prototypes are set",
    JSON.parse('{"input": {}, "__proto__": {"a": 1}}'),
    "__proto__",
  ],
];
for (const [name, body, path] of BAD_FIELDS) {
  test(`starting a run with ${name} is refused and names the field, async and streamed`, async ({
    api,
  }) => {
    for (const route of ["/v1/runs", "/v1/realtime/runs"])
      expectError(await api.post(route, body), 400, "INVALID_INPUT", path);
  });
}

test("should_notify is a boolean of async runs", async ({ api }) => {
  expectError(
    await api.post("/v1/runs", { input: {}, should_notify: "yes" }),
    400,
    "INVALID_INPUT",
    "should_notify",
  );
});

test("well-formed unknown ids in a run's body answer 404 by kind, and nothing starts", async ({
  newAccount,
}) => {
  const { api } = await newAccount();
  for (const id of UNKNOWN_IDS) {
    for (const path of ["/v1/runs", "/v1/realtime/runs"]) {
      expectError(await api.post(path, { input: {}, agent_id: id }), 404, "AGENT_NOT_FOUND");
      expectError(
        await api.post(path, { input: {}, conversation_id: id }),
        404,
        "CONVERSATION_NOT_FOUND",
      );
      expectError(
        await api.post(path, { input: {}, workspace_id: id }),
        404,
        "WORKSPACE_NOT_FOUND",
      );
    }
    expectError(
      await api.post("/v1/agents", { input: "x", conversation_id: id }),
      404,
      "CONVERSATION_NOT_FOUND",
    );
  }
  expect((await api.get("/v1/runs")).json()).toMatchObject({ data: [] });
});

test("markup and control characters of an input reach the prompt unharmed, and no header", async ({
  api,
  script,
}) => {
  const one = await script({ text: "</script><img src=x onerror=alert(1)>\r\nSet-Cookie: a=b 🌍" });
  const stream = await RunStream.start(api, {
    input: { text: `'; DROP TABLE runs; -- \r\n\t${one.mark}` },
  });
  const lines = await stream.readAll();
  expect(lines.at(-1)).toMatchObject({
    result: { text: "</script><img src=x onerror=alert(1)>\r\nSet-Cookie: a=b 🌍" },
  });
  expect(textOfMessages((await one.calls())[0])).toContain("DROP TABLE runs");
});
