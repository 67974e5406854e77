import "server-only";
import {
  Client,
  type ConnectOptions,
  extractWWWAuthenticateParams,
  type JSONRPCMessage,
  ProtocolError,
  ProtocolErrorCode,
  SdkHttpError,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import type { McpServer } from "@/lib/model/agent-config/effective-config";
import type { JsonValue } from "@/lib/model/json-schema/json-value";
import { createRedactor, type Redactor } from "@/lib/platform/crypto/redact";
import { createEgressFetch } from "@/lib/platform/egress/egress-fetch";
import { EgressFailed, EgressRefused } from "@/lib/platform/egress/target";
import { inSlices } from "@/lib/platform/in-slices";
import { connectorHeaders } from "@/lib/runtime/tools/connector-headers";
import { mayHaveArrived } from "@/lib/runtime/tools/may-have-arrived";
import { redactJson } from "@/lib/runtime/tools/resolve-tools";
import { ToolFailure } from "@/lib/runtime/tools/tool";
import type { ConnectorPort, McpRevision } from "@/lib/runtime/tools/tool-ports";

const ANSWER_MAX_BYTES = 512 * 1024;
const REASON_MAX_CHARACTERS = 500;

interface McpSessionOptions {
  /** For everything together: connecting, asking, closing. */
  timeoutMs: number;
  signal: AbortSignal;
  redactor: Redactor;
  /** Sent with every request, beside the secret. */
  headers?: Record<string, string>;
  /** Of one answer; `ANSWER_MAX_BYTES` where nothing is said. */
  answerMaxBytes?: number;
}

/** What one piece of work is done with, and its bounds. */
type Work<T> = (client: Client, limited: Limits) => Promise<T>;
export interface Limits {
  signal: AbortSignal;
  timeout: number;
}

/**
 * Speaks to an MCP server over HTTP, through the egress guard, for one piece of work. Which
 * revision the server speaks is asked once and remembered: to one of 2026-07-28, and to an older
 * one that keeps no sessions, a piece of work of one request is one request. The secret is put in
 * at the guard, for the server's own origin alone.
 * @throws ToolFailure when the server cannot be reached or breaks the protocol; the signal's reason
 */
export async function withMcpServer<T>(
  server: McpServer,
  port: ConnectorPort,
  {
    timeoutMs,
    signal: outer,
    headers,
    redactor,
    answerMaxBytes = ANSWER_MAX_BYTES,
  }: McpSessionOptions,
  work: Work<T>,
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
  const limited = { signal, timeout: timeoutMs };
  try {
    const answer = await inKnownRevision(server, port, (revision, learn) =>
      once(url, asked(url.origin, send), limited, revision, learn, work),
    );
    return await withoutTokens(tokens, answer);
  } catch (error) {
    outer.throwIfAborted();
    const clean = async (said: string) =>
      inSlices(redactor.redactInSteps(await withoutTokens(tokens, said)));
    throw await withoutTokens(tokens, await toFailure(server.name, error, signal.aborted, clean));
  }
}

/** Does it in a revision; in none: in the one that the server says, which is told to `learn`. */
type Attempt<T> = (
  revision: McpRevision | null,
  learn: (spoken: McpRevision) => Promise<void>,
) => Promise<T>;

/**
 * Does a piece of work in the revision that is remembered of the server. Where the server refuses
 * that before it does anything, it is asked anew, and the work is done in what it speaks now.
 */
async function inKnownRevision<T>(
  server: McpServer,
  port: ConnectorPort,
  attempt: Attempt<T>,
): Promise<T> {
  const known = await port.revisions.find(server);
  const keep = async (spoken: McpRevision) => {
    if (spoken.version !== known?.version || spoken.isBare !== known.isBare)
      await port.revisions.keep(server, spoken);
  };
  if (!known) return attempt(null, keep);
  try {
    return await attempt(known, keep);
  } catch (error) {
    if (!isRefusedRevision(error, known)) throw error;
    return attempt(null, async (spoken) => {
      // The same words would only be refused again.
      if (spoken.version === known.version && !known.isBare) throw error;
      // It wanted the handshake that was left out.
      await keep(known.isBare ? { ...spoken, isBare: isModern(spoken.version) } : spoken);
    });
  }
}

const FIRST_MODERN = "2026-07-28";

function isModern(version: string): boolean {
  return version >= FIRST_MODERN; // dates
}

/**
 * What a server answers, before it does anything, to a revision or a manner that it does not take.
 */
function isRefusedRevision(error: unknown, known: McpRevision): boolean {
  if (error instanceof SdkHttpError)
    return [400, 404, 405, 406, 415, 422].includes(error.data.status);
  if (!(error instanceof ProtocolError)) return false;
  return known.isBare && REFUSALS.has(error.code);
}

const REFUSALS: ReadonlySet<number> = new Set([
  ProtocolErrorCode.UnsupportedProtocolVersion,
  ProtocolErrorCode.InvalidRequest,
  ProtocolErrorCode.MethodNotFound,
  -32_002, // of the language server protocol: servers answer it to who has not shaken hands
]);

async function once<T>(
  url: URL,
  send: typeof fetch,
  limited: Limits,
  revision: McpRevision | null,
  learn: (spoken: McpRevision) => Promise<void>,
  work: Work<T>,
): Promise<T> {
  const isBareLegacy = revision !== null && !isModern(revision.version) && revision.isBare;
  const transport = new StreamableHTTPClientTransport(url, {
    fetch: send,
    requestInit: { redirect: "error" },
    // An empty id is sent nowhere, and has the client begin no session: the server keeps none.
    ...(isBareLegacy && { sessionId: "", protocolVersion: revision.version }),
  });
  const client = new Client(
    { name: "lathe", version: "1.0.0" },
    {
      versionNegotiation: { mode: "auto" },
      inputRequired: { autoFulfill: false },
      jsonSchemaValidator: NO_VALIDATOR,
    },
  );
  client.onerror = () => {}; // what matters is thrown where it is awaited
  try {
    await client.connect(transport, { ...limited, ...priorOf(revision) });
    const deliver = transport.onmessage;
    if (client.getProtocolEra() === "modern")
      transport.onmessage = (message) => deliver?.(withCacheHints(message));
    const version = client.getNegotiatedProtocolVersion();
    if (!isBareLegacy && version !== undefined)
      await learn({ version, isBare: isModern(version) || transport.sessionId === undefined });
    return await work(client, limited);
  } finally {
    if (!limited.signal.aborted) await transport.terminateSession().catch(() => {});
    await client.close().catch(() => {});
  }
}

/** Whatever schemas a server promises of its answers are not compiled. */
const NO_VALIDATOR = {
  getValidator(): never {
    throw new Error("No schema of a server is compiled.");
  },
};

/**
 * A listing that says nothing, or nonsense, of how long it holds: the specification has clients
 * take that for 0 and for one account alone, where the client of the SDK refuses the whole of it.
 */
function withCacheHints(message: JSONRPCMessage): JSONRPCMessage {
  if (!("result" in message) || !Array.isArray(message.result.tools)) return message;
  const { ttlMs, cacheScope } = message.result;
  const hints = {
    ttlMs: Number.isSafeInteger(ttlMs) && Number(ttlMs) >= 0 ? ttlMs : 0,
    cacheScope: cacheScope === "public" ? cacheScope : "private",
  };
  return { ...message, result: { ...message.result, ...hints } };
}

/** What is remembered, in the client's words. */
function priorOf(revision: McpRevision | null): Pick<ConnectOptions, "prior"> {
  if (revision === null) return {};
  if (!isModern(revision.version)) return { prior: { kind: "legacy" } };
  return {
    prior: {
      kind: "modern",
      discover: {
        resultType: "complete",
        ttlMs: 0,
        cacheScope: "private",
        supportedVersions: [revision.version],
        capabilities: { tools: {} },
      },
    },
  };
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
      `The MCP server ${server.name} refused ${why.slice(0, REASON_MAX_CHARACTERS)}. Its owner ` +
        "can sign in to it again.",
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
  if (said instanceof ToolFailure)
    return new ToolFailure(redact(said.message), said.isUnanswered) as T; // of its own kind
  if (said instanceof Error) return said;
  // It came as JSON, and keeps its form.
  return (await inSlices(redactJson(said as JsonValue, redactInSteps))) as T;
}

/**
 * The server's own channel for messages that nobody asked for is never opened: what is fetched is
 * the rest of an answer that broke off. Nothing is sent to another origin.
 */
function asked(origin: string, send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const { href, origin: target } = new URL(input instanceof Request ? input.url : input);
    const isPlainGet = init?.method === "GET" || init?.method === undefined;
    if (isPlainGet && !new Headers(init?.headers).has("last-event-id"))
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
  const causes = causesOf(error);
  const failure = causes.find((one) => one instanceof ToolFailure);
  if (failure) return failure;
  const known = causes.find((one) => one instanceof EgressRefused || one instanceof EgressFailed);
  const reason = isLate
    ? "It did not answer in time."
    : known instanceof Error
      ? known.message
      : error instanceof Error
        ? error.message
        : "It broke the protocol.";
  const told = await clean(reason);
  return new ToolFailure(
    `The MCP server ${name} could not be used: ` +
      `${told.slice(0, REASON_MAX_CHARACTERS).toWellFormed()}`,
    isLate || (known instanceof EgressFailed && mayHaveArrived(known)),
  );
}

const CAUSES_MAX = 5;

/** An error with what it wraps; the protocol's client puts that into `data`. */
function causesOf(error: unknown): Error[] {
  const causes: Error[] = [];
  for (let one = error; one instanceof Error && causes.length < CAUSES_MAX; ) {
    causes.push(one);
    const { data } = one as { data?: unknown }; // of errors of the client
    one =
      one.cause ??
      (typeof data === "object" && data !== null && "cause" in data ? data.cause : undefined);
  }
  return causes;
}
