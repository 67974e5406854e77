import "server-only";
import type { Client, Tool } from "@modelcontextprotocol/client";
import { z } from "zod";
import type { McpServer } from "@/lib/model/agent-config/effective-config";
import { checkSchema } from "@/lib/model/json-schema/check-schema";
import type { JsonObject, JsonValue } from "@/lib/model/json-schema/json-value";
import { pathInRun } from "@/lib/model/run/run-file-path";
import type { Redactor } from "@/lib/platform/crypto/redact";
import { inSlices } from "@/lib/platform/in-slices";
import { secretPreview } from "@/lib/runtime/tools/connector-headers";
import { hasUsableHeaders } from "@/lib/runtime/tools/mcp-param-headers";
import { type Limits, withMcpServer } from "@/lib/runtime/tools/mcp-session";
import { parseAnswerJson } from "@/lib/runtime/tools/read-answer";
import { receiveFile } from "@/lib/runtime/tools/receive-answer";
import { redactJson } from "@/lib/runtime/tools/resolve-tools";
import { fileArguments, filesIn, withBase64 } from "@/lib/runtime/tools/sent-files";
import {
  type RuntimeTool,
  type ToolContext,
  ToolFailure,
  type ToolOutcome,
} from "@/lib/runtime/tools/tool";
import type { ConnectorPort } from "@/lib/runtime/tools/tool-ports";

/** Of one call's answer: a picture of a page is some megabytes. */
const CALL_ANSWER_MAX_BYTES = 8 * 1024 * 1024;
const TOOLS_MAX = 100;
const PAGES_MAX = 10;
/** Of all definitions of a listing together, which is kept as long as the server allows. */
const LISTING_MAX_CHARACTERS = 512 * 1024;
const DESCRIPTION_MAX_CHARACTERS = 1_024;
const SCHEMA_MAX_CHARACTERS = 20_000;
/** What vendors of models take for a tool's name. */
const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** A tool as an MCP server describes it. */
export type McpDefinition = z.infer<typeof toolSchema>;

/** What a server lists, as far as an agent's config wants it. */
export interface McpListing {
  definitions: McpDefinition[];
  /** How long the server says that it holds; null: it says nothing. */
  ttlMs: number | null;
}

/**
 * Asks an MCP server for its tools, bounded in number, size and time.
 * @param options.redactor takes the account's secrets out of what the server says of its tools, and
 * of why it failed, before any of it is cut
 * @throws ToolFailure when the server cannot be reached
 */
export async function listMcpDefinitions(
  server: McpServer,
  port: ConnectorPort,
  options: { timeoutMs: number; signal: AbortSignal; redactor: Redactor },
): Promise<McpListing> {
  const { tools, ttlMs } = await withMcpServer(server, port, options, (client, limited) =>
    listPages(client, limited, server.tools),
  );
  const told = await inSlices(
    redactJson(
      JSON.parse(JSON.stringify(tools)) as JsonValue, // it came as JSON
      options.redactor.redactInSteps,
    ),
  );
  let left = LISTING_MAX_CHARACTERS;
  const definitions = (told as McpDefinition[]).filter((definition) => {
    left -= JSON.stringify(definition).length;
    return left >= 0;
  }); // the same, with other texts
  return { definitions, ttlMs: typeof ttlMs === "number" ? ttlMs : null };
}

/**
 * Page by page, and taken loosely: the client's own `listTools` asks nothing of a server that it
 * has not shaken hands with just now, and refuses one that says nothing, or nonsense, of its time.
 */
async function listPages(
  client: Client,
  limited: Limits,
  wanted: readonly string[] | null,
): Promise<Page> {
  const isUsable =
    client.getProtocolEra() === "modern"
      ? // It came as JSON.
        ({ inputSchema }: McpDefinition) => hasUsableHeaders(inputSchema as JsonObject)
      : () => true;
  const found: Page = { tools: [], ttlMs: undefined };
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_MAX && found.tools.length < TOOLS_MAX; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const answer = await client.request({ method: "tools/list", params }, pageSchema, limited);
    const room = TOOLS_MAX - found.tools.length;
    found.tools.push(...readListed(answer.tools, wanted, room, isUsable));
    // What holds for the shortest time.
    if (answer.ttlMs !== undefined)
      found.ttlMs = Math.min(answer.ttlMs, found.ttlMs ?? answer.ttlMs);
    cursor = answer.nextCursor;
    if (cursor === undefined) break;
  }
  return found;
}

/**
 * The tools of a page, at most `room` of those that are wanted, one after the other: of a hundred
 * thousand that are none the first says enough. @throws ZodError
 */
