import "server-only";
import { accessToken, type SignInOwner } from "@/lib/domain/connections/access-token";
import type { LoadedRun } from "@/lib/domain/execution/run/loaded-run";
import { agentTools } from "@/lib/domain/execution/tools/agent-tools";
import { guardedFileTool } from "@/lib/domain/execution/tools/guard-files";
import { revisionPort } from "@/lib/domain/execution/tools/known-revisions";
import { listServers, type UnavailableConnector } from "@/lib/domain/execution/tools/list-servers";
import { modelCode } from "@/lib/domain/execution/tools/model-code";
import { modelSearch } from "@/lib/domain/execution/tools/model-search";
import { mediaPort, memoryPort } from "@/lib/domain/execution/tools/tool-ports";
import { models } from "@/lib/domain/models/models";
import { keyRing } from "@/lib/domain/secrets/key-ring";
import { listRunSkills, type RunSkill } from "@/lib/domain/skills/skill-view";
import { env } from "@/lib/env";
import { FILE_TOOL_NAMES, READ_SKILL_TOOL_NAME } from "@/lib/model/agent-config/built-in-tools";
import { type EffectiveConfig, effectiveConfig } from "@/lib/model/agent-config/effective-config";
import {
  fitsHostPattern,
  hostOf,
  hostsIn,
  hostsOfPerson,
  PERSONS_TEXT_MAX_CHARACTERS,
} from "@/lib/model/agent-config/web-hosts";
import { isJsonObject, type JsonValue } from "@/lib/model/json-schema/json-value";
import { travelProblem } from "@/lib/model/secret/allowed-host";
import { bareName, namesFor } from "@/lib/model/secret/owned-name";
import { openSealed, SealBroken } from "@/lib/platform/crypto/seal";
import { operatorReach } from "@/lib/platform/egress/egress-fetch";
import { isAllowedTarget } from "@/lib/platform/egress/target";
import { log } from "@/lib/platform/log";
import { postgres, withinAccount } from "@/lib/platform/postgres";
import { containerSettings } from "@/lib/runtime/python/container-process";
import { BUILT_IN_SKILLS } from "@/lib/runtime/skills/built-in/built-in-skills";
import { inTextWorker, TextWorkEnded } from "@/lib/runtime/text-work/in-text-worker";
import type { BuiltInPorts } from "@/lib/runtime/tools/built-in";
import { BUILT_IN_TOOLS } from "@/lib/runtime/tools/built-in-tools";
import {
  type ClientAnswer,
  type ClientAnswers,
  createClientTool,
} from "@/lib/runtime/tools/client-tool";
import { createHttpTool } from "@/lib/runtime/tools/http-tool";
import { resolveTools } from "@/lib/runtime/tools/resolve-tools";
import { type RuntimeTool, ToolFailure } from "@/lib/runtime/tools/tool";
import { withLookup } from "@/lib/runtime/tools/tool-lookup";
import type { ConnectorPort, SkillPort } from "@/lib/runtime/tools/tool-ports";
import type { FetchRule, SearchProvider } from "@/lib/runtime/tools/web-ports";

/**
 * The tools that a run's model may call: those of the agent's config (without an agent every
 * built-in one), its connectors, and the skills; and those of its program.
 * @param options.fresh lists the tools of MCP servers anew, whatever is known of them
 * @param options.current lists those anew of which what is known has had its time
 */
export async function runTools(
  run: LoadedRun,
  signal: AbortSignal,
  options: { fresh?: boolean; current?: boolean } = {},
): Promise<RuntimeTool[]> {
  return (await runToolset(run, signal, options)).tools;
}

