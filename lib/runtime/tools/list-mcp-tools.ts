import "server-only";
import { extractWWWAuthenticateParams } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ListToolsResultSchema, type Tool } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import type { McpServer } from "@/lib/model/agent-config/effective-config";
import { checkSchema } from "@/lib/model/json-schema/check-schema";
import type { JsonObject, JsonValue } from "@/lib/model/json-schema/json-value";
import { pathInRun } from "@/lib/model/run/run-file-path";
import { createRedactor, type Redactor } from "@/lib/platform/crypto/redact";
import { createEgressFetch } from "@/lib/platform/egress/egress-fetch";
import { EgressFailed, EgressRefused } from "@/lib/platform/egress/target";
import { inSlices } from "@/lib/platform/in-slices";
import { connectorHeaders, secretPreview } from "@/lib/runtime/tools/connector-headers";
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

const LIST_TIMEOUT_MS = 10_000;
const TOOLS_MAX = 100;
const PAGES_MAX = 10;
const DESCRIPTION_MAX_CHARACTERS = 1_024;
const SCHEMA_MAX_CHARACTERS = 20_000;
/** What vendors of models take for a tool's name. */
const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * The tools of an MCP server, as `<server>__<tool>`, bounded in number, size and time. What the
 * server says of itself is not trusted further than this: a tool is guarded unless the server calls
 * it read-only and the agent's owner names it under `read_only`; one whose name or schema cannot be
 * used is left out or taken loosely.
 * @param redactor takes the account's secrets out of what the server says of its tools, and of why it failed, before any of it is cut
 * @throws ToolFailure when the server cannot be reached
 */
export async function listMcpTools(
  server: McpServer,
  port: ConnectorPort,
  signal: AbortSignal,
  redactor: Redactor = NO_SECRETS,
): Promise<RuntimeTool[]> {
  const session = { timeoutMs: LIST_TIMEOUT_MS, signal, redactor };
  const definitions = await withMcpServer(server, port, session, async (client, limited) => {
    const found: McpDefinition[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < PAGES_MAX && found.length < TOOLS_MAX; page++) {
      // Not `listTools`, which compiles the schemas of the answers that a server promises: whatever
      // it sends.
      const params = cursor === undefined ? {} : { cursor };
      const answer = await client.request(
        { method: "tools/list", params },
        ListToolsResultSchema,
        limited,
      );
      found.push(
        ...answer.tools.filter((tool) => server.tools === null || server.tools.includes(tool.name)),
      );
      cursor = answer.nextCursor;
      if (cursor === undefined) break;
    }
    return found.slice(0, TOOLS_MAX);
  });
  const told = await inSlices(
    redactJson(JSON.parse(JSON.stringify(definitions)) as JsonValue, redactor.redactInSteps),
  ); // it came as JSON
  return (told as McpDefinition[]).flatMap((definition) =>
    toRuntimeTool(server, definition, port, redactor),
  ); // the same, with other texts
}

const NO_SECRETS = createRedactor([]);

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
  return ` (${names.join(", ")}: base64, or the path of a file of the run, run:…, whose bytes are then sent.)`;
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

/**
 * One call of a tool of an MCP server, on a connection of its own; it carries the idempotency key
 * of its call.
 */
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
    (client, limited) =>
      client.request(
        { method: "tools/call", params: { name: definition.name, arguments: sent } },
        resultSchema,
        limited,
      ),
  );
  return toOutcome(answer, definition.name, context);
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

/** A tool as an MCP server describes it. */
type McpDefinition = Tool;

const ANSWER_MAX_BYTES = 512 * 1024;
/** Of one call's: a picture of a page is some megabytes. */
const CALL_ANSWER_MAX_BYTES = 8 * 1024 * 1024;
const REASON_MAX_CHARACTERS = 500;

interface McpSessionOptions {
  /** For everything together: connecting, asking, closing. */
  timeoutMs: number;
  signal: AbortSignal;
  redactor: Redactor;
  /** Sent with every request, beside the secret. */
  headers?: Record<string, string>;
  answerMaxBytes?: number;
}

/**
 * Connects to an MCP server over HTTP, through the egress guard, for one piece of work. The secret
 * is put in at the guard, for the server's own origin alone. @throws ToolFailure when the server
 * cannot be reached or breaks the protocol; the signal's reason
 */
