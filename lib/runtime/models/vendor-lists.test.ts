import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { type Env, envSchema } from "@/lib/env";
import { vendorNamed } from "@/lib/runtime/models/providers/providers";
import { readVendorList } from "@/lib/runtime/models/vendor-lists";

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A vendor that answers as it is told to, by the address that was asked for. */
async function vendor(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Env> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`; // listens on TCP
  return envSchema.parse({
    ...{ OPENAI_API_KEY: "ko", ANTHROPIC_API_KEY: "ka", GOOGLE_GENERATIVE_AI_API_KEY: "kg" },
    ...{ OPENAI_BASE_URL: base, ANTHROPIC_BASE_URL: base, GOOGLE_BASE_URL: base },
  });
}

function listOf(name: string, env: Env) {
  const vendor = vendorNamed(name);
  if (vendor === null) throw new Error(`${name} is no vendor`);
  return readVendorList(vendor, env);
}

const json = (response: ServerResponse, value: unknown) =>
  response.setHeader("content-type", "application/json").end(JSON.stringify(value));

test("OpenAI's list says a model's begin and end, and names what does not chat", async () => {
  const env = await vendor((request, response) => {
    expect([request.url, request.headers.authorization]).toEqual(["/v1/models", "Bearer ko"]);
    json(response, {
      object: "list",
      data: [
        {
          id: "gpt-6.1-sol",
          object: "model",
          created: 1_790_000_000,
          owned_by: "system",
          shutdown_date: null,
        },
        { id: "gpt-5", created: 1_750_000_000, shutdown_date: "2026-12-11" },
        { id: "text-embedding-4", created: 1 },
        { id: "gpt-5 with spaces" },
        { id: "odd", shutdown_date: "soon" },
      ],
    });
  });
  const found = await listOf("openai", env);
  expect(found.map(({ name, retires, chats }) => [name, retires, chats])).toEqual([
    ["gpt-6.1-sol", null, true],
    ["gpt-5", "2026-12-11", true],
    ["text-embedding-4", null, false],
    ["odd", null, true],
  ]);
  expect(found[0]?.created).toBe(1_790_000_000);
});

test("Anthropic's list is read page by page, with the limits that it says", async () => {
  const asked: string[] = [];
  const env = await vendor((request, response) => {
    asked.push(request.url ?? "");
    expect(request.headers["x-api-key"]).toBe("ka");
    const isSecond = asked.length > 1;
    json(response, {
      data: [
        isSecond
          ? { id: "claude-haiku-5-5", type: "model" }
          : {
              id: "claude-sonnet-5-5",
              display_name: "Claude Sonnet 5.5",
              created_at: "2026-10-01T00:00:00Z",
              max_input_tokens: 1_000_000,
              max_tokens: 128_000,
            },
      ],
      has_more: !isSecond,
      last_id: "claude-sonnet-5-5",
    });
  });
  expect(await listOf("anthropic", env)).toMatchObject([
    {
      name: "claude-sonnet-5-5",
      label: "Claude Sonnet 5.5",
      context_tokens: 1_000_000,
      output_max_tokens: 128_000,
      created: 1_790_812_800,
    },
    { name: "claude-haiku-5-5", label: null, context_tokens: null },
  ]);
  expect(asked).toEqual([
    "/v1/models?limit=1000",
    "/v1/models?limit=1000&after_id=claude-sonnet-5-5",
  ]);
});

test("Google's list names models by resource, with limits, and which answer", async () => {
  const env = await vendor((request, response) => {
    expect([request.url, request.headers["x-goog-api-key"]]).toEqual([
      "/v1/models?pageSize=1000",
      "kg",
    ]);
    json(response, {
      models: [
        {
          name: "models/gemini-3.8-flash",
          displayName: "Gemini 3.8 Flash",
          inputTokenLimit: 1_048_576,
          outputTokenLimit: 65_536,
          supportedGenerationMethods: ["generateContent"],
        },
        { name: "models/gemini-embedding-2", supportedGenerationMethods: ["embedContent"] },
      ],
    });
  });
  expect(
    (await listOf("google", env)).map(({ name, context_tokens, chats }) => [
      name,
      context_tokens,
      chats,
    ]),
  ).toEqual([
    ["gemini-3.8-flash", 1_048_576, true],
    ["gemini-embedding-2", null, false],
  ]);
});

test("a vendor's endless pages, floods, redirects and other answers come to an end", async () => {
  let pages = 0;
  const endless = await vendor((_request, response) => {
    pages += 1;
    json(response, { data: [{ id: `m-${pages}` }], has_more: true, last_id: "m" });
  });
  expect(await listOf("anthropic", endless)).toHaveLength(5);
  const long = await vendor((_request, response) =>
    json(response, { data: [{ id: "a".repeat(5 * 1024 * 1024) }] }),
  );
  await expect(listOf("openai", long)).rejects.toThrow("too long");
  const elsewhere = await vendor((_request, response) =>
    response.writeHead(302, { location: "http://127.0.0.1:9/" }).end(),
  );
  await expect(listOf("openai", elsewhere)).rejects.toThrow();
  const refused = await vendor((_request, response) => response.writeHead(401).end("{}"));
  await expect(listOf("openai", refused)).rejects.toThrow("status 401");
  const strange = await vendor((_request, response) => json(response, { data: "none" }));
  await expect(listOf("openai", strange)).rejects.toThrow();
});