/** The same, with the MCP servers that cannot be used at the moment. */
export async function runToolset(
  run: LoadedRun,
  signal: AbortSignal,
  { fresh = false, current = false } = {},
): Promise<{ tools: RuntimeTool[]; unavailable: UnavailableConnector[] }> {
  const config = runConfig(run);
  const port = connectorPort(run);
  const rule = fetchRule(run, config.tools.web.allowed_hosts);
  const { builtIns, own } = ownTools(
    {
      reach: port.reach,
      search: searchProvider(),
      modelSearch: modelSearch(run, rule),
      modelCode: config.tools.python === "provider" ? modelCode(run) : null,
      pythonImage: containerSettings() !== null,
      fetchRule: rule,
      skills: skillPort(run.accountId, config.skills),
      codeSkills: codeSkills(run.accountId, config),
      answers: clientAnswers(run.id),
      memory: run.agent && keepsNotes(run) ? memoryPort(run, run.agent.id) : null,
      media: { models: models().media, port: mediaPort(run) },
    },
    config,
  );
  const connectors = config.tools.http.map((tool) => createHttpTool(tool, port));
  const ofClient = config.tools.client.map((tool) => createClientTool(tool, clientAnswers(run.id)));
  const { tools: ofServers, unavailable } = await listServers(
    run.surroundings,
    config.tools.mcp,
    port,
    signal,
    {
      fresh,
      current,
    },
  );
  const agents = await agentTools(run, config.tools.agents);
  // Behind the connectors, of which one may have had its name before.
  const others = [
    ...own,
    ...connectors,
    ...ofClient,
    ...ofServers,
    ...agents,
    ...run.program.ownTools(run),
  ];
  const guarded = builtIns.map((tool) =>
    isFileTool(tool.name) ? guardedFileTool(tool, run) : tool,
  );
  const tools = resolveTools(config, guarded, others);
  const names = tools.map(({ name }) => name);
  const isWanted = ({ name }: RuntimeTool) =>
    name !== READ_SKILL_TOOL_NAME || runSkills(run, names).length > 0;
  return {
    tools: withLookup(tools.filter(isWanted), run.context.frozen?.tools ?? null),
    unavailable,
  };
}

/**
 * The skills that a run may read: those that its config names, else all that are switched on and of
 * use to it.
 * @param tools names of those that it has
 */
export function runSkills(run: LoadedRun, tools: readonly string[]): RunSkill[] {
  return listRunSkills(run.surroundings.skills, { names: runConfig(run).skills, tools });
}

/**
 * The service's own tools for one run: those that a config lists, without whose names a connector
 * has, and those that it has beside them.
 */
export function ownTools(
  ports: BuiltInPorts,
  { tools: { http, client } }: Pick<EffectiveConfig, "tools">,
): { builtIns: RuntimeTool[]; own: RuntimeTool[] } {
  // Connectors may have been called like a tool of today before there was one.
  const named = new Set([...http, ...client].map(({ name }) => name));
  const made = BUILT_IN_TOOLS.flatMap(({ facts, make }) => {
    const tool = make(ports);
    return tool ? [{ tool, isListed: facts.offered === "config" }] : [];
  });
  return {
    builtIns: made.flatMap(({ tool, isListed }) =>
      isListed && !named.has(tool.name) ? [tool] : [],
    ),
    own: made.flatMap(({ tool, isListed }) => (isListed ? [] : [tool])),
  };
}

function isFileTool(name: string): boolean {
  return FILE_TOOL_NAMES.some((one) => one === name);
}

/** Whom the operator has searches asked of; null: nobody. */
export function searchProvider(): SearchProvider | null {
  const { SEARCH_PROVIDER: name, SEARCH_URL: url, SEARCH_API_KEY: key } = env();
  if (name === "" || name === "searxng") return url === "" ? null : { name: "searxng", url, key };
  return key === "" ? null : { name, url, key };
}

/** The config that a run goes by. */
export function runConfig(run: LoadedRun): EffectiveConfig {
  return effectiveConfig(run.program.config(run) ?? { version: 1 });
}

/** Whether a run sees its agent's notes. */
export function keepsNotes(run: LoadedRun): boolean {
  return runConfig(run).tools.memory && run.agent !== null && run.program.mayKeepNotes(run);
}

/** More than all files of a skill have together. */
const FILE_BESIDE_MAX_BYTES = 1024 * 1024 * 1024;

/**
 * The skills that an account's runs may read: its own that are enabled, and the built-in ones.
 * @param names those of them that there are; null: all
 */
export function skillPort(accountId: string, names: readonly string[] | null = null): SkillPort {
  const isThere = (name: string) => names === null || names.includes(name);
  return {
    async find(name) {
      if (!isThere(name)) return null;
      const builtIn = BUILT_IN_SKILLS.find(({ skill }) => skill.name === name);
      if (builtIn) return { content: builtIn.skill.content, files: [] };
      const { rows } = await postgres().query<{ content: string; files: string[] | null }>({
        name: "read-skill",
        text: `SELECT content, (SELECT array_agg(path ORDER BY path) FROM skill_files f
                 WHERE f.skill_id = s.id) AS files
               FROM skills s WHERE account_id = $1 AND name = $2 AND enabled`,
        values: [accountId, name],
      });
      return rows[0] ? { content: rows[0].content, files: rows[0].files ?? [] } : null;
    },
    async readFile(name, path, maxBytes = FILE_BESIDE_MAX_BYTES) {
      // Code names a file by its path alone, and does not look for its skill first.
      if (!isThere(name)) return null;
      const { rows } = await postgres().query<{ sizeBytes: number; bytes: Buffer | null }>({
        name: "read-skill-file",
        text: `SELECT length(f.bytes) AS "sizeBytes",
                 CASE WHEN length(f.bytes) <= $4 THEN f.bytes END AS bytes
               FROM skill_files f JOIN skills s ON s.id = f.skill_id
               WHERE s.account_id = $1 AND s.name = $2 AND s.enabled AND f.path = $3`,
        values: [accountId, name, path, maxBytes],
      });
      return rows[0] ?? null;
    },
  };
}

