import "server-only";
import { connectorPort } from "@/lib/domain/execution/connector-port";
import type { LoadedRun } from "@/lib/domain/execution/load-run";
import type { McpServer } from "@/lib/model/agent-config/effective-config";
import { log } from "@/lib/platform/log";
import { once } from "@/lib/platform/once";
import { listMcpTools } from "@/lib/runtime/tools/list-mcp-tools";
import type { RuntimeTool } from "@/lib/runtime/tools/tool";

const KEPT_MS = 300_000;
const FAILURE_KEPT_MS = 30_000;
const SERVERS_MAX = 1_000;

interface Listing {
  tools: Promise<RuntimeTool[]>;
  until: number;
}

/**
 * The tools of a run's MCP servers. What a server lists is kept for five minutes in this process, for its account alone; a server that cannot be
 * reached has no tools for half a minute, and the run goes on without it. @throws the signal's reason
 * @param options.fresh asks the servers anew, and keeps what they list
 */
export async function mcpTools(
  run: Pick<LoadedRun, "accountId">,
  servers: readonly McpServer[],
  signal: AbortSignal,
  { fresh = false } = {},
): Promise<RuntimeTool[]> {
  if (servers.length === 0) return [];
  const listed = Promise.all(servers.map((server) => listing(run.accountId, server, fresh).tools));
  return (await Promise.race([listed, aborted(signal)])).flat();
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

function listing(accountId: string, server: McpServer, isAskedAnew: boolean): Listing {
  const known = once("mcp-listings", () => new Map<string, Listing>());
  const key = JSON.stringify([accountId, server]);
  const kept = known.get(key);
  if (!isAskedAnew && kept && kept.until > Date.now()) return kept;
  known.delete(key);
  const [oldest] = known.keys();
  if (known.size >= SERVERS_MAX && oldest !== undefined) known.delete(oldest);
  const fresh: Listing = { tools: Promise.resolve([]), until: Date.now() + KEPT_MS };
  // Several runs may wait for it, so no single run's signal ends it; it has a time limit of its own.
  fresh.tools = listMcpTools(server, connectorPort(accountId), new AbortController().signal).catch(() => {
    // Not its reason: a server may quote the secret that it was sent.
    log.info({ account_id: accountId, server: server.name }, "an MCP server cannot be used");
    fresh.until = Date.now() + FAILURE_KEPT_MS;
    return [];
  });
  known.set(key, fresh);
  return fresh;
}
