import "server-only";
import type { IncomingMessage } from "node:http";
import { APICallError, type LanguageModelV3, type LanguageModelV3CallOptions, type LanguageModelV3StreamPart } from "@ai-sdk/provider";
import { generateFromStream } from "../generate-from-stream";
import { StreamCut } from "../to-model-call-problem";
import { createChunkReader } from "./create-chunk-reader";
import { postJson } from "./post-json";
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
/** How long a server has to end an answer of which it has said all. */
const LINGER_MS = 1_000;

/**
 * A model on any server that speaks OpenAI's chat completions. Its own reading of the stream costs a fraction of the general
 * provider's, which is what 200 streams in one process hang on. A stream that ends early errors instead of finishing.
 * @param post how a request is sent
 */
export function createCompatibleModel(server: CompatibleServer, post: typeof postJson = postJson): LanguageModelV3 {
  const model: LanguageModelV3 = {
    specificationVersion: "v3",
    provider: "compatible",
    modelId: server.name,
    supportedUrls: {},
    doGenerate: (options) => generateFromStream(model, options),
    doStream: async (options) => ({ stream: toParts(await callServer(server, options, post)) }),
  };
  return model;
}

async function callServer(
  { name, baseUrl, apiKey }: CompatibleServer,
  options: LanguageModelV3CallOptions,
  post: typeof postJson,
): Promise<IncomingMessage> {
  const url = `${baseUrl.replace(/\/+$/, "")}/chat/completions`;
  const headers = { accept: "text/event-stream", ...(apiKey && { authorization: `Bearer ${apiKey}` }) };
  const response = await post(url, headers, JSON.stringify(toChatRequest(name, options)), options.abortSignal);
  const status = response.statusCode ?? 0;
  if (status >= 200 && status < 300) return response;
  throw new APICallError({
    message: `status ${status}`,
    url,
    requestBodyValues: {},
    statusCode: status,
    responseHeaders: Object.fromEntries(Object.entries(response.headers).map(([key, value]) => [key, String(value)])),
    responseBody: await readStart(response),
  });
}

/** As much of an error's body as is told, whatever becomes of the rest. */
async function readStart(response: IncomingMessage): Promise<string> {
  let text = "";
  try {
    for await (const chunk of response.setEncoding("utf8")) {
      text += String(chunk);
      if (text.length >= ERROR_BODY_MAX_CHARACTERS) break;
    }
  } catch {
    // What came before it broke off is told.
  }
  response.destroy();
  return text.slice(0, ERROR_BODY_MAX_CHARACTERS);
}

/** One read of the network becomes one batch of parts, without a promise for each of them. A reader that is slow stops the reading. */
function toParts(response: IncomingMessage): ReadableStream<LanguageModelV3StreamPart> {
  const chunks = createChunkReader();
  const events = readEventData();
  let isOver = false;
  return new ReadableStream(
    {
      start(controller) {
        controller.enqueue({ type: "stream-start", warnings: [] });
        const fail = (error: unknown) => {
          if (isOver) return;
          isOver = true;
          controller.error(error);
          response.destroy();
        };
        const give = (texts: string[], isEnd: boolean) => {
          for (const text of texts) for (const part of chunks.take(text)) controller.enqueue(part);
          if (!isEnd && !chunks.isDone()) return;
          for (const part of chunks.end()) controller.enqueue(part);
          isOver = true;
          controller.close();
          // The connection is used again when the server ends its answer behind the last event, as it should.
          response.resume();
          if (!isEnd) setTimeout(() => response.destroy(), LINGER_MS).unref();
        };
        response.on("data", (bytes: Buffer) => {
          if (isOver) return;
          try {
            give(events.take(bytes), false);
            if (!isOver && (controller.desiredSize ?? 1) <= 0) response.pause();
          } catch (error) {
            fail(error);
          }
        });
        response.on("end", () => {
          if (isOver) return;
          try {
            give(events.end(), true);
          } catch (error) {
            fail(error);
          }
        });
        response.on("error", fail);
        response.on("close", () => fail(new StreamCut("the connection was closed")));
      },
      pull() {
        response.resume();
      },
      cancel() {
        isOver = true;
        response.destroy();
      },
    },
    { highWaterMark: 256 },
  );
}