/** The skills whose files code may read: none where the model itself may not, or not unasked. */
export function codeSkills(
  accountId: string,
  { skills, permissions: { ask, deny } }: Pick<EffectiveConfig, "skills" | "permissions">,
): SkillPort | null {
  return [...ask, ...deny].includes(READ_SKILL_TOOL_NAME) ? null : skillPort(accountId, skills);
}

/**
 * What whoever started a run has answered to its calls. A call whose time is over counts as
 * expired, whether or not the engine has written it down.
 */
function clientAnswers(runId: string): ClientAnswers {
  return {
    async find(toolCallId) {
      const { rows } = await postgres().query<ClientAnswer>({
        name: "find-client-answer",
        text: `SELECT CASE WHEN status = 'pending'
                 AND expires_at <= clock_timestamp() THEN 'expired' ELSE status END AS status,
                 succeeded, output
               FROM client_tool_calls WHERE run_id = $1 AND tool_call_id = $2`,
        values: [runId, toolCallId],
      });
      return rows[0] ?? null;
    },
  };
}

const MESSAGES_MAX = 60;
const WEB_SEARCH = "web_search";

/**
 * Which hosts a run that has seen something private may fetch from the web without asking: an
 * address can carry what was seen to whoever answers it, and a file, a page or a connector's answer
 * may tell the model to send it there. Those are the hosts that the person named (in the input or
 * earlier in the conversation, in a text so short that they wrote it themselves), that the owner
 * wrote into the agent, that a search result gave, and that somebody approved in this run. Null:
 * nothing was seen, no rule. It holds under every write autonomy: that governs connectors.
 * @param allowedHosts the config's `tools.web.allowed_hosts`
 */
function fetchRule(run: LoadedRun, allowedHosts: readonly string[]): FetchRule | null {
  // Notes stand in the prompt, also where they were switched on after the run began.
  if (!run.context.seenPrivate && !runConfig(run).tools.memory) return null;
  let rule: ReturnType<FetchRule> | undefined;
  return () => {
    rule ??= makeRule(run, allowedHosts);
    return rule;
  };
}

async function makeRule(
  run: LoadedRun,
  allowedHosts: readonly string[],
): Promise<(url: URL) => boolean> {
  const named = new Set([
    ...(await hostsOfWhoAsked(run)),
    ...(await fromAgent(run)),
    ...fromSearches(run),
    ...fromApprovals(run),
  ]);
  return (url) =>
    named.has(hostOf(url)) || allowedHosts.some((pattern) => fitsHostPattern(url, pattern));
}

/**
 * Hosts that whoever asked for a run has named in their own words: in its input, and earlier in its
 * conversation. None of a text so long that it may have been pasted, nor of what an agent asked
 * for.
 */
export async function hostsOfWhoAsked(run: LoadedRun): Promise<ReadonlySet<string>> {
  return new Set([...fromPerson(run), ...(await fromConversation(run))]);
}

/** What another agent's run gave as input is a model's word. */
function fromPerson(run: LoadedRun): Iterable<string> {
  // Parsed from JSON when the run was accepted.
  return run.origin === "agent" ? [] : hostsOfPerson(run.input as JsonValue);
}

async function fromConversation(run: LoadedRun): Promise<string[]> {
  if (!run.conversationId) return [];
  const { rows } = await postgres().query<{ text: string }>(
    `SELECT m.text FROM messages m JOIN runs r ON r.id = m.run_id
     WHERE m.conversation_id = $1 AND r.account_id = $2 AND m.role = 'user' AND m.run_id < $3
       AND r.origin <> 'agent' AND char_length(m.text) <= $5
     ORDER BY m.id DESC LIMIT $4`,
    [run.conversationId, run.accountId, run.id, MESSAGES_MAX, PERSONS_TEXT_MAX_CHARACTERS],
  );
  return rows.flatMap(({ text }) => [...hostsIn(text)]);
}

/**
 * An agent that an agent made says what a model wrote; one that a person asked for, or changed,
 * says what its owner wants.
 */
