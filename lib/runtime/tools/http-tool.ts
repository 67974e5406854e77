import "server-only";
import { fillConnectorUrl } from "@/lib/model/agent-config/connector-url";
import type { HttpTool } from "@/lib/model/agent-config/effective-config";
import { isJsonObject, type JsonObject, type JsonValue } from "@/lib/model/json-schema/json-value";
import { type EgressAnswer, egressFetch } from "@/lib/platform/egress/egress-fetch";
import { EgressFailed, EgressRefused } from "@/lib/platform/egress/target";
import { connectorHeaders, secretPreview } from "@/lib/runtime/tools/connector-headers";
import {
  CUT_TAIL_CHARACTERS,
  decodeAnswer,
  parseAnswerJson,
} from "@/lib/runtime/tools/read-answer";
import {
  type CallPreview,
  type RuntimeTool,
  type ToolContext,
  ToolFailure,
  type ToolOutcome,
} from "@/lib/runtime/tools/tool";
import type { ConnectorPort } from "@/lib/runtime/tools/tool-ports";

const TIMEOUT_MS = 60_000;
const ANSWER_MAX_BYTES = 256 * 1024;
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
  const hasBody = !reads && (config.method !== "DELETE" || Object.keys(filled.rest).length > 0);
  try {
    const answer = await egressFetch(filled.url, {
      ...port.reach,
      method: config.method,
      headers: {
        accept: "application/json, text/*;q=0.9, */*;q=0.5",
        "user-agent": USER_AGENT,
        ...(hasBody && { "content-type": "application/json" }),
        ...(!reads && { "idempotency-key": `${context.runId}:${context.toolCallId}` }),
        ...(await connectorHeaders(config, filled.url, port)),
      },
      ...(hasBody && { body: JSON.stringify(filled.rest) }),
      signal: context.signal,
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: ANSWER_MAX_BYTES,
    });
    return toOutcome(answer);
  } catch (error) {
    throw toFailure(error, reads);
  }
}

function toFailure(error: unknown, reads: boolean): unknown {
  if (error instanceof EgressRefused) return new ToolFailure(error.message);
  if (!(error instanceof EgressFailed)) return error;
  return new ToolFailure(
    reads || error.reason === "invalid_request"
      ? error.message
      : `${error.message} Nobody knows whether the call took effect: check before you repeat it.`,
  );
}

function toOutcome(answer: EgressAnswer): ToolOutcome {
  const succeeded = answer.status >= 200 && answer.status < 300;
  const location = answer.headers.get("location");
  const output: JsonObject = { status: answer.status, ...toBody(answer) };
  if (location !== null) output.location = location;
  if (answer.ended !== "complete")
    output.note = "The answer was longer, or broke off; only its start is shown.";
  return { succeeded, output };
}

function toBody(answer: EgressAnswer): JsonObject {
  if (answer.body.byteLength === 0) return {};
  const contentType = answer.headers.get("content-type") ?? "";
  const text = decodeAnswer(answer.body, contentType);
  if (text === null)
    return {
      content_type: contentType,
      size_bytes: answer.body.byteLength,
      note: "The answer is no text.",
    };
  if (answer.ended !== "complete")
    return { body: text.slice(0, Math.max(0, text.length - CUT_TAIL_CHARACTERS)) };
  const json: JsonValue | undefined =
    /\bjson\b/i.test(contentType) || /^\s*[[{]/.test(text) ? parseAnswerJson(text) : undefined;
  return {
    body: json === undefined || (!isJsonObject(json) && !Array.isArray(json)) ? text : json,
  };
}
