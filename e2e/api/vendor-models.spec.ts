import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createAccount, type TestAccount } from "../support/accounts";
import { admin } from "../support/admin";
import { ApiClient } from "../support/api-client";
import { expectError } from "../support/expect-answers";
import { makePdf } from "../support/make-documents";
import { startRun, waitForEdit, waitForRun } from "../support/runs";
import { freePort } from "../support/servers";
import { type Service, startService } from "../support/start-service";
import { test as base, expect } from "../support/test";
import { until } from "../support/until";
import {
  startVendorServer,
  VENDOR_KEY,
  type VendorName,
  type VendorServer,
} from "../support/vendor-server";

const TODAY = {
  openai: {
    names: ["gpt-6.1-sol", "gpt-6.1-terra", "gpt-6-luna"],
    key: "OPENAI_API_KEY",
    address: "OPENAI_BASE_URL",
  },
  anthropic: {
    names: ["claude-sonnet-5-5", "claude-opus-5-5", "claude-haiku-5-5"],
    key: "ANTHROPIC_API_KEY",
    address: "ANTHROPIC_BASE_URL",
  },
  google: {
    names: ["gemini-3.8-flash", "gemini-3.5-flash-lite"],
    key: "GOOGLE_GENERATIVE_AI_API_KEY",
    address: "GOOGLE_BASE_URL",
  },
} as const;
const UNHEARD = "nova-9";
const DEFAULTS = {
  openai: "gpt-6.1-sol",
  anthropic: "claude-sonnet-5-5",
  google: "gemini-3.8-flash",
} as const;

const BUILDERS = {
  openai: "gpt-6.1-sol",
  anthropic: "claude-opus-5-5",
  google: "gemini-3.8-flash",
} as const;
/** Only a build is given this tool. */
const BUILDS = /"name":"finish"/;
/** How much a request asks its model to think, in the vendor's own word. */
const EFFORTS: Record<VendorName, (body: Record<string, unknown>) => unknown> = {
  openai: (body) => (body.reasoning as { effort?: string } | undefined)?.effort,
  anthropic: (body) => (body.output_config as { effort?: string } | undefined)?.effort,
  google: (body) =>
    (body.generationConfig as { thinkingConfig?: { thinkingLevel?: string } } | undefined)
      ?.thinkingConfig?.thinkingLevel,
};

// A service a vendor, with that vendor's key alone.
const test = base.extend<
  object,
  {
    vendors: Record<
      VendorName,
      { owner: TestAccount; server: VendorServer; service: Service; dataDir: string }
    >;
  }
>({
  vendors: [
    async ({ modelUrl }, use) => {
      const folder = await mkdtemp(path.join(tmpdir(), "lathe-vendors-"));
      const started: {
        vendor: VendorName;
        server: VendorServer;
        service: Service;
        owner: TestAccount;
        dataDir: string;
      }[] = [];
      for (const vendor of ["openai", "anthropic", "google"] as const) {
        const { names, key, address } = TODAY[vendor];
        const server = await startVendorServer(vendor, [...names, UNHEARD]);
        const dataDir = path.join(folder, vendor);
        const environment = {
          ...{
            OPENAI_COMPATIBLE_BASE_URL: "",
            OPENAI_COMPATIBLE_MODELS: "",
            OPENAI_COMPATIBLE_VISION_MODELS: "",
          },
          ...{ [key]: VENDOR_KEY, [address]: server.baseUrl },
        };
        const service = await startService({
          port: await freePort(),
          dataDir,
          modelUrl,
          logFile: `${dataDir}.log`,
          environment,
        });
        const owner = await createAccount(
          service.baseUrl,
          { credits: 10_000, superAgent: true },
          { DATA_DIR: dataDir },
        );
        started.push({ vendor, server, service, owner, dataDir });
      }
      const of = (vendor: VendorName) => {
        const found = started.find((each) => each.vendor === vendor);
        if (!found) throw new Error(`no service of ${vendor} was started`);
        return found;
      };
      await use({ openai: of("openai"), anthropic: of("anthropic"), google: of("google") });
      for (const { service, server } of started) {
        await service.stop();
        await server.close();
      }
      await rm(folder, { recursive: true, force: true });
    },
    { scope: "worker", timeout: 600_000 },
  ],
});
test.describe.configure({ mode: "default" });

