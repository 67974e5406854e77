import "server-only";
import { createMCPClient, type MCPClient } from "@ai-sdk/mcp";
import type { McpServer } from "@/lib/model/agent-config/effective-config";
import { createEgressFetch } from "@/lib/platform/egress/create-egress-fetch";
import { EgressFailed } from "@/lib/platform/egress/egress-failed";
import { EgressRefused } from "@/lib/platform/egress/egress-refused";
import { connectorHeaders } from "./connector-headers";
import type { ConnectorPort } from "./connector-port";
import { ToolFailure } from "./tool-failure";

const ANSWER_MAX_BYTES = 512 * 1024;
const REASON_MAX_CHARACTERS = 500;

export interface McpSessionOptions {
  /** For everything together: connecting, asking, closing. */
  timeoutMs: number;
  signal: AbortSignal;
  /** Sent with every request, beside the secret. */
  headers?: Record<string, string>;
}

/**
 * Connects to an MCP server over HTTP, through the egress guard, for one piece of work. The secret is put in at the guard, for the server's
 * own origin alone. @throws ToolFailure when the server cannot be reached or breaks the protocol; the signal's reason
 */
export async function withMcpServer<T>(
  server: McpServer,
  port: ConnectorPort,
  { timeoutMs, signal: outer, headers }: McpSessionOptions,
  work: (client: MCPClient, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const url = new URL(server.url);
  const secret = await connectorHeaders(server, url, port);
  const signal = AbortSignal.any([outer, AbortSignal.timeout(timeoutMs)]);
  const send = createEgressFetch({
    ...port.reach,
    headers: { ...headers, ...secret },
    signal,
    timeoutMs,
    maxResponseBytes: ANSWER_MAX_BYTES,
  });
  let client: MCPClient | null = null;
  try {
    const transport = { type: "http" as const, url: server.url, redirect: "error" as const, fetch: postsOnly(url.origin, send) };
    client = await createMCPClient({ transport, clientName: "lathe", initializationOptions: { signal }, onUncaughtError: () => {} });
    return await work(client, signal);
  } catch (error) {
    outer.throwIfAborted();
    throw toFailure(server.name, error, signal.aborted);
  } finally {
    await client?.close().catch(() => {});
  }
}

/** The server's own channel for messages that nobody asked for is never opened, and nothing is sent to another origin. */
function postsOnly(origin: string, send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const { href, origin: target } = new URL(input instanceof Request ? input.url : input);
    if (init?.method === "GET" || init?.method === undefined) return new Response(null, { status: 405 });
    if (target !== origin) throw new EgressRefused();
    return send(href, init);
  };
}

function toFailure(name: string, error: unknown, isLate: boolean): unknown {
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
  return new ToolFailure(`The MCP server ${name} could not be used: ${reason.slice(0, REASON_MAX_CHARACTERS).toWellFormed()}`);
}
