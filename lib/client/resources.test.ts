import { readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { expect, expectTypeOf, onTestFinished, test } from "vitest";
import { APP_OPERATIONS } from "@/lib/api/apps/operations";
import { openapiDocument } from "@/lib/api/openapi/document-text";
import { V1_OPERATIONS } from "@/lib/api/v1/operations";
import {
  type Agent,
  createClient,
  LatheRunError,
  type ModelId,
  type WorkspaceFile,
} from "./lathe-client";
import { RESOURCES } from "./resources";
import { fakeClock } from "./test/clocks";
import { RUN_ID, sampleRun, sendJson, startStubServer } from "./test/stub-service";

/** What takes more than one request of JSON, and so has a method of its own. */
const WRITTEN_OUT: Record<string, readonly [noun: string, method: string]> = {
  "POST /v1/agents": ["agents", "create"],
  "POST /v1/agents/{agent_id}/edits": ["agents", "edit"],
  "GET /v1/agents/{agent_id}/export": ["agents", "export"],
  "POST /v1/agents/import": ["agents", "import"],
  "POST /v1/runs": ["runs", "create"],
  "GET /v1/runs/{run_id}": ["runs", "get"],
  "POST /v1/runs/{run_id}/cancel": ["runs", "cancel"],
  "GET /v1/runs/{run_id}/events": ["runs", "events"],
  "POST /v1/realtime/runs": ["runs", "stream"],
  "POST /v1/super-agent/runs": ["superAgentRuns", "create"],
  "GET /v1/super-agent/runs/{run_id}": ["superAgentRuns", "get"],
  "POST /v1/super-agent/runs/{run_id}/cancel": ["superAgentRuns", "cancel"],
  "GET /v1/super-agent/runs/{run_id}/events": ["superAgentRuns", "events"],
  "POST /v1/super-agent/realtime/runs": ["superAgentRuns", "stream"],
  "GET /api/v1/apps/{appId}/runs/{runId}/events": ["apps", "events"],
  "POST /v1/workspaces/{workspace_id}/files": ["files", "upload"],
  "GET /v1/workspaces/{workspace_id}/files/{file_id}/content": ["files", "download"],
  "GET /v1/runs/{run_id}/files/content": ["files", "downloadOfRun"],
  "GET /v1/end-users/{end_user}/export": ["endUsers", "export"],
};
const METHODS = ["get", "post", "put", "patch", "delete"];

interface DocumentOperation {
  requestBody?: object;
}

test("every operation of the document has a method of the client, and no more", () => {
  // Our own document, as the service sends it.
  const document = JSON.parse(
    JSON.stringify(openapiDocument([...V1_OPERATIONS, ...APP_OPERATIONS])),
  ) as {
    paths: Record<string, Record<string, DocumentOperation>>;
  };
  const documented = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => METHODS.includes(method))
      .map(
        ([method, { requestBody }]) =>
          `${method.toUpperCase()} ${path}${requestBody ? " with a body" : ""}`,
      ),
  );
  const named = Object.values(RESOURCES).flatMap((routes) =>
    Object.values<readonly [string, string, "body"?]>(routes).map(
      ([method, path, body]) =>
        `${(method === "list" ? "get" : method).toUpperCase()} ` +
        `${path}${body ? " with a body" : ""}`,
    ),
  );
  const plain = (operation: string) => operation.replace(" with a body", "");
  const others = documented.filter((operation) => Object.hasOwn(WRITTEN_OUT, plain(operation)));
  expect(others.map(plain).sort()).toEqual(Object.keys(WRITTEN_OUT).sort());
  expect([...named, ...others].sort()).toEqual(documented.sort());
  const client = createClient({ apiKey: "k", baseUrl: "http://127.0.0.1:1" }) as unknown as Record<
    string,
    Record<string, unknown>
  >; // by name
  for (const [noun, method] of Object.values(WRITTEN_OUT))
    expect(client[noun]?.[method], `${noun}.${method}`).toBeTypeOf("function");
});

const PYTHON = "clients/python/src/lathe_client";
const toSnakeCase = (name: string) =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