async function fromAgent(run: LoadedRun): Promise<string[]> {
  if (!run.agent?.isOwners) return [];
  const { skillContent: text, config } = run.agent;
  const named = { text, value: config as JsonValue }; // a config is JSON
  return await hostsNamed(run, named);
}

/** Hosts of a text that takes too long are none: a person is asked instead. */
async function hostsNamed(
  run: LoadedRun,
  named: { text: string; value: JsonValue },
): Promise<string[]> {
  try {
    return await inTextWorker("hosts-named", named, { account: run.accountId });
  } catch (error) {
    if (error instanceof TextWorkEnded) return [];
    throw error;
  }
}

/** A connector of an older config may bear the name: what it answers names no hosts. */
function fromSearches(run: LoadedRun): string[] {
  const { http, client } = runConfig(run).tools;
  if ([...http, ...client].some(({ name }) => name === WEB_SEARCH)) return [];
  return [...run.transcript.results.values()].flatMap(
    ({ name, succeeded, output }) =>
      name === WEB_SEARCH && succeeded ? hostsFound(output as JsonValue) : [], // stored as JSON
  );
}

function hostsFound(output: JsonValue): string[] {
  const results = isJsonObject(output) ? output.results : null;
  return (Array.isArray(results) ? results : []).flatMap((found) => {
    const url = isJsonObject(found) ? found.url : null;
    return typeof url === "string" && URL.canParse(url) ? [hostOf(new URL(url))] : [];
  });
}

function fromApprovals(run: LoadedRun): string[] {
  return run.approvals.approved.flatMap(({ toolName, arguments: args }) => {
    // Checked against the tool's schema before anybody was asked.
    const { url } = toolName === "web_fetch" ? (args as { url?: unknown }) : {};
    return typeof url === "string" && URL.canParse(url) ? [hostOf(new URL(url))] : [];
  });
}

/**
 * What the connectors of a run reach, and the secrets and sign-ins for them: those of the person
 * for whom it is, where there are such, before the account's. A secret that is sent is noted as
 * used. Tools that are kept for later runs hold the port: of its run it keeps these two words
 * alone.
 */
export function connectorPort({ accountId, endUser }: SignInOwner): ConnectorPort {
  const owner: SignInOwner = { accountId, endUser };
  return {
    reach: operatorReach(accountId),
    openSecret: (name, url, connectorUrl) => openSecret(owner, name, url, connectorUrl),
    accessToken: (serverUrl, refused) => accessToken(owner, serverUrl, refused),
    revisions: revisionPort(accountId),
  };
}

async function openSecret(
  { accountId, endUser }: SignInOwner,
  name: string,
  url: URL,
  connectorUrl: string,
): Promise<string> {
  const { rows } = await postgres().query<{
    id: string;
    name: string;
    sealed: string;
    allowed_hosts: string[];
  }>({
    name: "find-secret",
    // One that is refused, or does not open, leads to no other one.
    text: `SELECT id, name, sealed, allowed_hosts FROM secrets WHERE account_id = $1
             AND name = ANY($2)
             AND (end_user IS NULL OR end_user = $3) ORDER BY end_user IS NULL LIMIT 1`,
    values: [accountId, namesFor(name, endUser), endUser],
  });
  const [secret] = rows;
  if (!secret)
    throw new ToolFailure(`The account has no secret named ${name}. Its owner can add one.`);
  const isExempt = isAllowedTarget(url, operatorReach(accountId).allow);
  const problem = travelProblem(url, {
    allowedHosts: secret.allowed_hosts,
    connectorUrl,
    isExempt,
  });
  if (problem !== null)
    throw new ToolFailure(
      `The secret ${name} may not be sent to ${url.origin}: ${problem}. Nothing was sent.`,
    );
  const value = unseal(accountId, secret);
  const use = {
    name: "use-secret",
    text: "UPDATE secrets SET last_used_at = now() WHERE id = $1",
    values: [secret.id],
  };
  // All runs of the account that use it write this row.
  await withinAccount(accountId, () => postgres().query(use));
  return value;
}

function unseal(
  accountId: string,
  { id, name, sealed }: { id: string; name: string; sealed: string },
): string {
  try {
    return openSealed(keyRing(), sealed, { accountId, name });
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    log.error(
      { account_id: accountId, secret_id: id, secret: bareName(name) },
      "a secret cannot be opened: its key has left ENCRYPTION_KEYS",
    );
    throw new ToolFailure(
      `The secret ${bareName(name)} cannot be opened on this server. Its owner must set it again.`,
    );
  }
}