export function readListed(
  listed: readonly unknown[],
  wanted: readonly string[] | null,
  room: number,
  isUsable: (tool: McpDefinition) => boolean = () => true,
): McpDefinition[] {
  const found: McpDefinition[] = [];
  for (const each of listed) {
    if (found.length >= room) break;
    const tool = toolSchema.parse(each);
    if ((wanted === null || wanted.includes(tool.name)) && isUsable(tool)) found.push(tool);
  }
  return found;
}

const toolSchema = z.looseObject({
  name: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  inputSchema: z.looseObject({ type: z.literal("object") }),
  outputSchema: z.looseObject({}).optional(),
  annotations: z.looseObject({ readOnlyHint: z.boolean().optional() }).optional(),
});

const pageSchema = z.looseObject({
  tools: z.array(z.unknown()),
  nextCursor: z.string().optional(),
  ttlMs: z.number().optional().catch(undefined),
});

interface Page {
  tools: McpDefinition[];
  ttlMs: number | undefined;
}

/**
 * The tools of an MCP server, as `<server>__<tool>`. What the server says of itself is not trusted
 * further than this: a tool is guarded unless the server calls it read-only and the agent's owner
 * names it under `read_only`; one whose name or schema cannot be used is left out or taken loosely.
 * @param redactor takes the account's secrets out of why a call failed
 */
export function toMcpTools(
  server: McpServer,
  definitions: readonly McpDefinition[],
  port: ConnectorPort,
  redactor: Redactor,
): RuntimeTool[] {
  return definitions.flatMap((definition) => toRuntimeTool(server, definition, port, redactor));
}

function toRuntimeTool(
  server: McpServer,
  definition: McpDefinition,
  port: ConnectorPort,
  redactor: Redactor,
): RuntimeTool[] {
  const name = `${server.name}__${definition.name.replace(/[^A-Za-z0-9_-]/g, "_")}`;
  if (!NAME.test(name)) return [];
  const description = (definition.description ?? definition.title ?? definition.name)
    .slice(0, DESCRIPTION_MAX_CHARACTERS)
    .replaceAll("\u0000", "")
    .toWellFormed();
  const readOnly = isReadOnly(server, definition);
  const files = readOnly ? [] : fileArguments(toInputSchema(definition));
  return [
    {
      name,
      description: files.length === 0 ? description : `${description}${fileHint(files)}`,
      ...(files.length > 0 && {
        sentFiles: (args: unknown) => filesIn(args, runFilesIn(definition, toObject(args))),
      }),
      inputSchema: toInputSchema(definition),
      kind: readOnly ? "read" : "guarded",
      server: server.name,
      target: `${definition.name} of ${server.url}`,
      definition: toPlainDefinition(server, definition),
      preview: () => ({
        tool_kind: "mcp",
        method: definition.name,
        target: server.url,
        ...secretPreview(server),
      }),
      execute: (args, context) =>
        callMcpTool(server, definition, args, port, { ...context, redactor }),
    },
  ];
}

function fileHint(names: readonly string[]): string {
  return (
    ` (${names.join(", ")}: base64, or the path of a file of the run, run:…, whose bytes are ` +
    "then sent.)"
  );
}

function toObject(args: unknown): JsonObject {
  return typeof args === "object" && args !== null ? (args as JsonObject) : {}; // it came as JSON
}

/** The arguments that the server wants in base64, and that name a file of the run in its place. */
function runFilesIn(definition: McpDefinition, args: JsonObject): string[] {
  return fileArguments(toInputSchema(definition)).filter((name) => {
    const value = Object.hasOwn(args, name) ? args[name] : undefined;
    return typeof value === "string" && pathInRun(value) !== null;
  });
}

/**
 * A server that was taken over would call everything harmless, so its word alone does not count;
 * neither does the owner's, once the server takes it back.
 */
function isReadOnly(server: McpServer, definition: McpDefinition): boolean {
  return (
    definition.annotations?.readOnlyHint === true && server.read_only.includes(definition.name)
  );
}

/** The tool as its server describes it, and where and as whom it is called. */
function toPlainDefinition(
  { url, auth, auth_secret, auth_header }: McpServer,
  definition: McpDefinition,
): JsonObject {
  return JSON.parse(
    JSON.stringify({ url, auth, auth_secret, auth_header, tool: definition }),
  ) as JsonObject; // it came as JSON
}

/**
 * The server's schema where it is one that we can hold arguments against; else any object, which
 * the server checks itself.
 */
