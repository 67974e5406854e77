import "server-only";
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import {
  APICallError,
  type LanguageModelV4,
  type LanguageModelV4CallOptions,
  type LanguageModelV4Content,
  type LanguageModelV4GenerateResult,
} from "@ai-sdk/provider";
import { withoutTrailingSlashes } from "@/lib/model/text/trim";
import { createChunkReader, toChatRequest } from "@/lib/runtime/models/compatible/chat-format";
import { type PartSink, PartStream, readParts } from "@/lib/runtime/models/part-stream";
import { emptyDraft, takePart } from "@/lib/runtime/models/read-turn";
import { StreamCut } from "@/lib/runtime/models/stream-cut";
import { definePart } from "@/lib/service";

interface CompatibleServer {
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
 * A model on any server that speaks OpenAI's chat completions. Its own reading of the stream costs
 * a fraction of the general provider's, which is what 200 streams in one process hang on. A stream
 * that ends early errors instead of finishing.
 * @param post how a request is sent
 */
export function createCompatibleModel(
  server: CompatibleServer,
  post: typeof postJson = postJson,
): LanguageModelV4 {
  const model: LanguageModelV4 = {
    specificationVersion: "v4",
    provider: "compatible",
    modelId: server.name,
    supportedUrls: {},
    doGenerate: (options) => generateFromStream(model, options),
    async doStream(options) {
      const response = await callServer(server, options, post);
      return { stream: toParts(response), response: { headers: headersOf(response) } };
    },
  };
  return model;
}

async function callServer(
  { name, baseUrl, apiKey }: CompatibleServer,
  options: LanguageModelV4CallOptions,
  post: typeof postJson,
): Promise<IncomingMessage> {
  const url = `${withoutTrailingSlashes(baseUrl)}/chat/completions`;
  const headers = {
    accept: "text/event-stream",
    ...(apiKey && { authorization: `Bearer ${apiKey}` }),
  };
  const response = await post(
    url,
    headers,
    JSON.stringify(toChatRequest(name, options)),
    options.abortSignal,
  );
  const status = response.statusCode ?? 0;
  if (status >= 200 && status < 300) return response;
  throw new APICallError({
    message: `status ${status}`,
    url,
    requestBodyValues: {},
    statusCode: status,
    responseHeaders: headersOf(response),
    responseBody: await readStart(response),
  });
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, String(value)]));
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

/** One read of the network becomes one batch of parts. */
function toParts(response: IncomingMessage): PartStream {
  const chunks = createChunkReader();
  const events = readEventData();
  let sink: PartSink | null = null;
  let failure: { error: unknown } | null = null;
  let isOver = false;
  const fail = (error: unknown) => {
    if (isOver) return;
    isOver = true;
    failure = { error };
    sink?.fail(error);
    response.destroy();
  };
  const give = (texts: string[], isEnd: boolean) => {
    for (const text of texts) if (!isOver) sink?.parts(chunks.take(text));
    if (isOver || (!isEnd && !chunks.isDone())) return;
    sink?.parts(chunks.end());
    if (isOver) return;
    isOver = true;
    sink?.end();
    // The connection is used again when the server ends its answer behind the last event, as it
    // should.
    response.resume();
    if (!isEnd) setTimeout(() => response.destroy(), LINGER_MS).unref();
  };
  const giveOrFail = (texts: () => string[], isEnd: boolean) => {
    if (isOver) return;
    try {
      give(texts(), isEnd);
    } catch (error) {
      fail(error);
    }
  };
  response.on("error", fail);
  response.on("close", () => fail(new StreamCut("the connection was closed")));
  return new PartStream((to) => {
    sink = to;
    if (failure) to.fail(failure.error);
    else {
      to.parts([{ type: "stream-start", warnings: [] }]);
      response.on("data", (bytes: Buffer) => giveOrFail(() => events.take(bytes), false));
      response.on("end", () => giveOrFail(() => events.end(), true));
    }
    return {
      pause: () => response.pause(),
      resume: () => response.resume(),
      cancel() {
        isOver = true;
        response.destroy();
      },
    };
  });
}

