import "server-only";
import { APICallError, type LanguageModelV3, type LanguageModelV3CallOptions, type LanguageModelV3StreamPart } from "@ai-sdk/provider";
import { generateFromStream } from "../generate-from-stream";
import { createChunkReader } from "./create-chunk-reader";
import { readEventData } from "./read-event-data";
import { toChatRequest } from "./to-chat-request";

export interface CompatibleServer {
  /** The model's name on that server. */
  name: string;
  /** With its path, such as `http://127.0.0.1:8000/v1`. */
  baseUrl: string;
  /** Empty for a server that asks for none. */
  apiKey: string;
}

const ERROR_BODY_MAX_CHARACTERS = 16_384;

/**
 * A model on any server that speaks OpenAI's chat completions. Its own parser of the stream costs a fraction of the general
 * provider's, which is what 200 streams in one process hang on. A stream that ends early errors instead of finishing.
 */
export function createCompatibleModel(server: CompatibleServer): LanguageModelV3 {
  const model: LanguageModelV3 = {
    specificationVersion: "v3",
    provider: "compatible",
    modelId: server.name,
    supportedUrls: {},
    doGenerate: (options) => generateFromStream(model, options),
    doStream: async (options) => ({ stream: toParts(await callServer(server, options)) }),
  };
  return model;
}

async function callServer(
  { name, baseUrl, apiKey }: CompatibleServer,
  options: LanguageModelV3CallOptions,
): Promise<ReadableStream<Uint8Array>> {
  const url = `${baseUrl.replace(/\/+$/, "")}/chat/completions`;
  const headers = {
    "content-type": "application/json",
    accept: "text/event-stream",
    ...(apiKey && { authorization: `Bearer ${apiKey}` }),
  };
  const body = JSON.stringify(toChatRequest(name, options));
  const response = await fetch(url, { method: "POST", headers, body, signal: options.abortSignal, redirect: "error" });
  if (response.ok && response.body !== null) return response.body;
  const responseBody = (await response.text().catch(() => "")).slice(0, ERROR_BODY_MAX_CHARACTERS);
  throw new APICallError({
    message: `status ${response.status}`,
    url,
    requestBodyValues: {},
    statusCode: response.status,
    responseHeaders: Object.fromEntries(response.headers),
    responseBody,
  });
}

/** One read of the network becomes one batch of parts: a promise for each token is what parsers spend their time on. */
function toParts(body: ReadableStream<Uint8Array>): ReadableStream<LanguageModelV3StreamPart> {
  const source = body.getReader();
  const chunks = createChunkReader();
  const events = readEventData();
  return new ReadableStream({
    start(controller) {
      controller.enqueue({ type: "stream-start", warnings: [] });
    },
    async pull(controller) {
      // A stream does not ask again after a pull that gave it nothing, and a read may end within a line or hold a comment only.
      for (let given = 0; given === 0; ) {
        const { done, value } = await source.read();
        const texts = done ? events.end() : events.take(value);
        const parts = texts.flatMap((text) => chunks.take(text));
        const isOver = done || chunks.isDone();
        if (isOver) parts.push(...chunks.end());
        for (const part of parts) controller.enqueue(part);
        given = parts.length;
        if (!isOver) continue;
        controller.close();
        if (!done) void source.cancel().catch(() => {});
        return;
      }
    },
    cancel: (reason) => source.cancel(reason),
  });
}