for (const vendor of ["openai", "anthropic", "google"] as const) {
  for (const named of [null, UNHEARD])
    test(
      `with the key of ${vendor} alone an agent is built, run, streamed and edited ` +
        (named
          ? "by a model that nobody has told this service of"
          : "with no model named, by models that the vendor has today"),
      async ({ vendors }) => {
        const { owner, server } = vendors[vendor];
        const [before, model] = [server.sent.length, named && `${vendor}/${named}`];
        const builder = model ?? `${vendor}/${BUILDERS[vendor]}`;
        const runner = model ?? `${vendor}/${DEFAULTS[vendor]}`;
        const asked = await owner.api.post("/v1/agents", {
          input: "An agent that answers questions about tables in the workspace",
          ...(model && { builder_model: model }),
        });
        const built = await waitForRun(owner.api, asked.as("Run").run_id);
        expect(built).toMatchObject({
          status: "completed",
          model: builder,
          result: { agent_name: "Table reader", build: { outcome: "built" } },
        });
        const request = {
          agent_id: built.agent_id,
          input: { request: "Total by region?" },
          ...(model && { model }),
        };
        const run = await waitForRun(owner.api, (await startRun(owner.api, request)).run_id);
        expect(run).toMatchObject({ status: "completed", model: runner });
        expect(run.usage).toMatchObject({
          breakdown: [{ model: runner, input_tokens: 50, output_tokens: 10 }],
        });
        const streamed = await owner.api.post("/v1/realtime/runs", request);
        const lines = streamed.text
          .trim()
          .split("\n")
          .map((line): { type: string; delta?: string } => JSON.parse(line));
        expect(lines.at(-1)?.type).toBe("run.completed");
        expect(lines.map(({ delta = "" }) => delta).join("")).toBe(
          "North has 2700 and South has 1750.",
        );
        const edited = await owner.api.post(`/v1/agents/${built.agent_id}/edits`, {
          input: "Rename it to Sum reader",
          ...(model && { builder_model: model }),
        });
        const edit = await waitForEdit(
          owner.api,
          built.agent_id ?? "",
          edited.as("EditRun").run_id,
        );
        expect(edit).toMatchObject({ status: "succeeded", result: { agent_name: "Sum reader" } });
        const called = server.called.slice(before);
        for (const each of called)
          expect(named === null ? TODAY[vendor].names : [named]).toContain(each);
        // Builds think at medium where the model is known to; of an unknown one nothing is asked.
        const builds = server.sent
          .slice(before)
          .filter((body) => BUILDS.test(JSON.stringify(body)));
        expect(builds.length).toBeGreaterThanOrEqual(4);
        expect(new Set(builds.map(EFFORTS[vendor]))).toEqual(
          new Set([named === null ? "medium" : undefined]),
        );
      },
    );

  test(`a model that ${vendor} lists is run, untold; another is refused with the list`, async ({
    vendors,
  }) => {
    const { owner } = vendors[vendor];
    const run = await waitForRun(
      owner.api,
      (await startRun(owner.api, { input: { text: "Hello." }, model: `${vendor}/${UNHEARD}` }))
        .run_id,
    );
    expect(run).toMatchObject({ status: "completed", model: `${vendor}/${UNHEARD}` });
    expect(Number(run.usage?.credits)).toBeGreaterThan(0);
    const refused = await owner.api.post("/v1/runs", {
      input: { text: "Hello." },
      model: `${vendor}/nobody-has-it`,
    });
    expectError(refused, 400, "INVALID_INPUT");
    expect(refused.text).toContain(`${vendor}/${UNHEARD}`);
  });

  test(`a run on a model that ${vendor} has ended takes the fallback, or fails`, async ({
    vendors,
  }) => {
    const { owner, server } = vendors[vendor];
    const [newest = "", second = ""] = TODAY[vendor].names;
    const old = { openai: "gpt-5", anthropic: "claude-sonnet-4-5", google: "gemini-2.5-flash" }[
      vendor
    ];
    const before = server.called.length;
    const failed = await waitForRun(
      owner.api,
      (await startRun(owner.api, { input: { text: "Hello." }, model: `${vendor}/${old}` })).run_id,
    );
    expect(failed).toMatchObject({ status: "failed", error: { code: "MODEL_RETIRED" } });
    expect(failed.error?.message).toMatch(new RegExp(`Name ${vendor}/`));
    expect(server.called.slice(before)).toEqual([old]);
    const document = [
      ...[
        "kind: agent",
        "format: 1",
        "name: Old",
        "description: Old",
        "version: 1.0.0",
        "write_autonomy: blocked",
        "skill_content: Help.",
      ],
      `config: {version: 1, model: ${vendor}/${old}, fallback_models: [${vendor}/${second}, ` +
        `${vendor}/${newest}]}`,
    ].join("\n");
    const made = await owner.api.post("/v1/agents/import", undefined, {
      raw: document,
      headers: { "content-type": "application/yaml" },
    });
    const saved = await waitForRun(
      owner.api,
      (
        await startRun(owner.api, {
          agent_id: made.as("Agent").agent_id,
          input: { text: "Hello." },
        })
      ).run_id,
    );
    expect(saved).toMatchObject({
      status: "completed",
      usage: { breakdown: [{ model: `${vendor}/${second}` }] },
    });
  });
}

