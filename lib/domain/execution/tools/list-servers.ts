import "server-only";
import { findSignedIn } from "@/lib/domain/connections/access-token";
import { type SealedSecret, secretRedactor } from "@/lib/domain/execution/run/secret-redactor";
import {
  dropListing,
  findListings,
  type KeptListing,
  keepListing,
  listingKey,
  readListing,
} from "@/lib/domain/execution/tools/kept-listings";
import type { AgentConfig } from "@/lib/model/agent-config/agent-config-schema";
import { effectiveConfig, type McpServer } from "@/lib/model/agent-config/effective-config";
import { CONNECTION_SCOPE } from "@/lib/model/secret/connection-scope";
import { bareName, namesFor } from "@/lib/model/secret/owned-name";
import type { Redactor } from "@/lib/platform/crypto/redact";
import { log } from "@/lib/platform/log";
import { postgres } from "@/lib/platform/postgres";
import {
  listMcpDefinitions,
  type McpDefinition,
  toMcpTools,
} from "@/lib/runtime/tools/list-mcp-tools";
import { type RuntimeTool, ToolFailure } from "@/lib/runtime/tools/tool";
import type { ConnectorPort } from "@/lib/runtime/tools/tool-ports";
import { definePart } from "@/lib/service";

/** A connector whose tools a run goes without, and why. */
export interface UnavailableConnector {
  name: string;
  reason: string;
}

const LIST_TIMEOUT_MS = 10_000;
const FAILURE_KEPT_MS = 30_000;
const SERVERS_MAX = 1_000;

/** Of a run, what tells which secrets it may be sent. */
interface SecretRun {
  accountId: string;
  /** For whom it is: theirs stand before the account's. */
  endUser: string | null;
  secrets: readonly SealedSecret[];
}

interface Listed {
  tools: RuntimeTool[];
  /** Why the server cannot be used; null when it can. It may quote what the server was sent. */
  problem: string | null;
}

/** A server of a run, and as whom it is asked. */
interface Asked {
  run: SecretRun;
  server: McpServer;
  port: ConnectorPort;
  key: Buffer;
}

interface ListOptions {
  /** Asks the servers anew, and keeps what they list. */
  fresh?: boolean;
  /** Waits for what servers list now where what is kept of them has had its time. */
  current?: boolean;
}

/**
 * The tools of a run's MCP servers. What a server lists is kept for as long as it says (within
 * bounds), for every process, for its account and credential alone. What is kept longer is used
 * and asked for anew behind, so that nobody waits for a server that was listed once; its tools are
 * marked as stale. A server that cannot be reached has no tools for half a minute; the run goes on
 * without it, and its model and its log are told. @throws the signal's reason
 */
export async function listServers(
  run: SecretRun,
  servers: readonly McpServer[],
  port: ConnectorPort,
  signal: AbortSignal,
  options: ListOptions = {},
): Promise<{ tools: RuntimeTool[]; unavailable: UnavailableConnector[] }> {
  if (servers.length === 0) return { tools: [], unavailable: [] };
  const marks = await signIns(run, servers);
  const asked = servers.map((server) => {
    const signedIn = marks(server);
    if ("problem" in signedIn) return signedIn;
    const credential = signedIn.mark || secretMark(run, server);
    return { run, server, port, key: listingKey(server, credential) };
  });
  const keys = asked.flatMap((each) => ("problem" in each ? [] : [each.key]));
  const kept = options.fresh ? new Map() : await findListings(run.accountId, keys);
  const listing = Promise.all(
    asked.map((each) =>
      "problem" in each
        ? { tools: [], problem: each.problem }
        : listingOf(each, kept.get(each.key.toString("hex")), options),
    ),
  );
  const listed = await orAborted(listing, signal);
  const problems = listed.flatMap(({ problem }, index) =>
    problem === null ? [] : [{ name: servers[index]?.name ?? "", reason: problem }],
  );
  return {
    tools: listed.flatMap(({ tools }) => tools),
    unavailable: problems.length === 0 ? [] : await redacted(run, problems),
  };
}

/** Another value of the secret is another credential. */
function secretMark({ endUser, secrets }: SecretRun, { auth_secret }: McpServer): string {
  if (auth_secret === undefined) return "";
  for (const own of namesFor(auth_secret, endUser)) {
    const secret = secrets.find(({ name }) => name === own);
    if (secret) return secret.sealed;
  }
  return "";
}

/**
 * For each server that is signed in to, a mark of that sign-in: what was listed under another one,
 * or without one, is not believed.
 */
async function signIns(
  run: SecretRun,
  servers: readonly McpServer[],
): Promise<(server: McpServer) => { mark: string } | { problem: string }> {
  const urls = servers.flatMap(({ auth, url }) => (auth === "oauth" ? [url] : []));
  const found = urls.length === 0 ? null : await findSignedIn(run, urls);
  return ({ auth, url }) => (found && auth === "oauth" ? found(url) : { mark: "" });
}

async function redacted(
  run: SecretRun,
  problems: UnavailableConnector[],
): Promise<UnavailableConnector[]> {
  const { results } = await secretRedactor(run.accountId, run.secrets);
  return problems.map(({ name, reason }) => ({ name, reason: results.redact(reason) }));
}

