import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type Env, envSchema } from "@/lib/env";
import type { JsonObject } from "@/lib/model/json-schema/json-value";
import { answerForm } from "@/lib/runtime/models/answer/answer-form";
import { createLanguageModel } from "@/lib/runtime/models/create-language-model";
import { pdfPart, type TurnContent, type TurnPrompt } from "@/lib/runtime/models/read-turn";
import { streamTurn, type TurnRequest, type TurnResult } from "@/lib/runtime/models/stream-turn";

// Each vendor's model against a server that speaks its public wire format, by answers written down
// from it: what is sent, and what is read.

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

interface Sent {
  path: string;
  body: Record<string, unknown>;
}
type Answer = { fixture: string } | { status: number; body: object };

async function vendor(...answers: Answer[]): Promise<{ env: Env; sent: Sent[] }> {
  const sent: Sent[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      sent.push({ path: request.url ?? "", body: JSON.parse(Buffer.concat(chunks).toString()) });
      const answer = answers[sent.length - 1] ?? answers.at(-1);
      if (!answer) throw new Error("no answer is left");
      if ("status" in answer)
        return response
          .writeHead(answer.status, { "content-type": "application/json" })
          .end(JSON.stringify(answer.body));
      response.writeHead(200, { "content-type": "text/event-stream", "x-request-id": "req_7" });
      response.end(readFileSync(join(import.meta.dirname, "fixtures", `${answer.fixture}.sse`)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`; // listens on TCP
  const env = envSchema.parse({
    ...{
      OPENAI_API_KEY: "k",
      OPENAI_BASE_URL: base,
      ANTHROPIC_API_KEY: "k",
      ANTHROPIC_BASE_URL: base,
    },
    ...{
      GOOGLE_GENERATIVE_AI_API_KEY: "k",
      GOOGLE_BASE_URL: base,
      OPENAI_COMPATIBLE_BASE_URL: base,
      OPENAI_COMPATIBLE_MODELS: "qwen",
    },
  });
  return { env, sent };
}

const START: TurnPrompt = [
  { role: "system", content: "Read what you are told." },
  { role: "user", content: [{ type: "text", text: "Read a and b." }] },
];
const READ: TurnRequest["tools"] = [
  {
    type: "function",
    name: "read",
    description: "Reads.",
    inputSchema: { type: "object", properties: { path: { type: "string" } } },
  },
];

const turn = (id: string, env: Env, more: Partial<TurnRequest> = {}) =>
  streamTurn({
    ...{
      models: [{ id, model: createLanguageModel(id, env) }],
      prompt: START,
      tools: READ,
      toolChoice: { type: "auto" },
    },
    ...{
      settings: { reasoning: "medium" },
      cover: async () => 20_000,
      deadline: new Date(Date.now() + 60_000),
    },
    ...{
      signal: new AbortController().signal,
      onText: () => {},
      onReasoning: () => {},
      onRetry: () => {},
      pause: async () => {},
    },
    ...more,
  });

/** The prompt behind a turn of two calls, as a run keeps it. */
function after({ thoughts, toolCalls }: TurnResult): TurnPrompt {
  const content: TurnContent = [
    ...thoughts.map(({ text, providerOptions }) => ({
      type: "reasoning" as const,
      text,
      ...(providerOptions && { providerOptions }),
    })),
    ...toolCalls.map(({ id, name, input, providerOptions }) => ({
      ...{ type: "tool-call" as const, toolCallId: id, toolName: name, input },
      ...(providerOptions && { providerOptions }),
    })),
  ];
  const results = toolCalls.map(({ id, name }) => ({
    ...{
      type: "tool-result" as const,
      toolCallId: id,
      toolName: name,
      output: { type: "text" as const, value: "text" },
    },
  }));
  return [
    ...START,
    { role: "assistant", content: JSON.parse(JSON.stringify(content)) },
    { role: "tool", content: results },
  ];
}

const VENDORS = [
  ["openai/gpt-5.1", "openai-thinking-tools"],
  ["anthropic/claude-sonnet-4-5", "anthropic-thinking-tools"],
  ["google/gemini-2.5-flash", "google-thinking-tools"],
  ["compatible/qwen", "compatible-thinking-tools"],
] as const;

describe.each(VENDORS)("%s", (id, fixture) => {
  it("is read with thoughts, calls side by side, cached tokens and request name", async () => {
    const { env } = await vendor({ fixture });
    const result = await turn(id, env);
    expect(result).toMatchObject({ reasoning: "Two files to read.", finishReason: "tool-calls" });
    expect(result.toolCalls.map(({ name, input }) => [name, input])).toEqual([
      ["read", { path: "a" }],
      ["read", { path: "b" }],
    ]);
    const written = id.startsWith("anthropic/") ? { cacheWriteTokens: 300 } : {};
    expect(result.usage).toEqual({
      capability: "chat",
      inputTokens: 2112,
      outputTokens: 95,
      cachedInputTokens: 1800,
      ...written,
    });
    expect(result.call.requestId).toBe("req_7");
  });

  it("gets its thoughts back with the calls that came of them", async () => {
    const { env, sent } = await vendor({ fixture });
    await turn(id, env, { prompt: after(await turn(id, env)) });
    const again = JSON.stringify(sent[1]?.body);
    const SEALED = {
      openai: "gAAAAsealed",
      anthropic: "EqQBsig",
      google: "CsigA",
      compatible: '"reasoning_content":"Two files to read."',
    };
    expect(again).toContain(SEALED[id.split("/")[0] as keyof typeof SEALED]); // one of VENDORS
  });
});

it("OpenAI is asked by its Responses API, keeps nothing, and seals its thoughts", async () => {
  const { env, sent } = await vendor({ fixture: "openai-thinking-tools" });
  await turn("openai/gpt-5.1", env);
  expect(sent[0]).toMatchObject({
    path: "/v1/responses",
    body: {
      store: false,
      include: ["reasoning.encrypted_content"],
      reasoning: { effort: "medium", summary: "auto" },
      max_output_tokens: 20_000,
    },
  });
  await turn("openai/gpt-5.1", env, { settings: { reasoning: "off" } });
  expect(sent[1]?.body).toMatchObject({ reasoning: { effort: "none" } });
  await turn("openai/gpt-4.1", env);
  expect(sent[2]?.body.reasoning).toBeUndefined();
});

it("Anthropic is told where its cache ends, and thinks within the covered answer", async () => {
  const { env, sent } = await vendor({ fixture: "anthropic-thinking-tools" });
  await turn("anthropic/claude-sonnet-4-5", env, {
    settings: { reasoning: "medium", temperature: 0.5 },
  });
  const mark = { cache_control: { type: "ephemeral" } };
  expect(sent[0]?.body).toMatchObject({
    system: [mark],
    messages: [{ role: "user", content: [mark] }],
    thinking: { type: "enabled", budget_tokens: 8_192 },
    max_tokens: 20_000,
  });
  await turn("anthropic/claude-sonnet-4-5", env, { settings: {} });
  expect(sent[1]?.body.thinking).toBeUndefined();
});

it("Anthropic keeps its tools in the answering turn, as its prompt names them", async () => {
  const { env, sent } = await vendor(
    { fixture: "anthropic-refusal" },
    { fixture: "compatible-thinking-tools" },
  );
  await turn("anthropic/claude-sonnet-4-5", env, { toolChoice: { type: "none" } });
  expect(sent[0]?.body).toMatchObject({ tools: [{ name: "read" }], tool_choice: { type: "none" } });
  await turn("compatible/qwen", env, { toolChoice: { type: "none" } });
  expect(sent[1]?.body.tools).toBeUndefined();
});

it("a refusal of Anthropic's reads as filtered", async () => {
  const { env } = await vendor({ fixture: "anthropic-refusal" });
  expect((await turn("anthropic/claude-sonnet-4-5", env)).finishReason).toBe("content-filter");
});

it("Gemini thinks within its budget, and not at all where that is wanted", async () => {
  const { env, sent } = await vendor({ fixture: "google-thinking-tools" });
  await turn("google/gemini-2.5-flash", env);
  await turn("google/gemini-2.5-flash", env, { settings: { reasoning: "off" } });
  expect(
    sent.map(({ body }) => (body.generationConfig as { thinkingConfig: unknown }).thinkingConfig),
  ).toEqual([
    { thinkingBudget: 8_192, includeThoughts: true },
    { thinkingBudget: 0, includeThoughts: false },
  ]);
});

const SCHEMA = { type: "object", properties: { count: { type: "integer" } }, required: ["count"] };
const CLOSED = { ...SCHEMA, additionalProperties: false };
const enveloped = (schema: JsonObject) => answerForm(schema, []).schema;
const toolNames = ({ body }: Sent) =>
  (body.tools as { name?: string; function?: { name: string } }[] | undefined)?.map(
    (tool) => tool.name ?? tool.function?.name,
  );

it("OpenAI is asked for the form beside tools in the first call, strict if possible", async () => {
  const { env, sent } = await vendor({ fixture: "openai-thinking-tools" });
  for (const schema of [SCHEMA, CLOSED]) await turn("openai/gpt-5.1", env, { schema });
  const form = (schema: JsonObject, strict: boolean) => ({
    text: { format: { type: "json_schema", schema: enveloped(schema), strict } },
  });
  expect(sent[0]?.body).toMatchObject(form(SCHEMA, false));
  expect(sent[1]?.body).toMatchObject(form(CLOSED, true));
  expect(sent.map(toolNames)).toEqual([["read"], ["read"]]);
});

it("another server is asked by an answering tool at first, else for the form", async () => {
  const { env, sent } = await vendor({ fixture: "compatible-thinking-tools" });
  const id = "compatible/qwen";
  await turn(id, env, { schema: SCHEMA });
  await turn(id, env, { schema: SCHEMA, tools: [] });
  await turn(id, env, { schema: SCHEMA, toolChoice: { type: "none" } });
  expect(sent.map(toolNames)).toEqual([["read", "answer"], undefined, undefined]);
  expect(sent.map(({ body }) => body.response_format !== undefined)).toEqual([false, true, true]);
  expect(sent[0]?.body).toMatchObject({ tool_choice: "auto", reasoning_effort: "medium" });
  expect(sent[1]?.body).toMatchObject({
    response_format: { type: "json_schema", json_schema: { schema: enveloped(SCHEMA) } },
  });
});

it("Gemini takes the form beside tools from 3 on; earlier ones a tool", async () => {
  const { env, sent } = await vendor({ fixture: "google-thinking-tools" });
  for (const name of ["gemini-3.8-flash", "gemini-3.5-flash-lite", "gemini-2.5-flash"])
    await turn(`google/${name}`, env, { schema: SCHEMA });
  const declared = sent.map(({ body }) =>
    (body.tools as { functionDeclarations: { name: string }[] }[])[0]?.functionDeclarations.map(
      ({ name }) => name,
    ),
  );
  expect(declared).toEqual([["read"], ["read"], ["read", "answer"]]);
  expect(sent.map(({ body }) => "responseJsonSchema" in (body.generationConfig as object))).toEqual(
    [true, true, false],
  );
});

it("Anthropic is held to a schema beside tools, where its objects name properties", async () => {
  const { env, sent } = await vendor({ fixture: "anthropic-thinking-tools" });
  const id = "anthropic/claude-sonnet-4-5";
  await turn(id, env, { schema: SCHEMA });
  const format = { type: "json_schema", schema: { properties: { answer: {}, missing: {} } } };
  expect(sent[0]?.body).toMatchObject({
    output_config: { format },
    tools: [{ name: "read" }],
    thinking: { type: "enabled" },
  });
  await turn(id, env, { schema: SCHEMA, settings: {} });
  expect(sent[1]?.body).toMatchObject({ output_config: { format }, tool_choice: { type: "auto" } });
  const map: JsonObject = { type: "object", additionalProperties: { type: "string" } };
  for (const open of [map, { type: "object", properties: { a: map } }])
    await turn(id, env, { schema: open });
  expect(sent.slice(2).map(({ body }) => body.output_config)).toEqual([undefined, undefined]);
  expect(sent.map(toolNames)).toEqual([["read"], ["read"], ...Array(2).fill(["read", "answer"])]);
});

it("Anthropic's last turn calls the answering tool where it can, no other", async () => {
  const { env, sent } = await vendor({ fixture: "anthropic-thinking-tools" });
  const open: JsonObject = { type: "object", additionalProperties: { type: "string" } };
  const last = { schema: open, toolChoice: { type: "none" as const } };
  await turn("anthropic/claude-sonnet-4-5", env, { ...last, settings: {} });
  await turn("anthropic/claude-sonnet-4-5", env, last);
  expect(sent.map(({ body }) => body.tool_choice)).toEqual([
    { type: "tool", name: "answer" },
    { type: "none" },
  ]);
});

it("a schema that Anthropic refuses is asked for by a tool from then on", async () => {
  const refusal = {
    status: 400,
    body: { error: { type: "invalid_request_error", message: "schema is too complex" } },
  };
  const { env, sent } = await vendor(refusal, { fixture: "anthropic-thinking-tools" });
  const id = "anthropic/claude-opus-4-5";
  for (const schema of [SCHEMA, SCHEMA, { ...SCHEMA, title: "Count" }])
    await turn(id, env, { schema });
  expect(sent.map(({ body }) => body.output_config !== undefined)).toEqual([
    true,
    false,
    false,
    true,
  ]);
  const [form, tool] = [["read"], ["read", "answer"]];
  expect(sent.map(toolNames)).toEqual([form, tool, tool, form]);
});

it("a server unaware of these words is asked again without, then at once", async () => {
  const refusal = { status: 400, body: { error: { message: "unknown field reasoning_effort" } } };
  const { env, sent } = await vendor(refusal, { fixture: "compatible-thinking-tools" });
  await turn("compatible/qwen", env, {
    models: [{ id: "compatible/plain", model: createLanguageModel("compatible/qwen", env) }],
  });
  await turn("compatible/qwen", env, {
    models: [{ id: "compatible/plain", model: createLanguageModel("compatible/qwen", env) }],
  });
  expect(sent.map(({ body }) => body.reasoning_effort)).toEqual(["medium", undefined, undefined]);
});

it.each(VENDORS)("an error of %s is told in its own words", async (id) => {
  const { env } = await vendor({
    status: 404,
    body: {
      error: {
        type: "not_found_error",
        code: 404,
        message: "model: no such model here",
        status: "NOT_FOUND",
      },
    },
  });
  await expect(turn(id, env)).rejects.toMatchObject({
    code: "EXECUTION_FAILED",
    message: expect.stringContaining("no such model here"),
  });
});

it("Claude from 4.6 on is told an effort, and thinks as it sees fit in the answer", async () => {
  const { env, sent } = await vendor({ fixture: "anthropic-thinking-tools" });
  const id = "anthropic/claude-sonnet-5-5";
  await turn(id, env, {
    settings: { reasoning: "max", temperature: 0.5 },
    toolChoice: { type: "required" },
  });
  expect(sent[0]?.body).toMatchObject({
    thinking: { type: "adaptive" },
    output_config: { effort: "max" },
    max_tokens: 20_000,
    tool_choice: { type: "auto" },
  });
  expect(sent[0]?.body.temperature).toBeUndefined();
  // One that cannot leave it does the least; one that can, leaves it.
  await turn(id, env, { settings: { reasoning: "off" } });
  expect(sent[1]?.body).toMatchObject({ output_config: { effort: "low" } });
  await turn("anthropic/claude-haiku-5-5", env, {
    settings: { reasoning: "off" },
    toolChoice: { type: "required" },
  });
  expect(sent[2]?.body).toMatchObject({
    thinking: { type: "disabled" },
    tool_choice: { type: "any" },
  });
});

it("GPT-6.1 Sol, which knows no `none`, is told the least and the most that it knows", async () => {
  const { env, sent } = await vendor({ fixture: "openai-thinking-tools" });
  for (const reasoning of ["off", "high", "max"] as const)
    await turn("openai/gpt-6.1-sol", env, { settings: { reasoning, temperature: 1 } });
  expect(sent.map(({ body }) => (body.reasoning as { effort: string }).effort)).toEqual([
    "low",
    "high",
    "max",
  ]);
  expect(sent.map(({ body }) => body.temperature)).toEqual([undefined, undefined, undefined]);
});

it("Gemini from 3 on is told a level instead of a budget", async () => {
  const { env, sent } = await vendor({ fixture: "google-thinking-tools" });
  for (const reasoning of ["off", "medium", "max"] as const)
    await turn("google/gemini-3.8-flash", env, { settings: { reasoning } });
  expect(
    sent.map(({ body }) => (body.generationConfig as { thinkingConfig: unknown }).thinkingConfig),
  ).toEqual([
    { thinkingLevel: "low", includeThoughts: false },
    { thinkingLevel: "medium", includeThoughts: true },
    { thinkingLevel: "high", includeThoughts: true },
  ]);
});

it.each(VENDORS)(
  "%s thinks as much as is usual where nobody says how much, if it is known to think",
  async (id, fixture) => {
    const { env, sent } = await vendor({ fixture });
    await turn(id, env, { settings: { defaultReasoning: "medium" } });
    await turn(id, env, { settings: {} });
    const { 0: told, 1: untold } = sent.map(({ body }) =>
      JSON.stringify([body.reasoning, body.thinking, body.generationConfig, body.reasoning_effort]),
    );
    if (id.startsWith("compatible/")) expect(told).toBe(untold);
    else expect(told).not.toBe(untold);
  },
);

it.each([
  ["openai/gpt-5.1", "openai-search", 2, null],
  ["anthropic/claude-sonnet-4-5", "anthropic-search", 1, "2.1, released on Monday"],
  ["google/gemini-3.8-flash", "google-search", 2, null],
] as const)(
  "%s searches the web by itself: its pages are read, and its searches as it bills them",
  async (id, fixture, searches, quote) => {
    const { env, sent } = await vendor({ fixture });
    const search = { searches: 3, isClosed: true };
    const result = await turn(id, env, { search, tools: [], settings: { reasoning: "low" } });
    expect(result).toMatchObject({
      text: "Release 2.1 came out on Monday.",
      toolCalls: [],
      searches,
      finishReason: "stop",
      usage: { inputTokens: 9_120, outputTokens: 40 },
    });
    expect(result.pages).toContainEqual({
      url: "https://example.com/releases",
      title: "Releases",
      quote,
    });
    expect(sent[0]?.body.tools).toEqual(
      {
        openai: [{ type: "web_search", external_web_access: false }],
        anthropic: [{ type: "web_search_20250305", name: "web_search", max_uses: 3 }],
        google: [{ googleSearch: {} }],
      }[id.split("/")[0] as "openai"], // one of these three
    );
  },
);

it("no search is offered that was not asked for", async () => {
  const { env, sent } = await vendor({ fixture: "openai-thinking-tools" });
  await turn("openai/gpt-5.1", env);
  expect(JSON.stringify(sent[0]?.body.tools)).not.toContain("web_search");
});

const PDF_BYTES = new TextEncoder().encode("%PDF-1.7 two pages");
const BASE64 = Buffer.from(PDF_BYTES).toString("base64");
const WITH_PDF: TurnPrompt = [
  ...START,
  {
    role: "user",
    content: [{ type: "text", text: "The document:" }, pdfPart(PDF_BYTES, "a.pdf", 2)],
  },
];

it.each([
  [
    ...(["openai/gpt-5.1", "openai-thinking-tools"] as const),
    { type: "input_file", filename: "a.pdf", file_data: `data:application/pdf;base64,${BASE64}` },
  ],
  [
    ...(["anthropic/claude-sonnet-4-5", "anthropic-thinking-tools"] as const),
    {
      type: "document",
      source: { type: "base64", media_type: "application/pdf", data: BASE64 },
      title: "a.pdf",
      cache_control: { type: "ephemeral" },
    },
  ],
  [
    ...(["google/gemini-3.8-flash", "google-thinking-tools"] as const),
    { inlineData: { mimeType: "application/pdf", data: BASE64 } },
  ],
])("%s is given a PDF file as it is, with nothing of ours about it", async (id, fixture, part) => {
  const { env, sent } = await vendor({ fixture });
  const { usage } = await turn(id, env, { prompt: WITH_PDF });
  // Each vendor's own name for the messages, and for what one holds.
  const { input, messages, contents } = (sent[0]?.body ?? {}) as Record<
    string,
    { content?: object[]; parts?: object[] }[]
  >;
  const last = (input ?? messages ?? contents)?.at(-1);
  expect((last?.content ?? last?.parts)?.at(-1)).toEqual(part);
  expect(JSON.stringify(sent[0]?.body)).not.toContain("lathe");
  expect(usage).toMatchObject({ capability: "vision", inputTokens: 2112 });
});

it("a PDF that its vendor refuses is left out, and its model told how to read it", async () => {
  const refusal = {
    status: 400,
    body: { error: { type: "invalid_request_error", message: "The PDF specified was not valid." } },
  };
  const { env, sent } = await vendor(refusal, { fixture: "anthropic-thinking-tools" });
  const id = "anthropic/claude-sonnet-4-5";
  expect((await turn(id, env, { prompt: WITH_PDF })).finishReason).toBe("tool-calls");
  expect(sent.map(({ body }) => JSON.stringify(body).includes(BASE64))).toEqual([true, false]);
  expect(JSON.stringify(sent[1]?.body)).toContain("Read its text by files_read with pages");
});

it("a call refused with its PDF and without fails with what was said first", async () => {
  const refusal = (message: string) => ({ status: 400, body: { error: { type: "e", message } } });
  const { env, sent } = await vendor(refusal("first words"), refusal("second words"));
  await expect(
    turn("anthropic/claude-sonnet-4-5", env, { prompt: WITH_PDF }),
  ).rejects.toMatchObject({ message: expect.stringContaining("first words") });
  expect(sent).toHaveLength(2);
});

const CODE = "import numpy as np\nprint(np.mean([1, 2, 6]))";
const PNG = new Uint8Array(Buffer.from("iVBORw0KGgo=", "base64"));

it.each([
  [
    ...(["openai/gpt-5.1", "openai-code"] as const),
    [
      { type: "image/png", bytes: PNG },
      { type: null, bytes: null },
    ],
  ],
  [...(["anthropic/claude-sonnet-4-5", "anthropic-code"] as const), [{ type: null, bytes: null }]],
  [...(["google/gemini-3.8-flash", "google-code"] as const), [{ type: "image/png", bytes: PNG }]],
])(
  "%s runs code on its own servers: what ran, printed and was made is read from its parts",
  async (id, fixture, files) => {
    const { env, sent } = await vendor({ fixture });
    const result = await turn(id, env, { code: true, tools: [], settings: {} });
    expect(result).toMatchObject({ text: "done", toolCalls: [], finishReason: "stop" });
    expect(result.usage).toMatchObject({ inputTokens: 900, outputTokens: 60 });
    expect(result.ran.flatMap(({ code }) => code ?? []).join("")).toContain(CODE);
    expect(result.ran.map(({ output = "" }) => output).join("")).toBe("3.0\n");
    expect(result.ran.some(({ failed }) => failed)).toBe(false);
    expect(result.ran.flatMap(({ files = [] }) => files)).toEqual(files);
    expect(sent[0]?.body.tools).toEqual(
      {
        openai: [{ type: "code_interpreter", container: { type: "auto" } }],
        anthropic: [{ type: "code_execution_20250825", name: "code_execution" }],
        google: [{ codeExecution: {} }],
      }[id.split("/")[0] as "openai"], // one of these three
    );
  },
);

it("no code is run by a provider that was not asked to", async () => {
  const { env, sent } = await vendor({ fixture: "openai-code" });
  expect((await turn("openai/gpt-5.1", env)).ran).toEqual([]);
  expect(JSON.stringify(sent[0]?.body.tools)).not.toContain("code_interpreter");
});

it("Anthropic's cache keeps prompt and tools for an hour where asked, counted apart", async () => {
  const { env, sent } = await vendor({ fixture: "anthropic-hour-cache" });
  const id = "anthropic/claude-sonnet-4-5";
  const { usage } = await turn(id, env, { settings: { cache: "1h" } });
  expect(sent[0]?.body).toMatchObject({
    system: [{ cache_control: { type: "ephemeral", ttl: "1h" } }],
    messages: [{ role: "user", content: [{ cache_control: { type: "ephemeral" } }] }],
  });
  expect(JSON.stringify(sent[0]?.body).match(/"ttl"/g)).toHaveLength(1);
  expect(usage).toMatchObject({ cacheWriteTokens: 300, cacheWriteHourTokens: 200 });
  await turn(id, env, { settings: { cache: "5m" } });
  expect(JSON.stringify(sent[1]?.body)).not.toContain("ttl");
  const openai = await vendor({ fixture: "openai-thinking-tools" });
  await turn("openai/gpt-5.1", openai.env, { settings: { cache: "1h" } });
  expect(JSON.stringify(openai.sent[0]?.body)).not.toContain("ttl");
});
