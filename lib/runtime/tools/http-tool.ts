import "server-only";
import { fillConnectorUrl } from "@/lib/model/agent-config/connector-url";
import type { HttpTool } from "@/lib/model/agent-config/effective-config";
import { isJsonObject, type JsonObject, type JsonValue } from "@/lib/model/json-schema/json-value";
import { egressStream } from "@/lib/platform/egress/egress-fetch";
import { EgressFailed, EgressRefused } from "@/lib/platform/egress/target";
import { HEAD_BYTES } from "@/lib/runtime/documents/sniff-type";
import { connectorHeaders, secretPreview } from "@/lib/runtime/tools/connector-headers";
import { mayHaveArrived } from "@/lib/runtime/tools/may-have-arrived";
import {
  CUT_TAIL_CHARACTERS,
  decodeAnswer,
  parseAnswerJson,
} from "@/lib/runtime/tools/read-answer";
import { isTextAnswer, receiveFile } from "@/lib/runtime/tools/receive-answer";
import {
  fileArguments,
  filesIn,
  multipartBody,
  rawBody,
  withBase64,
} from "@/lib/runtime/tools/sent-files";
import {
  type CallPreview,
  type RuntimeTool,
  type ToolContext,
  ToolFailure,
  type ToolOutcome,
} from "@/lib/runtime/tools/tool";
import type { ConnectorPort } from "@/lib/runtime/tools/tool-ports";

/** To the head of an answer, and of a silence within it. */
const TIMEOUT_MS = 60_000;
/** For all of an answer. */
const DOWNLOAD_MAX_MS = 180_000;
/** Of a text that stands in the result itself. */
const SHOWN_MAX_BYTES = 256 * 1024;
/** What a run's file may have, and a little more, so that its own limit is the one that is told. */
const RECEIVED_MAX_BYTES = 65 * 1024 * 1024;
const USER_AGENT = "Lathe/1.0";

/**
 * An `http` tool of an agent's config: one request a call, no redirects. A write carries
 * `Idempotency-Key`, the same when the step is repeated after a crash. The secret is put in here,
 * after the arguments have been filled in, and never comes back: see `redactedTool`.
 */
export function createHttpTool(config: HttpTool, port: ConnectorPort): RuntimeTool {
  const reads = config.method === "GET" || config.method === "HEAD";
  return {
    name: config.name,
    description: config.description,
    inputSchema: config.input_schema,
    kind: reads ? "read" : "guarded",
    target: `${config.method} ${config.url}`,
    definition: toPlainDefinition(config),
    ...(!reads && { sentFiles: (args) => filesIn(args, filesOf(config)) }),
    preview: (args) => previewOf(config, reads, args),
    execute: (args, context) => call(config, reads, toArguments(args), port, context),
  };
}

/** The whole tool as the config writes it: whatever of it changes makes it another tool. */
function toPlainDefinition(config: HttpTool): JsonObject {
  return JSON.parse(JSON.stringify(config)) as JsonObject; // a part of a config, which is JSON
}

function previewOf(config: HttpTool, reads: boolean, args: unknown): CallPreview {
  const filled = isJsonObject(args) ? fillConnectorUrl(config.url, args, reads) : null;
  return {
    tool_kind: "http",
    method: config.method,
    target: filled?.ok ? filled.url.href : config.url,
    ...secretPreview(config),
  };
}

function toArguments(args: unknown): JsonObject {
  if (typeof args !== "object" || args === null || Array.isArray(args))
    throw new ToolFailure("The arguments must be an object.");
  // What a model said came as JSON.
  return args as JsonObject;
}

async function call(
  config: HttpTool,
  reads: boolean,
  args: JsonObject,
  port: ConnectorPort,
  context: ToolContext,
): Promise<ToolOutcome> {
  const filled = fillConnectorUrl(config.url, args, reads);
  if (!filled.ok) throw new ToolFailure(filled.message);
  const body = reads ? null : await toRequestBody(config, filled.rest, context);
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(DOWNLOAD_MAX_MS)]);
  try {
    const answer = await egressStream(filled.url, {
      ...port.reach,
      method: config.method,
      headers: {
        accept: "application/json, text/*;q=0.9, */*;q=0.5",
        "user-agent": USER_AGENT,
        ...(body && { "content-type": body.type }),
        ...(!reads && { "idempotency-key": `${context.runId}:${context.toolCallId}` }),
        ...(await connectorHeaders(config, filled.url, port)),
      },
      ...(body && { body: body.bytes }),
      signal,
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: RECEIVED_MAX_BYTES,
    });
    return await toOutcome(config.name, answer, context);
  } catch (error) {
    context.signal.throwIfAborted();
    if (signal.aborted) throw toFailure(new EgressFailed("timeout"), reads);
    throw toFailure(error, reads);
  }
}