/** What it waits for, or the signal's reason; nothing goes on listening to the signal. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const done = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    const listener = { once: true, signal: done.signal };
    signal.addEventListener("abort", () => reject(signal.reason), listener);
  });
  return Promise.race([work, aborted]).finally(() => done.abort());
}

async function listingOf(
  asked: Asked,
  kept: KeptListing | undefined,
  { fresh = false, current = false }: ListOptions,
): Promise<Listed> {
  if (fresh) return askServer(asked, null);
  if (kept) {
    const tools = await toolsOf(asked, kept.listedAt);
    if (tools && kept.isFresh) return { tools, problem: null };
    const asking = askOnce(asked, kept.listedAt);
    // Whoever waits for it is told what went wrong; here nobody does.
    asking.catch((error: unknown) => log.warn({ err: error }, "a listing could not be renewed"));
    if (tools && !current)
      return { tools: tools.map((tool) => ({ ...tool, isStale: true as const })), problem: null };
    return asking;
  }
  const failure = failures().get(failureKey(asked));
  if (failure && failure.until > Date.now()) return { tools: [], problem: failure.problem };
  return askOnce(asked, null);
}

const askedNow = definePart("mcp-asking", () => new Map<string, Promise<Listed>>());

/** All who want it at once are given the same answer. */
function askOnce(asked: Asked, replaced: string | null): Promise<Listed> {
  const asking = askedNow();
  const key = builtKey(asked);
  const known = asking.get(key);
  if (known) return known;
  const answer = askServer(asked, replaced).finally(() => asking.delete(key));
  asking.set(key, answer);
  return answer;
}

/**
 * @param replaced the listing that this one takes the place of, also where there is none to be had
 */
async function askServer(asked: Asked, replaced: string | null): Promise<Listed> {
  const { run, server, port, key } = asked;
  // Several runs may wait for it, so no single run's signal ends it; it has a time limit of its
  // own.
  const { signal } = new AbortController();
  try {
    // What it quotes of the secrets goes to models and into approvals. One that is made later it
    // has not been sent when it is asked.
    const redactor = (await secretRedactor(run.accountId, run.secrets)).results;
    const options = { timeoutMs: LIST_TIMEOUT_MS, signal, redactor };
    const listing = await listMcpDefinitions(server, port, options);
    const listedAt = await keepListing(run.accountId, key, listing);
    failures().delete(failureKey(asked));
    return { tools: build(asked, listedAt, listing.definitions, redactor), problem: null };
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    // Not its reason: a server may quote the secret that it was sent.
    log.info({ account_id: run.accountId, server: server.name }, "an MCP server cannot be used");
    if (replaced !== null) await dropListing(run.accountId, key, replaced);
    bounded(failures(), failureKey(asked), {
      problem: error.message,
      until: Date.now() + FAILURE_KEPT_MS,
    });
    return { tools: [], problem: error.message };
  }
}

/** The tools of a kept listing; null where it is another one by now. */
async function toolsOf(asked: Asked, listedAt: string): Promise<RuntimeTool[] | null> {
  const known = built().get(builtKey(asked));
  if (known?.listedAt === listedAt) return known.tools;
  const definitions = await readListing(asked.run.accountId, asked.key, listedAt);
  if (definitions === null) return null;
  const redactor = (await secretRedactor(asked.run.accountId, asked.run.secrets)).results;
  return build(asked, listedAt, definitions, redactor);
}

interface Built {
  listedAt: string;
  tools: RuntimeTool[];
}

/** Checking what may be large schemas is done once a listing and process. */
function build(
  asked: Asked,
  listedAt: string,
  definitions: McpDefinition[],
  redactor: Redactor,
): RuntimeTool[] {
  const tools = toMcpTools(asked.server, definitions, asked.port, redactor);
  bounded(built(), builtKey(asked), { listedAt, tools });
  return tools;
}

export const built = definePart("mcp-tools", () => new Map<string, Built>());
export const failures = definePart(
  "mcp-failures",
  () => new Map<string, { problem: string; until: number }>(),
);

/**
 * With what the tools are called by and which of them are trusted to read. And for whom: they call
 * by the port of the run that built them, which would find what its person is given later, whoever
 * has shared the account's credential with them until then.
 */
function builtKey({ run, server, key }: Asked): string {
  const { accountId, endUser } = run;
  return JSON.stringify([accountId, endUser, key.toString("hex"), server.name, server.read_only]);
}

function failureKey({ run, key }: Asked): string {
  return JSON.stringify([run.accountId, run.endUser, key.toString("hex")]);
}

function bounded<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  const [oldest] = map.keys();
  if (map.size >= SERVERS_MAX && oldest !== undefined) map.delete(oldest);
  map.set(key, value);
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
    text: `SELECT config FROM agents WHERE account_id = $1 AND status = 'active'
             AND config #> '{tools,mcp}' IS NOT NULL ORDER BY id DESC LIMIT $2`,
    values: [run.accountId, AGENTS_READ],
  });
  const signedIn = run.secrets.flatMap(({ name }) =>
    name.startsWith(CONNECTION_SCOPE) ? [bareName(name.slice(CONNECTION_SCOPE.length))] : [],
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