const LINE_MAX_CHARACTERS = 8 * 1024 * 1024;

interface EventDataReader {
  /** The data of the events that these bytes complete. */
  take(bytes: Uint8Array): string[];
  /** The data of an event that the end of the stream completes. */
  end(): string[];
}

/**
 * The `data` of server-sent events, out of bytes that may be cut anywhere, within a character too.
 * Lines may end with LF, CRLF or CR LF cut apart; comments and other fields are skipped. Each
 * `data` line counts by itself, as chat completions use them.
 */
function readEventData(): EventDataReader {
  const decoder = new TextDecoder();
  let rest = "";
  const read = (text: string, isEnd: boolean): string[] => {
    const lines = (rest + text).split("\n");
    rest = isEnd ? "" : (lines.pop() ?? "");
    if (rest.length > LINE_MAX_CHARACTERS) throw new StreamCut("a line without an end");
    return lines.flatMap(dataOf);
  };
  return {
    take: (bytes) => read(decoder.decode(bytes, { stream: true }), false),
    end: () => read(decoder.decode(), true),
  };
}

function dataOf(line: string): string[] {
  if (!line.startsWith("data:")) return [];
  const data = line.slice(5).trim();
  return data === "" ? [] : [data];
}

/** A server that says nothing at all for this long has forgotten us. */
const SILENCE_MAX_MS = 300_000;

/**
 * Posts JSON to the operator's own server and gives its answer as it begins, whatever its status.
 * Node's own client: the streams of `fetch` cost several times as much a read. Redirects are not
 * followed.
 * @throws StreamCut, or the error of the connection with its code
 */
export function postJson(
  url: string,
  headers: Record<string, string>,
  body: string,
  signal?: AbortSignal,
): Promise<IncomingMessage> {
  const target = new URL(url);
  const isHttps = target.protocol === "https:";
  const options = {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(body)),
      ...headers,
    },
    agent: isHttps ? agents().https : agents().http,
    ...(signal && { signal }),
  };
  return new Promise((resolve, reject) => {
    const request = (isHttps ? requestHttps : requestHttp)(target, options, resolve);
    request.once("error", reject);
    request.setTimeout(SILENCE_MAX_MS, () =>
      request.destroy(new StreamCut("nothing was heard for five minutes")),
    );
    request.end(body);
  });
}

/** Connections are kept for the next call. */
const agents = definePart(
  "compatible-agents",
  () => ({
    http: new HttpAgent({ keepAlive: true, keepAliveMsecs: 5_000 }),
    https: new HttpsAgent({ keepAlive: true, keepAliveMsecs: 5_000 }),
  }),
  ({ http, https }) => {
    http.destroy();
    https.destroy();
  },
);

const UNKNOWN_USAGE = {
  inputTokens: {
    total: undefined,
    noCache: undefined,
    cacheRead: undefined,
    cacheWrite: undefined,
  },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

/** A whole answer out of a model's stream, for the callers that want no deltas. */
export async function generateFromStream(
  model: LanguageModelV4,
  options: LanguageModelV4CallOptions,
): Promise<LanguageModelV4GenerateResult> {
  const { stream } = await model.doStream(options);
  const draft = emptyDraft();
  const content: LanguageModelV4Content[] = [];
  const end: { reason: LanguageModelV4GenerateResult["finishReason"] | null } = { reason: null };
  await readParts(
    stream,
    (part) => {
      takePart(draft, part, { onText: () => {}, onVoid: () => {}, onReasoning: () => {} });
      if (part.type === "tool-call") content.push(part);
      if (part.type === "finish") end.reason = part.finishReason;
      return false;
    },
    options.abortSignal ?? new AbortController().signal,
  );
  if (end.reason === null) throw new StreamCut("no finish part");
  if (draft.text) content.unshift({ type: "text", text: draft.text });
  if (draft.reasoning) content.unshift({ type: "reasoning", text: draft.reasoning });
  return {
    content,
    finishReason: end.reason,
    usage: draft.reported ?? UNKNOWN_USAGE,
    warnings: [],
  };
}