function toFailure(error: unknown, reads: boolean): unknown {
  if (error instanceof EgressRefused) return new ToolFailure(error.message);
  if (!(error instanceof EgressFailed)) return error;
  if (reads || error.reason === "invalid_request") return new ToolFailure(error.message);
  return new ToolFailure(
    `${error.message} Nobody knows whether the call took effect: check before you repeat it.`,
    mayHaveArrived(error),
  );
}

type Answer = Awaited<ReturnType<typeof egressStream>>;

async function toOutcome(name: string, answer: Answer, context: ToolContext): Promise<ToolOutcome> {
  const succeeded = answer.status >= 200 && answer.status < 300;
  const location = answer.headers.get("location");
  const output: JsonObject = {
    status: answer.status,
    ...(await readBody(name, answer, context)),
  };
  if (location !== null) output.location = location;
  return { succeeded, output };
}

/**
 * A short text stands in the result; a longer one, and what is no text, is stored as a file of the
 * run as it comes, and never held as a whole.
 */
async function readBody(
  name: string,
  { body, headers }: Answer,
  context: ToolContext,
): Promise<JsonObject> {
  const contentType = headers.get("content-type") ?? "";
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let held = 0;
  let ended: "complete" | "broken" | null = null;
  const isStored = () => held > 0 && !isTextAnswer(Buffer.concat(chunks), contentType);
  try {
    while (ended === null && held <= SHOWN_MAX_BYTES && !(held >= HEAD_BYTES && isStored())) {
      const next = await reader.read().catch((error: unknown) => {
        if (!(error instanceof EgressFailed)) throw error;
        return null; // it broke off: what came is shown
      });
      if (next === null) ended = "broken";
      else if (next.done) ended = "complete";
      else {
        chunks.push(next.value);
        held += next.value.length;
      }
    }
    const head = Buffer.concat(chunks);
    if (ended !== null && !isStored()) return shownBody(head, contentType, ended);
    if (ended === "broken") return { content_type: contentType, note: BROKE_OFF };
    const pieces = piecesOf(head, reader);
    const { media_type, ...file } = await receiveFile(
      name,
      { head, bytes: pieces, contentType },
      context,
    );
    return { content_type: media_type, file, note: STORED };
  } finally {
    await reader.cancel().catch(() => {}); // what broke off was told by the read
  }
}

const BROKE_OFF = "The answer is no text, and broke off; nothing of it was stored.";
const STORED =
  "The answer is stored as a file of the run: read it with files_read, compute on it with " +
  "run_javascript, or hand it over with artifacts and from.";

async function* piecesOf(
  head: Uint8Array,
  reader: ReadableStreamDefaultReader<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield head;
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}

function shownBody(
  bytes: Uint8Array,
  contentType: string,
  ended: "complete" | "broken",
): JsonObject {
  if (bytes.byteLength === 0) return ended === "complete" ? {} : { note: CUT };
  const text = decodeAnswer(bytes, contentType) ?? "";
  if (ended === "broken")
    return { body: text.slice(0, Math.max(0, text.length - CUT_TAIL_CHARACTERS)), note: CUT };
  const json: JsonValue | undefined =
    /\bjson\b/i.test(contentType) || /^\s*[[{]/.test(text) ? parseAnswerJson(text) : undefined;
  return {
    body: json === undefined || (!isJsonObject(json) && !Array.isArray(json)) ? text : json,
  };
}

const CUT = "The answer broke off; only its start is shown.";

interface RequestBody {
  type: string;
  bytes: string | Uint8Array;
}

/** The arguments that are files: where the config says how they are sent. */
function filesOf(config: HttpTool): string[] {
  return config.body === undefined ? [] : fileArguments(config.input_schema);
}

/**
 * The arguments as the tool's config has them sent: JSON, a form, or the bytes of one file. Null:
 * no body.
 */
async function toRequestBody(
  config: HttpTool,
  args: JsonObject,
  context: ToolContext,
): Promise<RequestBody | null> {
  if (config.method === "DELETE" && Object.keys(args).length === 0) return null;
  const names = filesOf(config);
  if (config.body === "raw") return rawBody(args, names, context.files);
  if (config.body === "multipart") return multipartBody(args, names, context.files);
  const sent = await withBase64(args, names, context.files);
  return { type: "application/json", bytes: JSON.stringify(sent) };
}