test.each([
  ["_client.py", "def"],
  ["_async_client.py", "(?:async )?def"],
])("%s has each noun of the client, and each method that is written out", (file, def) => {
  const text = readFileSync(`${PYTHON}/${file}`, "utf8");
  const classes = new Map(
    [...text.matchAll(/^class (\w+)(?:\(([^)]*)\))?:\n([\s\S]*?)(?=^class |(?![\s\S]))/gm)].map(
      ([, name = "", bases = "", body = ""]) => [name, { bases: bases.split(", "), body }],
    ),
  );
  const classOf = (noun: string) =>
    new RegExp(`self\\.${toSnakeCase(noun)} = ([\\w.]+)\\(core\\)`).exec(text)?.[1];
  expect(Object.keys(RESOURCES).filter((noun) => classOf(noun) === undefined)).toEqual([]);
  const has = (name: string, method: string): boolean => {
    const found = classes.get(name);
    if (!found) return false;
    const isOwn = new RegExp(`^    ${def} ${method}\\(`, "m").test(found.body);
    return isOwn || found.bases.some((base) => has(base, method));
  };
  const missing = Object.values(WRITTEN_OUT).filter(([noun, method]) => {
    const name = method === "import" ? "import_document" : toSnakeCase(method);
    return !has(classOf(noun) ?? "", name);
  });
  expect(missing).toEqual([]);
});

async function stubbed(answer: unknown = {}) {
  const stub = await startStubServer((_, response) => sendJson(response, 200, answer));
  return {
    lathe: createClient({ apiKey: "k", baseUrl: stub.url }, fakeClock()),
    requests: stub.requests,
  };
}

test("a method sends its ids in the path's order, its body, query and headers", async () => {
  const { lathe, requests } = await stubbed();
  await lathe.agents.getVersion("a/1", "v");
  await lathe.agents.update("a", { name: "Reporter" }, { headers: { "If-Match": '"7"' } });
  await lathe.account.rotateWebhookSecret();
  await lathe.skills.install({ content: "# Skill" }, { query: { replace: true } });
  await lathe.approvals.approve("p");
  await lathe.approvals.reject("p", "Ask first.");
  expect(requests.map(({ method, path, body }) => [method, path, body])).toEqual([
    ["GET", "/v1/agents/a%2F1/versions/v", ""],
    ["PATCH", "/v1/agents/a", '{"name":"Reporter"}'],
    ["POST", "/v1/account/webhook-secret/rotate", ""],
    ["POST", "/v1/skills?replace=true", '{"content":"# Skill"}'],
    ["POST", "/v1/approvals/p/resolve", '{"decision":"approve"}'],
    ["POST", "/v1/approvals/p/resolve", '{"decision":"reject","message":"Ask first."}'],
  ]);
  expect(requests[1]?.headers["if-match"]).toBe('"7"');
  expectTypeOf(lathe.agents.get).returns.resolves.toEqualTypeOf<Agent>();
});

test("a list by name gives row after row, and takes its filters", async () => {
  const { lathe, requests } = await stubbed({
    data: [{ name: "a.csv" }, { name: "b.csv" }],
    has_more: false,
    next_cursor: null,
  });
  const names: string[] = [];
  for await (const file of lathe.files.list("w", { prefix: "data/" })) names.push(file.name);
  expect([names, requests[0]?.path]).toEqual([
    ["a.csv", "b.csv"],
    "/v1/workspaces/w/files?prefix=data%2F",
  ]);
});

test("an empty or missing id is an error, and nothing is sent elsewhere", async () => {
  const { lathe, requests } = await stubbed();
  await expect(async () => lathe.agents.archive("")).rejects.toThrow(
    "agents.archive needs agent_id",
  );
  // What a caller without types may do.
  await expect(async () => (lathe.workspaces.get as (id?: string) => unknown)()).rejects.toThrow(
    TypeError,
  );
  expect(requests).toEqual([]);
});

const CONTENTS = {
  text: () => "a,b\n1,2\n",
  bytes: () => new TextEncoder().encode("a,b\n1,2\n"),
  buffer: () => Buffer.from("a,b\n1,2\n"),
  blob: () => new Blob(["a,b\n", "1,2\n"]),
  "web stream": () => new Blob(["a,b\n1,2\n"]).stream(),
  "stream of Node.js": () => Readable.from([Buffer.from("a,b\n"), Buffer.from("1,2\n")]),
};
for (const [what, content] of Object.entries(CONTENTS)) {
  test(`a file goes up from a ${what}`, async () => {
    const { lathe, requests } = await stubbed({ file_id: "f" });
    const file = await lathe.files.upload("w", "data/ü.csv", content(), {
      contentType: "text/csv",
    });
    expectTypeOf(file).toEqualTypeOf<WorkspaceFile>();
    expect(requests).toMatchObject([
      {
        method: "POST",
        path: "/v1/workspaces/w/files?path=data%2F%C3%BC.csv",
        body: "a,b\n1,2\n",
        headers: { "content-type": "text/csv" },
      },
    ]);
  });
}