const CODE = "import numpy as np\nprint(np.mean([1, 2, 6]))";

for (const vendor of ["openai", "anthropic", "google"] as const)
  test(`with ${vendor}'s key a run reads a PDF, and computes in a call of code alone`, async ({
    vendors,
  }) => {
    const { owner, server } = vendors[vendor];
    const pdf = await makePdf(["A total of 3."]);
    const { workspace_id } = (await owner.api.post("/v1/workspaces", { name: "Scans" })).as(
      "Workspace",
    );
    const upload = { raw: pdf, query: { path: "scan.pdf" } };
    await owner.api.post(`/v1/workspaces/${workspace_id}/files`, undefined, upload);
    const document = [
      "kind: agent",
      "format: 1",
      `name: Computes at ${vendor}`,
      "skill_content: Compute.",
      "config: {version: 1, tools: {builtin: [files_read, run_python], python: provider}, " +
        "model_settings: {cache: 1h}}",
    ];
    const made = await owner.api.post("/v1/agents/import", undefined, {
      raw: document.join("\n"),
      headers: { "content-type": "application/yaml" },
    });
    const { agent_id } = made.as("Agent");
    const recorded = path.join("lib/runtime/models/fixtures", `${vendor}-code.sse`);
    const before = server.sent.length;
    server.script.push(
      { calls: [{ name: "files_read", input: { path: "scan.pdf" } }] },
      { calls: [{ name: "run_python", input: { code: CODE } }] },
      { stream: await readFile(recorded, "utf8") },
      { text: "The total is 3." },
    );
    const { run_id } = await startRun(owner.api, {
      ...{ agent_id, workspace_id, input: { request: "What is the total?" } },
    });
    const run = await waitForRun(owner.api, run_id);
    expect(run).toMatchObject({ status: "completed", result: { text: "The total is 3." } });
    expect(run.actions).toMatchObject([{ tool: "files_read" }, { tool: "run_python" }]);
    const [first = {}, reading, asked, last] = server.sent.slice(before);
    const base64 = Buffer.from(pdf).toString("base64");
    expect(JSON.stringify([reading, last]).split(base64)).toHaveLength(3);
    expect(JSON.stringify([first, asked])).not.toContain(base64);
    expect(JSON.stringify(asked)).not.toContain("scan.pdf");
    expect(JSON.stringify(asked?.tools)).toMatch(/code_interpreter|code_execution|codeExecution/);
    expect(JSON.stringify(last)).toContain("3.0");
    expect(JSON.stringify(first.system ?? "").includes('"ttl":"1h"')).toBe(vendor === "anthropic");
    const { data } = (await owner.api.get(`/v1/runs/${run_id}/files`)).as("RunFilePage");
    expect(data.map(({ content_type }) => content_type)).toEqual(
      vendor === "anthropic" ? [] : ["image/png"],
    );
    expect(run.usage?.breakdown?.[0]?.units ?? 0).toBe(vendor === "google" ? 0 : 1);
  });

