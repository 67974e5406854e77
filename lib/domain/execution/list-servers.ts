import "server-only";
import { findSignedIn } from "@/lib/domain/connections/access-token";
import type { LoadedRun } from "@/lib/domain/execution/load-run";
import { secretRedactor } from "@/lib/domain/execution/secret-redactor";
import type { AgentConfig } from "@/lib/model/agent-config/agent-config-schema";
import { effectiveConfig, type McpServer } from "@/lib/model/agent-config/effective-config";
import { CONNECTION_SCOPE } from "@/lib/model/secret/connection-scope";
import { log } from "@/lib/platform/log";
import { postgres } from "@/lib/platform/postgres";
import { processSingleton } from "@/lib/platform/process-singleton";
import { listMcpTools } from "@/lib/runtime/tools/list-mcp-tools";
import { type RuntimeTool, ToolFailure } from "@/lib/runtime/tools/tool";
import type { ConnectorPort } from "@/lib/runtime/tools/tool-ports";

/** A connector whose tools a run goes without, and why. */
export interface UnavailableConnector {
  name: string;
  reason: string;
}

const KEPT_MS = 300_000;
const FAILURE_KEPT_MS = 30_000;
const SERVERS_MAX = 1_000;

/** Of a run, what tells which secrets its account has. */
type SecretRun = Pick<LoadedRun, "accountId" | "secrets">;

interface Listed {
  tools: RuntimeTool[];
  /** Why the server cannot be used; null when it can. It may quote what the server was sent. */
  problem: string | null;
}

interface Listing {
  listed: Promise<Listed>;
  until: number;
}

/**
 * The tools of a run's MCP servers. What a server lists is kept for five minutes in this process,
 * for its account alone; a server that cannot be reached has no tools for half a minute; the run
 * goes on without it, and its model and its log are told. @throws the signal's reason
 * @param options.fresh asks the servers anew, and keeps what they list
 */
export async function listServers(
  run: SecretRun,
  servers: readonly McpServer[],
  port: ConnectorPort,
  signal: AbortSignal,
  { fresh = false } = {},
): Promise<{ tools: RuntimeTool[]; unavailable: UnavailableConnector[] }> {
  if (servers.length === 0) return { tools: [], unavailable: [] };
  const marks = await signIns(run.accountId, servers);
  const listing = Promise.all(
    servers.map((server) => {
      const signedIn = marks(server);
      return "problem" in signedIn
        ? { tools: [], problem: signedIn.problem }
        : listingOf(run, server, signedIn.mark, port, fresh).listed;
    }),
  );
  const listed = await Promise.race([listing, aborted(signal)]);
  const problems = listed.flatMap(({ problem }, index) =>
    problem === null ? [] : [{ name: servers[index]?.name ?? "", reason: problem }],
  );
  return {
    tools: listed.flatMap(({ tools }) => tools),
    unavailable: problems.length === 0 ? [] : await redacted(run, problems),
  };
}

/**
 * For each server that is signed in to, a mark of that sign-in: what was listed under another one,
 * or without one, is not believed.
 */
async function signIns(
  accountId: string,
  servers: readonly McpServer[],
): Promise<(server: McpServer) => { mark: string } | { problem: string }> {
  const urls = servers.flatMap(({ auth, url }) => (auth === "oauth" ? [url] : []));
  const found = urls.length === 0 ? null : await findSignedIn(accountId, urls);
  return ({ auth, url }) => (found && auth === "oauth" ? found(url) : { mark: "" });
}

async function redacted(
  run: SecretRun,
  problems: UnavailableConnector[],
): Promise<UnavailableConnector[]> {
  const { results } = await secretRedactor(run.accountId, run.secrets);
  return problems.map(({ name, reason }) => ({ name, reason: results.redact(reason) }));
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

function listingOf(
  { accountId, secrets }: SecretRun,
  server: McpServer,
  mark: string,
  port: ConnectorPort,
  isAskedAnew: boolean,
): Listing {
  const known = processSingleton("mcp-listings", () => new Map<string, Listing>());
  const key = JSON.stringify([accountId, server, mark]);
  const kept = known.get(key);
  if (!isAskedAnew && kept && kept.until > Date.now()) return kept;
  known.delete(key);
  const [oldest] = known.keys();
  if (known.size >= SERVERS_MAX && oldest !== undefined) known.delete(oldest);
  const fresh: Listing = {
    listed: Promise.resolve({ tools: [], problem: null }),
    until: Date.now() + KEPT_MS,
  };
  // Several runs may wait for it, so no single run's signal ends it; it has a time limit of its
  // own.
  // What it quotes of the secrets goes to models and into approvals. One that is made later it has
  // not been sent when it is asked.
  const listing = secretRedactor(accountId, secrets).then(({ results }) =>
    listMcpTools(server, port, new AbortController().signal, results),
  );
  fresh.listed = listing.then(
    (tools) => ({ tools, problem: null }),
    (error: unknown) => {
      // Not its reason: a server may quote the secret that it was sent.
      log.info({ account_id: accountId, server: server.name }, "an MCP server cannot be used");
      fresh.until = Date.now() + FAILURE_KEPT_MS;
      return {
        tools: [],
        problem: error instanceof ToolFailure ? error.message : "It could not be used.",
      };
    },
  );
  known.set(key, fresh);
  return fresh;
}

const AGENTS_READ = 100;

/**
 * The MCP servers that an account uses already, by its sign-ins and its agents' configs: those that
 * a build may ask for their tools. Each stands under its address without the query, which may hold
 * a key; without the path, too, where nothing else opens the server. A server that only a model has
 * named is none of them, for asking it would send it a secret.
 */
export async function accountServers(run: SecretRun): Promise<Map<string, McpServer>> {
  const { rows } = await postgres().query<{ config: AgentConfig }>({
    name: "account-servers",
    text: `SELECT config FROM agents WHERE account_id = $1 AND status = 'active' AND config #> '{tools,mcp}' IS NOT NULL ORDER BY id DESC LIMIT $2`,
    values: [run.accountId, AGENTS_READ],
  });
  const signedIn = run.secrets.flatMap(({ name }) =>
    name.startsWith(CONNECTION_SCOPE) ? [name.slice(CONNECTION_SCOPE.length)] : [],
  );
  const found = new Map<string, McpServer>();
  for (const server of [
    ...signedIn.map((url) => ({ name: "server", url, auth: "oauth" as const })),
    ...rows.flatMap(({ config }) => effectiveConfig(config).tools.mcp),
  ]) {
    const { origin, pathname } = new URL(server.url);
    const address = server.auth || server.auth_secret ? origin + pathname : origin;
    if (!found.has(address)) found.set(address, { ...server, tools: null, read_only: [] });
  }
  return found;
}