async function withMcpServer<T>(
  server: McpServer,
  port: ConnectorPort,
  {
    timeoutMs,
    signal: outer,
    headers,
    redactor,
    answerMaxBytes = ANSWER_MAX_BYTES,
  }: McpSessionOptions,
  work: (client: Client, limited: { signal: AbortSignal; timeout: number }) => Promise<T>,
): Promise<T> {
  const url = new URL(server.url);
  const tokens = new Set<string>();
  const token = server.auth === "oauth" ? await port.accessToken(server.url, null) : null;
  const secret = await connectorHeaders(server, url, port);
  const signal = AbortSignal.any([outer, AbortSignal.timeout(timeoutMs)]);
  const bounds = { ...port.reach, signal, timeoutMs, maxResponseBytes: answerMaxBytes };
  const sendWith = (own: Record<string, string>) =>
    createEgressFetch({ ...bounds, headers: { ...headers, ...own } });
  const send =
    token === null ? sendWith(secret) : signedInFetch(server, port, token, tokens, sendWith);
  const transport = new StreamableHTTPClientTransport(url, {
    fetch: postsOnly(url.origin, send),
    requestInit: { redirect: "error" },
  });
  const client = new Client({ name: "lathe", version: "1.0.0" });
  client.onerror = () => {}; // what matters is thrown where it is awaited
  const limited = { signal, timeout: timeoutMs };
  try {
    await client.connect(transport, limited);
    return await withoutTokens(tokens, await work(client, limited));
  } catch (error) {
    outer.throwIfAborted();
    const clean = async (said: string) =>
      inSlices(redactor.redactInSteps(await withoutTokens(tokens, said)));
    throw await withoutTokens(tokens, await toFailure(server.name, error, signal.aborted, clean));
  } finally {
    if (!signal.aborted) await transport.terminateSession().catch(() => {});
    await client.close().catch(() => {});
  }
}

/**
 * Sends as the signed-in account. A token that the server refuses is renewed once, for all that
 * this piece of work still sends.
 */
function signedInFetch(
  server: McpServer,
  port: ConnectorPort,
  first: string,
  tokens: Set<string>,
  sendWith: (own: Record<string, string>) => typeof fetch,
): typeof fetch {
  let token = first;
  const attempt: typeof fetch = (input, init) => {
    tokens.add(token);
    return sendWith({ authorization: `Bearer ${token}` })(input, init);
  };
  return async (input, init) => {
    let response = await attempt(input, init);
    if (response.status === 401) {
      await response.body?.cancel();
      token = await port.accessToken(server.url, token);
      response = await attempt(input, init);
    }
    if (response.status !== 401 && response.status !== 403) return response;
    const { error, scope } = extractWWWAuthenticateParams(response);
    if (response.status === 403 && error !== "insufficient_scope") return response;
    await response.body?.cancel();
    const why =
      response.status === 401
        ? "a sign-in that was just renewed"
        : `what the sign-in allows; it asks for ${scope ?? "more scopes"}`;
    throw new ToolFailure(
      `The MCP server ${server.name} refused ${why.slice(0, REASON_MAX_CHARACTERS)}. Its owner can sign in to it again.`,
    );
  };
}

/**
 * What a server says, without the tokens that it was sent: it may repeat them, in a tool's
 * description too.
 */
async function withoutTokens<T>(tokens: ReadonlySet<string>, said: T): Promise<T> {
  if (tokens.size === 0) return said;
  const { redact, redactInSteps } = createRedactor([...tokens]);
  if (said instanceof ToolFailure) return new ToolFailure(redact(said.message)) as T; // of its own kind
  if (said instanceof Error) return said;
  return (await inSlices(redactJson(said as JsonValue, redactInSteps))) as T; // it came as JSON, and keeps its form
}

/**
 * The server's own channel for messages that nobody asked for is never opened, and nothing is sent
 * to another origin.
 */
function postsOnly(origin: string, send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const { href, origin: target } = new URL(input instanceof Request ? input.url : input);
    if (init?.method === "GET" || init?.method === undefined)
      return new Response(null, { status: 405 });
    if (target !== origin) throw new EgressRefused();
    return send(href, init);
  };
}

/** A server may quote what it was sent, just where the reason is cut: so it is redacted before. */
async function toFailure(
  name: string,
  error: unknown,
  isLate: boolean,
  clean: (said: string) => Promise<string>,
): Promise<unknown> {
  if (error instanceof ToolFailure) return error;
  const known = [error, error instanceof Error ? error.cause : null].find(
    (one) => one instanceof EgressRefused || one instanceof EgressFailed,
  );
  const reason = isLate
    ? "It did not answer in time."
    : known instanceof Error
      ? known.message
      : error instanceof Error
        ? error.message
        : "It broke the protocol.";
  const told = await clean(reason);
  return new ToolFailure(
    `The MCP server ${name} could not be used: ${told.slice(0, REASON_MAX_CHARACTERS).toWellFormed()}`,
  );
}