test("Anthropic's breakpoints: behind the system prompt, and rolling on, three last turns", async ({
  vendors,
}) => {
  const { owner, server } = vendors.anthropic;
  const before = server.sent.length;
  const items = (text: string) => ({ items: [{ text, status: "open" }] });
  server.script.push(
    ...["one", "two", "three", "four"].map((text) => ({
      calls: [{ name: "todo", input: items(text) }],
    })),
    { text: "Done." },
  );
  const { run_id } = await startRun(owner.api, { input: { request: "Note them." } });
  expect((await waitForRun(owner.api, run_id)).status).toBe("completed");
  const marked = (value: unknown) => JSON.stringify(value ?? null).includes('"cache_control"');
  const sent = server.sent.slice(before).map(({ system, messages }) => ({
    system: marked(system),
    // A JSON array in the vendor's format.
    places: (messages as unknown[]).flatMap((message, at) => (marked(message) ? [at] : [])),
  }));
  expect(sent).toHaveLength(5);
  expect(sent.every(({ system }) => system)).toBe(true);
  expect(sent.map(({ places }) => places)).toEqual([[0], [0, 2], [0, 2, 4], [2, 4, 6], [4, 6, 8]]);
});

test("OpenAI's first call asks for the form strictly, beside tools, with room to say no", async ({
  vendors,
}) => {
  const { owner, server } = vendors.openai;
  const form = {
    type: "object",
    properties: { city: { type: "string" } },
    required: ["city"],
    additionalProperties: false,
  };
  const document = {
    ...{ kind: "agent", format: 1, name: "Forms", skill_content: "Answer." },
    config: { version: 1, output_schema: form, tools: { builtin: ["todo"] } },
  };
  const made = await owner.api.post("/v1/agents/import", undefined, {
    raw: JSON.stringify(document),
    headers: { "content-type": "application/yaml" },
  });
  const { agent_id } = made.as("Agent");
  const ask = async (answer: object) => {
    const before = server.sent.length;
    server.script.push({ text: JSON.stringify(answer) });
    const { run_id } = await startRun(owner.api, { agent_id, input: { request: "Which city?" } });
    return { run: await waitForRun(owner.api, run_id), sent: server.sent.slice(before) };
  };
  const whole = await ask({ answer: { city: "Oslo" }, missing: [] });
  expect(whole.run).toMatchObject({ status: "completed", result: { data: { city: "Oslo" } } });
  expect(whole.sent).toHaveLength(1);
  expect(whole.sent[0]).toMatchObject({
    text: { format: { type: "json_schema", strict: true } },
    tools: [{ name: "todo" }],
  });
  expect(JSON.stringify(whole.sent[0]?.text)).toMatch(/"answer".*"missing"/);
  const none = await ask({ answer: null, missing: ["the country"] });
  expect(none.run).toMatchObject({
    status: "failed",
    error: { code: "MODEL_CANNOT_ANSWER", message: expect.stringContaining("the country") },
  });
});

for (const vendor of ["openai", "anthropic", "google"] as const)
  test(`with ${vendor}'s key a run searches the web in a call of the query, and cites`, async ({
    vendors,
  }) => {
    const { owner, server } = vendors[vendor];
    const document = [
      ...["kind: agent", "format: 1", `name: Searches at ${vendor}`, "skill_content: Search."],
      "config: {version: 1, tools: {builtin: [web_search]}}",
    ];
    const made = await owner.api.post("/v1/agents/import", undefined, {
      raw: document.join("\n"),
      headers: { "content-type": "application/yaml" },
    });
    const recorded = path.join("lib/runtime/models/fixtures", `${vendor}-search.sse`);
    const before = server.sent.length;
    server.script.push(
      { calls: [{ name: "web_search", input: { query: "newest release" } }] },
      { stream: await readFile(recorded, "utf8") },
      { text: "It came out on Monday (https://example.com/releases)." },
    );
    const { run_id } = await startRun(owner.api, {
      ...{ agent_id: made.as("Agent").agent_id, input: { request: "Which one? PRIVATE WORDS" } },
    });
    const run = await waitForRun(owner.api, run_id);
    expect(run).toMatchObject({ status: "completed" });
    expect(run.result?.citations).toMatchObject([
      { source: { type: "web", url: expect.stringContaining("https://example.com/releases") } },
    ]);
    const [, asked, last] = server.sent.slice(before).map((body) => JSON.stringify(body));
    expect(asked).toMatch(/web_search|google_?search/i);
    expect(asked).toContain("newest release");
    expect(asked).not.toContain("PRIVATE WORDS");
    expect(last).toContain("https://example.com/releases");
    expect(Number(run.usage?.breakdown?.[0]?.units ?? 0)).toBeGreaterThan(0);
  });

