import { spread } from "../support/hostile-texts";
import { expectNoWaits, SHORT, test } from "../support/hostile-world";
import { ModelScript } from "../support/model-script";
import { expect } from "../support/test";
import { until } from "../support/until";
import { WebhookInbox } from "../support/webhook-inbox";

// What servers of strangers answer is worked through by the same loop as what people send
// (hostile-texts.spec.ts).
test.describe.configure({ mode: "default", timeout: 1_200_000 });

/** As many texts as it takes for each kind of pattern to be among them. */
const ANSWERS = 60;
const printable = (text: string, characters: number) =>
  text.replace(/[^\x20-\x7e]/g, " ").slice(0, characters);

/** A text as an HTTP interface may answer it: as JSON, as a page, plainly, and as a failure. */
function httpAnswer(text: string) {
  const forms = [
    {
      type: "application/json",
      body: JSON.stringify({ [text.slice(0, SHORT)]: text, list: [text] }),
    },
    { type: "application/json", body: text },
    {
      type: "text/html",
      body: `<title>${text.slice(0, SHORT)}</title><p title="${text}">${text}</p>`,
    },
    { type: printable(`text/plain; charset=${text}`, SHORT), body: text },
  ];
  return forms.flatMap(({ type, body }) =>
    [200, 500].map((status) => ({ status, headers: { "content-type": type }, body })),
  );
}

/** A text wherever an MCP server may say one. */
function mcpAnswer(text: string, isError: boolean) {
  const short = text.slice(0, SHORT);
  const properties = {
    [short]: { type: "string", description: short, pattern: text.slice(0, 500), format: short },
    ref: { $ref: `#/${short}`, enum: [short] },
  };
  const annotations = { title: short, readOnlyHint: true };
  const tools = [
    { name: "lookup", description: text, annotations, inputSchema: { type: "object" } },
    { name: "other", title: text, inputSchema: { type: "object", properties } },
    { name: text, inputSchema: { type: "object", $schema: short } },
  ];
  const result = { content: [{ type: "text", text }], structuredContent: { [short]: text } };
  return { tools, ...(isError ? { error: { code: -32_000, message: text } } : { result }) };
}

test("nobody waits while connectors, MCP servers and pages answer hostile texts", async ({
  modelUrl,
  webhookUrl,
  world,
}) => {
  const { api } = world.owner.account;
  const host = new URL(webhookUrl).host;
  const ended = new Set<string>();
  const called = { http: 0, mcp: 0, page: 0 };
  let turn = 0;
  await expectNoWaits({ ...world, texts: spread(world.texts, ANSWERS) }, async (text) => {
    turn += 1;
    const forms = httpAnswer(text);
    const form = forms[turn % forms.length] ?? { status: 200 };
    const [http, hub, page] = [
      new WebhookInbox(webhookUrl),
      new WebhookInbox(webhookUrl),
      new WebhookInbox(webhookUrl),
    ];
    await http.answerWith([form]);
    await hub.answerWith([{ mcp: mcpAnswer(text, turn % 3 === 0) }]);
    await page.answerWith([{ ...form, status: 200 }]);
    const config = {
      version: 1,
      tools: {
        http: [{ name: "ask", method: "GET", url: http.url }],
        mcp: [{ name: "hub", url: hub.url, read_only: ["lookup"] }],
        builtin: ["web_fetch"],
        web: { allowed_hosts: [host] },
      },
    };
    const made = await api.post("/v1/agents/import", undefined, {
      raw: JSON.stringify({
        kind: "agent",
        format: 1,
        name: "Asks",
        skill_content: "Ask.",
        config,
      }),
      headers: { "content-type": "application/yaml" },
    });
    const { agent_id } = made.as("Agent");
    const { mark } = await ModelScript.register(modelUrl, [
      {
        tool_calls: [
          { name: "ask", args: {} },
          { name: "hub__lookup", args: {} },
          { name: "web_fetch", args: { url: page.url } },
        ],
      },
      { text: "Done." },
    ]);
    const started = await api.post("/v1/runs", { agent_id, input: { text: mark } });
    const { run_id } = started.as("Run");
    ended.add(
      await until("the run's end", async () => {
        const { status } = (await api.get(`/v1/runs/${run_id}`)).as("Run");
        return !["pending", "running"].includes(status) && status;
      }),
    );
    await api.post(`/v1/agents/${agent_id}/archive`);
    const isCall = ({ body }: { body: string }) => body.includes('"tools/call"');
    const [asked, spoken, read] = [
      await http.received(),
      await hub.received(),
      await page.received(),
    ];
    called.http += asked.length;
    called.mcp += spoken.filter(isCall).length;
    called.page += read.length;
  });
  // They were asked, each of them, and what they said ended no run.
  expect([...ended]).toEqual(["completed"]);
  expect(Math.min(called.http, called.mcp, called.page)).toBeGreaterThanOrEqual(ANSWERS);
});

test("nobody waits while hostile OpenAPI documents are made into tools", async ({ world }) => {
  const { api } = world.owner.account;
  const answers = new Set<number>();
  await expectNoWaits(world, async (text) => {
    // The document holds it in many places, and a body has a bound.
    const [long, short] = [text.slice(0, 30_000), text.slice(0, 500)];
    const schema = {
      type: "object",
      description: long,
      properties: { [short]: { type: "string", pattern: short, $ref: `#/${long}` } },
      required: [short],
    };
    const parameters = [
      { name: long, in: "query", description: long, schema },
      { $ref: `#/components/parameters/${long}` },
    ];
    const content = { [`application/${long}`]: { schema }, "application/json": { schema } };
    const document = {
      openapi: "3.1.0",
      servers: [{ url: `https://{a}.example/${short}`, variables: { a: { default: short } } }],
      paths: {
        [`/a/{${short}}`]: { parameters, get: { operationId: "read", summary: long } },
        [long]: { post: { operationId: long, description: long, requestBody: { content } } },
        "/b": { post: { operationId: "write", requestBody: { content } } },
      },
      components: { parameters: { [long]: { name: short, in: "path", schema } } },
    };
    const operations = ["read", "write", short];
    const asked = await api.post("/v1/connectors/openapi", { document, operations });
    answers.add(asked.status);
  });
  expect([...answers].filter((status) => status === 429 || status >= 500)).toEqual([]);
  expect(answers).toContain(200);
});

test("nobody waits while webhooks and servers that want a sign-in answer hostile texts", async ({
  modelUrl,
  webhookUrl,
  world,
}) => {
  const { api } = world.owner.account;
  let delivered = 0;
  await expectNoWaits({ ...world, texts: spread(world.texts, ANSWERS) }, async (text) => {
    const said = printable(text, SHORT);
    const hook = new WebhookInbox(webhookUrl);
    const headers = { "retry-after": said, location: said, "content-type": said };
    await hook.answerWith([{ status: 410, headers, body: text }]);
    const { mark } = await ModelScript.register(modelUrl, [{ text: "Done." }]);
    await api.post("/v1/runs", { input: { text: mark }, webhook_url: hook.url });
    await hook.waitFor(1);
    delivered += 1;
    const server = new WebhookInbox(webhookUrl);
    const challenge = { "www-authenticate": `Bearer ${said}, resource_metadata="${said}"` };
    await server.answerWith([{ status: 401, headers: challenge, body: text }]);
    await api.post("/v1/connections", { server_url: server.url });
  });
  expect(delivered).toBeGreaterThanOrEqual(ANSWERS);
});
