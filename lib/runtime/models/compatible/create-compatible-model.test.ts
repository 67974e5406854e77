import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { afterEach, describe, expect, it } from "vitest";
import {
  createCompatibleModel,
  postJson,
} from "@/lib/runtime/models/compatible/create-compatible-model";

type Handler = (
  body: Record<string, unknown>,
  response: ServerResponse,
  request: IncomingMessage,
) => void;
const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function serve(handler: Handler, post?: typeof postJson) {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () =>
      handler(JSON.parse(Buffer.concat(chunks).toString()), response, request),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // listening on a port
  return createCompatibleModel(
    { name: "m", baseUrl: `http://127.0.0.1:${port}/v1/`, apiKey: "key" },
    post,
  );
}
const options: LanguageModelV4CallOptions = {
  prompt: [{ role: "user", content: [{ type: "text", text: "hi" }] }],
};
async function collect(model: Awaited<ReturnType<typeof serve>>, given = options) {
  const { stream } = await model.doStream(given);
  const reader = stream.getReader();
  const parts: LanguageModelV4StreamPart[] = [];
  for (let next = await reader.read(); !next.done; next = await reader.read())
    parts.push(next.value);
  return parts;
}
const event = (value: unknown, end = "\n\n") =>
  `data: ${typeof value === "string" ? value : JSON.stringify(value)}${end}`;
const delta = (value: unknown, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta: value, finish_reason }],
});
const textOf = (parts: LanguageModelV4StreamPart[]) =>
  parts.flatMap((part) => (part.type === "text-delta" ? [part.delta] : [])).join("");