test("an alias stands for the newest of its family, and builder_model names who builds", async ({
  vendors,
}) => {
  const { owner, server } = vendors.anthropic;
  const run = await waitForRun(
    owner.api,
    (await startRun(owner.api, { input: { text: "Hello." }, model: "anthropic/latest-haiku" }))
      .run_id,
  );
  expect(run.model).toBe("anthropic/claude-haiku-5-5");
  const asked = await owner.api.post("/v1/agents", {
    input: "An agent that helps",
    builder_model: "anthropic/latest-haiku",
  });
  const built = await waitForRun(owner.api, asked.as("Run").run_id);
  expect(built).toMatchObject({ status: "completed", model: "anthropic/claude-haiku-5-5" });
  const edit = await owner.api.post(`/v1/agents/${built.agent_id}/edits`, {
    input: "Rename it",
    builder_model: "anthropic/none",
  });
  expectError(edit, 400, "INVALID_INPUT");
  expect(edit.json()).toMatchObject({ details: [{ path: "builder_model" }] });
  expect(server.called).toContain("claude-haiku-5-5");
});

test("an alias is taken wherever a model's id is; what has no config thinks at medium", async ({
  vendors,
}) => {
  const { owner, server, service, dataDir } = vendors.anthropic;
  const document = [
    ...["kind: agent", "format: 1", "name: Aliased", "description: By alias", "version: 1.0.0"],
    ...["write_autonomy: blocked", "skill_content: Help."],
    "config: {version: 1, model: anthropic/latest-haiku, fallback_models: [anthropic/latest-opus]}",
  ].join("\n");
  const made = await owner.api.post("/v1/agents/import", undefined, {
    raw: document,
    headers: { "content-type": "application/yaml" },
  });
  const { agent_id, config } = made.as("Agent");
  expect(config).toMatchObject({ model: "anthropic/latest-haiku" });
  const body = { agent_id, input: { text: "Hello." } };
  const run = await waitForRun(owner.api, (await startRun(owner.api, body)).run_id);
  expect(run).toMatchObject({ status: "completed", model: "anthropic/claude-haiku-5-5" });
  server.retired.add("claude-haiku-5-5");
  const saved = await waitForRun(owner.api, (await startRun(owner.api, body)).run_id);
  server.retired.delete("claude-haiku-5-5");
  expect(saved).toMatchObject({
    status: "completed",
    usage: { breakdown: [{ model: "anthropic/claude-opus-5-5" }] },
  });
  const replayed = await owner.api.post(`/v1/runs/${run.run_id}/replay`, {
    model: "anthropic/latest-sonnet",
  });
  expect(await waitForRun(owner.api, replayed.as("Run").run_id)).toMatchObject({
    status: "completed",
    model: "anthropic/claude-sonnet-5-5",
  });
  const { api_key: key } = await admin(
    ["key", "create", "--email", owner.email, "--agent", agent_id],
    { DATA_DIR: dataDir },
  );
  const app = new ApiClient(service.baseUrl, String(key));
  const asked = await app.post(`/api/v1/apps/${agent_id}/runs`, {
    inputs: { text: "Hello." },
    model: "anthropic/latest-opus",
  });
  const { runId } = asked.as("AppRun");
  const ended = await until("the app's run to end", async () => {
    const run = (await app.get(`/api/v1/apps/${agent_id}/runs/${runId}`)).as("AppRun");
    return run.status !== "pending" && run.status !== "running" && run;
  });
  expect(ended).toMatchObject({ status: "completed", model: "anthropic/claude-opus-5-5" });
  const before = server.sent.length;
  const led = await owner.api.post("/v1/super-agent/runs", {
    input: { request: "Hello." },
    model: "anthropic/latest-sonnet",
  });
  const leading = await owner.client.superAgentRuns.wait(led.as("Run").run_id, {
    timeoutMs: 60_000,
    pollMs: 40,
  });
  expect(leading).toMatchObject({ status: "completed", model: "anthropic/claude-sonnet-5-5" });
  const general = await startRun(owner.api, { input: { text: "Hello." } });
  await waitForRun(owner.api, general.run_id);
  const sent = server.sent.slice(before);
  expect(sent.map(EFFORTS.anthropic)).toEqual(sent.map(() => "medium"));
  // Thinking is part of the answer's room: no budget is taken off it.
  for (const each of sent)
    expect(each).toMatchObject({ max_tokens: 16_384, thinking: { type: "adaptive" } });
});
