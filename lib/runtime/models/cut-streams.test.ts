import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { envSchema } from "@/lib/env";
import { RunFailure } from "@/lib/model/run/run-failure";
import { createLanguageModel } from "@/lib/runtime/models/create-language-model";
import { streamTurn } from "@/lib/runtime/models/stream-turn";

/** The beginning of an answer, in each vendor's own form, and then the connection ends well. */
const BEGINNINGS: Record<string, object[]> = {
  "/openai/responses": [
    { type: "response.created", response: { id: "r1", created_at: 1, model: "gpt-5.1" } },
    {
      type: "response.output_item.added",
      output_index: 0,
      item: { type: "message", id: "m1", phase: null },
    },
    { type: "response.output_text.delta", item_id: "m1", delta: "half an ans" },
  ],
  "/anthropic/messages": [
    {
      type: "message_start",
      message: {
        id: "m1",
        type: "message",
        role: "assistant",
        model: "claude-opus-4-5",
        content: [],
        usage: { input_tokens: 3, output_tokens: 1 },
      },
    },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    {
      type: "content_block_delta",
      index: 0,
      delta: { type: "text_delta", text: "half an ans" },
    },
  ],
  "/google/models/gemini-2.5-flash:streamGenerateContent": [
    { candidates: [{ content: { role: "model", parts: [{ text: "half an ans" }] } }] },
  ],
};

const asked: string[] = [];
const server = createServer((request, response) => {
  const path = request.url?.split("?")[0] ?? "";
  asked.push(path);
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(
    (BEGINNINGS[path] ?? []).map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""),
  );
});
let base = "";
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  // A server that listens on TCP has an address of that kind.
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

test.each(["openai/gpt-5.1", "anthropic/claude-opus-4-5", "google/gemini-2.5-flash"])(
  "an answer of %s that ends well but half-way is a cut: asked again, then the run fails",
  async (id) => {
    const env = envSchema.parse({
      OPENAI_API_KEY: "k",
      OPENAI_BASE_URL: `${base}/openai`,
      ANTHROPIC_API_KEY: "k",
      ANTHROPIC_BASE_URL: `${base}/anthropic`,
      GOOGLE_GENERATIVE_AI_API_KEY: "k",
      GOOGLE_BASE_URL: `${base}/google`,
    });
    asked.length = 0;
    const shown: string[] = [];
    const failed: unknown = await streamTurn({
      models: [{ id, model: createLanguageModel(id, env) }],
      prompt: [{ role: "user", content: [{ type: "text", text: "x" }] }],
      tools: [],
      toolChoice: { type: "auto" },
      settings: {},
      cover: async () => 100,
      deadline: new Date(Date.now() + 60_000),
      signal: new AbortController().signal,
      onText: (text) => void shown.push(text),
      onReasoning: () => {},
      onRetry: () => {},
      pause: async () => {},
    }).catch((error: unknown) => error);
    expect(shown.join("")).toContain("half an ans");
    expect(failed).toBeInstanceOf(RunFailure);
    expect(failed).toMatchObject({ code: "MODEL_UNAVAILABLE" });
    expect(asked.length).toBeGreaterThan(1);
  },
);