function toInputSchema({ inputSchema }: McpDefinition): JsonObject {
  const { $schema: _, ...schema } = inputSchema;
  const isUsable =
    JSON.stringify(schema).length <= SCHEMA_MAX_CHARACTERS && checkSchema(schema).length === 0;
  // It came as JSON, and `checkSchema` found nothing wrong with it.
  return isUsable ? (schema as JsonObject) : { type: "object", properties: {} };
}

const CALL_TIMEOUT_MS = 60_000;

const resultSchema = z.looseObject({
  content: z.array(z.looseObject({ type: z.string() })).catch([]),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().catch(false),
});

/** One call of a tool of an MCP server; it carries the idempotency key of its call. */
async function callMcpTool(
  server: McpServer,
  definition: McpDefinition,
  args: unknown,
  port: ConnectorPort,
  context: ToolContext & { redactor: Redactor },
): Promise<ToolOutcome> {
  const headers = { "idempotency-key": `${context.runId}:${context.toolCallId}` };
  const given = toObject(args);
  const files = isReadOnly(server, definition) ? [] : runFilesIn(definition, given);
  const sent = await withBase64(given, files, context.files);
  const answer = await withMcpServer(
    server,
    port,
    {
      timeoutMs: CALL_TIMEOUT_MS,
      signal: context.signal,
      headers,
      redactor: context.redactor,
      answerMaxBytes: CALL_ANSWER_MAX_BYTES,
    },
    (client, limited) => call(client, definition, sent, limited),
  );
  return toOutcome(answer, definition.name, context);
}

/** A server may have asked for arguments to be repeated in headers, which the client sees to. */
async function call(
  client: Client,
  definition: McpDefinition,
  args: JsonObject,
  limited: Limits,
): Promise<z.infer<typeof resultSchema>> {
  const params = { name: definition.name, arguments: args };
  if (!JSON.stringify(definition.inputSchema).includes('"x-mcp-header"'))
    return client.request({ method: "tools/call", params }, resultSchema, limited);
  const { outputSchema: _, ...toolDefinition } = definition;
  return resultSchema.parse(
    // The same, read loosely.
    await client.callTool(params, { ...limited, toolDefinition: toolDefinition as Tool }),
  );
}

async function toOutcome(
  { content, structuredContent, isError }: z.infer<typeof resultSchema>,
  name: string,
  context: ToolContext,
): Promise<ToolOutcome> {
  const parts: JsonValue[] = [];
  for (const [index, part] of content.entries())
    parts.push(await toPart(part, `${index + 1}`, name, context));
  const output: JsonObject = { content: parts };
  const data = structuredContent === undefined ? undefined : toPlainJson(structuredContent);
  if (data !== undefined) output.data = data;
  return { succeeded: !isError, output };
}

/** Texts are shown; pictures, sounds and files are stored as files of the run. */
async function toPart(
  part: { type: string; [key: string]: unknown },
  index: string,
  name: string,
  context: ToolContext,
): Promise<JsonValue> {
  if (part.type === "text") return String(part.text ?? "");
  const resource =
    typeof part.resource === "object" && part.resource !== null
      ? (part.resource as Record<string, unknown>)
      : part; // an object, as just seen
  const mediaType = resource.mimeType ?? part.mimeType;
  const shown: JsonObject = { type: part.type };
  if (typeof resource.uri === "string") shown.uri = resource.uri;
  if (typeof mediaType === "string") shown.media_type = mediaType;
  if (typeof resource.text === "string") shown.text = resource.text;
  const encoded = part.data ?? resource.blob;
  if (typeof encoded !== "string" || encoded === "") return shown;
  const bytes = Buffer.from(encoded, "base64");
  const received = {
    head: bytes,
    bytes: oneByOne(bytes),
    contentType: typeof mediaType === "string" ? mediaType : "",
    name: `-${index}`,
  };
  const stored = await receiveFile(toToolPart(name), received, context).catch((error: unknown) => {
    if (!(error instanceof ToolFailure)) throw error;
    return { problem: error.message }; // its other parts are told all the same
  });
  if ("problem" in stored) return { ...shown, note: `It was not stored: ${stored.problem}` };
  const { media_type, ...file } = stored;
  return { ...shown, media_type, file };
}

async function* oneByOne(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** A server's name of a tool, as a part of a file's name. */
function toToolPart(name: string): string {
  return name.replace(/[^\w-]/g, "").slice(0, 60) || "tool";
}

/** Whatever the server sent, as JSON of a depth that can be kept. */
function toPlainJson(value: unknown): JsonValue | undefined {
  try {
    return parseAnswerJson(JSON.stringify(value));
  } catch {
    return undefined;
  }
}