describe("a model on an OpenAI-compatible server", () => {
  it("reads reasoning, text, calls in fragments and usage, however the bytes are cut", async () => {
    const body = Buffer.from(
      [
        ": comment\r\n",
        event(delta({ role: "assistant", content: "" }), "\r\n\r\n"),
        event(delta({ reasoning_content: "hm" })),
        event(delta({ content: "Grüße 🤖" }), "\r\n\r\n"),
        event(
          delta({
            tool_calls: [{ index: 0, id: "a", function: { name: "todo", arguments: '{"x"' } }],
          }),
        ),
        event(
          delta({ tool_calls: [{ index: 1, id: "b", function: { name: "list", arguments: "" } }] }),
        ),
        event(delta({ tool_calls: [{ index: 0, function: { arguments: ":1}" } }] })),
        event(delta({}, "tool_calls")),
        event({
          choices: [],
          usage: {
            prompt_tokens: 7,
            completion_tokens: 3,
            prompt_tokens_details: { cached_tokens: 4 },
          },
        }),
        event("[DONE]"),
      ].join(""),
    );
    const model = await serve((_, response) => {
      // Byte by byte: every character and line is cut somewhere.
      for (const byte of body) response.write(Buffer.from([byte]));
      response.end();
    });
    const parts = await collect(model);
    expect(textOf(parts)).toBe("Grüße 🤖");
    expect(parts.flatMap((part) => (part.type === "reasoning-delta" ? [part.delta] : []))).toEqual([
      "hm",
    ]);
    expect(parts.filter((part) => part.type === "tool-call")).toEqual([
      { type: "tool-call", toolCallId: "a", toolName: "todo", input: '{"x":1}' },
      { type: "tool-call", toolCallId: "b", toolName: "list", input: "{}" },
    ]);
    expect(parts.at(-1)).toMatchObject({
      type: "finish",
      finishReason: { unified: "tool-calls" },
      usage: { inputTokens: { total: 7, cacheRead: 4 }, outputTokens: { total: 3 } },
    });
  });

  it("goes on reading when reads bring no part: comments, and pieces of a long line", async () => {
    const pieces = [
      ": wait\n\n",
      ": wait\n\n",
      ": wait\n\n",
      ...(event(delta({ content: "late" }, "stop")).match(/.{1,9}|\n/gs) ?? []),
    ];
    let arrived = () => {};
    // Each piece is read before the next one is written.
    const post: typeof postJson = async (...call) => {
      const answer = await postJson(...call);
      return answer.on("data", () => arrived());
    };
    const model = await serve(async (_, response) => {
      for (const piece of [...pieces, event("[DONE]")]) {
        const reached = new Promise<void>((resolve) => {
          arrived = resolve;
        });
        response.write(piece);
        await reached;
      }
      response.end();
    }, post);
    expect(textOf(await collect(model))).toBe("late");
  });

  it("sends messages, tools, results, images and the key in the wire's form", async () => {
    const seen: { body?: Record<string, unknown>; key?: string; url?: string } = {};
    const model = await serve((body, response, request) => {
      Object.assign(seen, { body, key: request.headers.authorization, url: request.url });
      response.end(event(delta({ content: "ok" }, "stop")) + event("[DONE]"));
    });
    await collect(model, {
      prompt: [
        { role: "system", content: "be kind" },
        {
          role: "user",
          content: [
            { type: "text", text: "look" },
            {
              type: "file",
              mediaType: "image/png",
              data: { type: "data", data: new Uint8Array([1, 2, 3]) },
            },
          ],
        },
        {
          role: "assistant",
          content: [{ type: "tool-call", toolCallId: "c", toolName: "t", input: { a: 1 } }],
        },
        {
          role: "tool",
          content: [
            {
              type: "tool-result",
              toolCallId: "c",
              toolName: "t",
              output: { type: "json", value: { b: 2 } },
            },
          ],
        },
      ],
      tools: [{ type: "function", name: "t", description: "d", inputSchema: { type: "object" } }],
      toolChoice: { type: "tool", toolName: "t" },
      temperature: 0.5,
      maxOutputTokens: 9,
    });
    expect(seen).toMatchObject({ key: "Bearer key", url: "/v1/chat/completions" });
    expect(seen.body).toEqual({
      model: "m",
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0.5,
      max_tokens: 9,
      tools: [
        {
          type: "function",
          function: { name: "t", description: "d", parameters: { type: "object" } },
        },
      ],
      tool_choice: { type: "function", function: { name: "t" } },
      messages: [
        { role: "system", content: "be kind" },
        {
          role: "user",
          content: [
            { type: "text", text: "look" },
            { type: "image_url", image_url: { url: "data:image/png;base64,AQID" } },
          ],
        },
        {
          role: "assistant",
          content: null,
          tool_calls: [
            { id: "c", type: "function", function: { name: "t", arguments: '{"a":1}' } },
          ],
        },
        { role: "tool", tool_call_id: "c", content: '{"b":2}' },
      ],
    });
  });

  it.each([
    ["a stream that ends early", [event(delta({ content: "a" }))]],
    ["a chunk that is no JSON", [event("{nope")]],
    ["an error inside the stream", [event({ error: { message: "boom", code: 500 } })]],
  ])("errors on %s instead of finishing", async (_, chunks) => {
    const model = await serve((_body, response) => response.end(chunks.join("")));
    await expect(collect(model)).rejects.toBeDefined();
  });

  it("errors when the connection breaks", async () => {
    const model = await serve((_, response) => {
      response.write(event(delta({ content: "a" })));
      setTimeout(() => response.destroy(), 20);
    });
    await expect(collect(model)).rejects.toThrow();
  });

  it("answers a refusal with its status and headers", async () => {
    const model = await serve((_, response) =>
      response.writeHead(429, { "retry-after": "7" }).end("{}"),
    );
    await expect(collect(model)).rejects.toMatchObject({
      statusCode: 429,
      responseHeaders: { "retry-after": "7" },
    });
  });

  it("takes calls that are all numbered 0, and servers that end with [DONE] alone", async () => {
    const fragment = (id: string, args: string) =>
      event(delta({ tool_calls: [{ index: 0, id, function: { name: "t", arguments: args } }] }));
    const model = await serve((_, response) =>
      response.end(fragment("a", '{"n":1}') + fragment("b", '{"n":2}') + event("[DONE]")),
    );
    expect(
      (await collect(model)).flatMap((part) => (part.type === "tool-call" ? [part.input] : [])),
    ).toEqual(['{"n":1}', '{"n":2}']);
  });

  it("closes the connection when the reader stops or the signal is aborted", async () => {
    let closed = 0;
    const model = await serve((_, response) => {
      response.write(event(delta({ content: "a" })));
      response.on("close", () => {
        closed += 1;
      });
    });
    const first = (await model.doStream(options)).stream.getReader();
    await first.read();
    await first.read();
    await first.cancel();
    const controller = new AbortController();
    const second = (
      await model.doStream({ ...options, abortSignal: controller.signal })
    ).stream.getReader();
    await second.read();
    controller.abort();
    await expect(second.read().then(() => second.read())).rejects.toThrow();
    await expect.poll(() => closed).toBe(2);
  });
});