test("an upload that the service refuses, or whose line breaks, is not sent again", async () => {
  const stub = await startStubServer(({ path }, response) => {
    if (path.includes("break")) response.destroy();
    else sendJson(response, 503, { error: "SERVICE_UNAVAILABLE", message: "" });
  });
  const lathe = createClient({ apiKey: "k", baseUrl: stub.url }, fakeClock());
  await expect(lathe.files.upload("w", "a", "x")).rejects.toMatchObject({ status: 503 });
  await expect(lathe.files.upload("w", "break", "x")).rejects.toMatchObject({
    name: "LatheConnectionError",
  });
  expect(stub.requests).toHaveLength(2);
});

test("an agent's document goes up as the text that it is", async () => {
  const { lathe, requests } = await stubbed({ agent_id: "a" });
  await lathe.agents.import("kind: agent # mine\n");
  expect(requests).toMatchObject([
    { body: "kind: agent # mine\n", headers: { "content-type": "application/yaml" } },
  ]);
});

function runsThat(end: Parameters<typeof sampleRun>[0]) {
  return startStubServer(({ method }, response) =>
    sendJson(response, method === "POST" ? 202 : 200, sampleRun(method === "POST" ? {} : end)),
  );
}

test("createAndWait gives a completed run, its data read, and throws other ends", async () => {
  const result = { text: "18 °C", artifacts: [], data: { degrees: 18 } };
  const good = await runsThat({ status: "completed", result });
  const lathe = createClient({ apiKey: "k", baseUrl: good.url }, fakeClock());
  const readData = (data: unknown) => (data as { degrees: number }).degrees;
  const run = await lathe.runs.createAndWait({ input: {} }, { readData });
  expectTypeOf(run.result.data).toEqualTypeOf<number>();
  expect([run.status, run.result.text, run.result.data]).toEqual(["completed", "18 °C", 18]);
  const typed = await lathe.runs.createAndWait<{ degrees: number }>({ input: {} });
  expect(typed.result.data.degrees).toBe(18);
  expect(
    good.requests
      .filter(({ method }) => method === "POST")
      .every(({ headers }) => headers["idempotency-key"]),
  ).toBe(true);
  const bad = await runsThat({
    status: "failed",
    error: { code: "TIMEOUT", message: "Too long." },
  });
  const failed = createClient({ apiKey: "k", baseUrl: bad.url }, fakeClock()).runs.createAndWait({
    input: {},
  });
  await expect(failed).rejects.toBeInstanceOf(LatheRunError);
  await expect(failed).rejects.toMatchObject({ code: "TIMEOUT", run: { run_id: RUN_ID } });
});

test("key and address come from the environment, or are said to be missing", async () => {
  const { requests } = await stubbed();
  const stub = await startStubServer((_, response) => sendJson(response, 200, {}));
  const before = { ...process.env };
  onTestFinished(() => {
    process.env = before;
  });
  process.env = { ...before, LATHE_API_KEY: "svc_sk_env", LATHE_BASE_URL: stub.url };
  await createClient().account.get();
  expect(stub.requests[0]?.headers.authorization).toBe("Bearer svc_sk_env");
  await createClient({ apiKey: "svc_sk_mine" }).account.get();
  expect(stub.requests[1]?.headers.authorization).toBe("Bearer svc_sk_mine");
  process.env = { ...before, LATHE_API_KEY: "", LATHE_BASE_URL: "" };
  expect(() => createClient({ baseUrl: stub.url })).toThrow("LATHE_API_KEY");
  expect(() => createClient({ apiKey: "k" })).toThrow("LATHE_BASE_URL");
  expect(requests).toEqual([]);
});

test("a model of the service's own is a model, beside those that are known by name", () => {
  expectTypeOf<"compatible/llama3">().toExtend<ModelId>();
  expectTypeOf<"builtin/offline">().toExtend<ModelId>();
  expectTypeOf<42>().not.toExtend<ModelId>();
});
