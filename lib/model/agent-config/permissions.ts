import type { AgentConfig } from "@/lib/model/agent-config/agent-config-schema";
import {
  agentToolName,
  builtInsThat,
  builtInToolsOf,
  namedTools,
} from "@/lib/model/agent-config/built-in-tools";
import { hostOf, hostsIn, hostsInJson } from "@/lib/model/agent-config/web-hosts";
import { ComplexityLimit, type JsonValue, sameJson } from "@/lib/model/json-schema/json-value";
import { WRITE_AUTONOMIES, type WriteAutonomy } from "@/lib/model/write-autonomy";

type Connector = NonNullable<NonNullable<AgentConfig["tools"]>["http" | "mcp"]>[number];

/** A config is bounded to 8,000 values, and each of its connectors is compared with one other. */
const COMPARISON_MAX_STEPS = 100_000;

/**
 * A config as a model proposes it, with each connector that the model wrote under
 * `permissions.ask`: one that was not there before, or whose address, method, secret or anything
 * else but its description is another one now. What asked before goes on asking. Its owner can take
 * a name out again; a model cannot. Not so of what the person named themselves: a connector to such
 * a host that only reads, or any where the agent is to act without asking.
 * @param before the config that holds now; null for a new agent
 * @returns `asked`: the names that the proposal did not have there itself
 */
export function askBeforeConnectors(
  before: AgentConfig | null,
  proposed: AgentConfig,
  named: NamedByPerson = NOTHING_NAMED,
): { config: AgentConfig; asked: string[] } {
  const { ask = [], allow, deny = [] } = proposed.permissions ?? {};
  const known = connectorsOf(before);
  const connectors = connectorsOf(proposed);
  const written = connectors
    .filter((connector) => !known.some((other) => isSameConnector(connector, other)))
    .filter((connector) => !isOfPerson(connector, named))
    .map(({ name }) => name);
  const kept = (before?.permissions?.ask ?? []).filter((name) =>
    connectors.some((connector) => isNameOf(connector, name)),
  );
  const asked = [...new Set([...written, ...kept])].filter(
    (name) => !ask.includes(name) && !deny.includes(name),
  );
  if (asked.length === 0) return { config: proposed, asked };
  const permissions = {
    ...proposed.permissions,
    ask: [...ask, ...asked],
    ...(allow && { allow: allow.filter((name) => !asked.includes(name)) }),
  };
  return { config: { ...proposed, permissions }, asked };
}

/** What the person who asked for an agent has said in their own words. */
export interface NamedByPerson {
  /** As `hostOf` has them; none where somebody else's words may be among them. */
  hosts: readonly string[];
  /** Whether the agent is to write outside without asking. */
  actsAlone: boolean;
}

const NOTHING_NAMED: NamedByPerson = { hosts: [], actsAlone: false };

function isOfPerson(connector: Connector, { hosts, actsAlone }: NamedByPerson): boolean {
  const url = URL.parse(connector.url);
  if (url === null || !hosts.includes(hostOf(url))) return false;
  const reads =
    "method" in connector && (connector.method === "GET" || connector.method === "HEAD");
  return reads || actsAlone;
}

/** The connectors of a config, of both kinds. */
function connectorsOf(config: AgentConfig | null): Connector[] {
  return [...(config?.tools?.http ?? []), ...(config?.tools?.mcp ?? [])];
}

/** Whether a permission's name means this connector, or one of its tools. */
function isNameOf(connector: Connector, name: string): boolean {
  return (
    name === connector.name || (!("method" in connector) && name.startsWith(`${connector.name}__`))
  );
}

/**
 * Whether two connectors are of one name and do the same; what they say of themselves does not
 * count.
 */
function isSameConnector(left: Connector, right: Connector): boolean {
  const plain = ({ description: _, ...rest }: Connector) =>
    JSON.parse(JSON.stringify(rest)) as JsonValue; // a part of a config, which is JSON
  return sameJson(plain(left), plain(right), new ComplexityLimit(COMPARISON_MAX_STEPS));
}

/** What decides over what an agent can do. */
export interface AgentPowers {
  config: AgentConfig;
  skillContent: string;
  writeAutonomy: WriteAutonomy;
  /** Whether there are tools that it asks no more about, as a person has said. */
  remembers?: boolean;
}

/**
 * Built-in tools that reach the outside or the account's files; the others only compute and note.
 */
const REACHING_TOOLS = builtInsThat(({ reaches }) => reaches === true);

/**
 * What an agent could do after a change that it could not do before, a sentence each, for the
 * person who is to allow it; nothing when the change takes away, or only says things otherwise. In
 * doubt a change widens: a connector that does anything else than before counts as another one.
 */
export function describeWidening(before: AgentPowers, after: AgentPowers): string[] {
  return [
    ...autonomyRaised(before, after),
    ...permissionsLoosened(before.config, after.config),
    ...connectorsGained(before.config, after.config),
    ...toolsGained(before.config, after.config),
    ...clientToolsGained(before.config, after.config),
    ...agentsGained(before.config, after.config),
    ...hostsGained(before, after),
    ...instructionsChanged(before, after),
  ];
}

/** From the freest to the strictest. */
const rank = (autonomy: WriteAutonomy) => WRITE_AUTONOMIES.indexOf(autonomy);

function autonomyRaised(before: AgentPowers, after: AgentPowers): string[] {
  if (rank(after.writeAutonomy) >= rank(before.writeAutonomy)) return [];
  const meaning =
    after.writeAutonomy === "full_auto"
      ? "it would write outside without asking"
      : "it could write outside, after asking";
  return [
    `Write autonomy goes from ${before.writeAutonomy} to ${after.writeAutonomy}: ${meaning}.`,
  ];
}

function permissionsLoosened(before: AgentConfig, after: AgentConfig): string[] {
  const [old, now] = [before.permissions ?? {}, after.permissions ?? {}];
  const isGone = (name: string) =>
    connectorsOf(before).some((it) => isNameOf(it, name)) &&
    !connectorsOf(after).some((it) => isNameOf(it, name));
  const [denies, asks] = [namedTools(now.deny ?? []), namedTools(now.ask ?? [])];
  const denied = namedTools(old.deny ?? []).filter(
    (name) => !denies.includes(name) && !isGone(name),
  );
  const asked = namedTools(old.ask ?? []).filter(
    (name) => ![...asks, ...denies].includes(name) && !isGone(name),
  );
  return [
    ...denied.map((name) => `${name} is no longer denied.`),
    ...asked.map((name) => `${name} no longer asks before each call.`),
  ];
}

function connectorsGained(before: AgentConfig, after: AgentConfig): string[] {
  const known = connectorsOf(before);
  return connectorsOf(after).flatMap((connector) => {
    const old = known.find(({ name }) => name === connector.name);
    if (!old) return [`New connector ${connector.name}: ${wordsOf(connector)}.`];
    if (isSameConnector(old, connector)) return [];
    const [was, is] = [wordsOf(old), wordsOf(connector)];
    return [
      was === is
        ? `Connector ${connector.name} takes other arguments or tools: ${is}.`
        : `Connector ${connector.name} was ${was}, and would be ${is}.`,
    ];
  });
}

function wordsOf(connector: Connector): string {
  const isSignedIn = "auth" in connector && connector.auth === "oauth";
  const plain = isSignedIn ? "signed in as the account" : "without a secret";
  const secret =
    connector.auth_secret === undefined ? plain : `with the secret ${connector.auth_secret}`;
  return `${"method" in connector ? connector.method : "MCP server"} ${connector.url} ${secret}`;
}

function toolsGained(before: AgentConfig, after: AgentConfig): string[] {
  const has = (config: AgentConfig, name: string) =>
    builtInToolsOf(config.tools).some((one) => one === name);
  const remembers =
    after.tools?.memory === true && before.tools?.memory !== true
      ? ["It could keep notes across conversations."]
      : [];
  const reaching = REACHING_TOOLS.filter((name) => has(after, name) && !has(before, name)).map(
    (name) => `New built-in tool ${name}.`,
  );
  return [...reaching, ...remembers];
}

/** What the program that starts its runs would be asked to do. */
function clientToolsGained(before: AgentConfig, after: AgentConfig): string[] {
  const known = (before.tools?.client ?? []).map(({ name }) => name);
  return (after.tools?.client ?? [])
    .filter(({ name }) => !known.includes(name))
    .map(({ name }) => `New client tool ${name}.`);
}

/** Agents that it could have work, and what of the run's money each call of them may take. */
function agentsGained(before: AgentConfig, after: AgentConfig): string[] {
  const known = before.tools?.agents ?? [];
  return (after.tools?.agents ?? []).flatMap((agent) => {
    const old = known.find(({ agent_id: id }) => id === agent.agent_id);
    if (!old) return [`It could run the agent ${agent.agent_id} as ${agentToolName(agent)}.`];
    const isDearer = (agent.max_credits ?? Infinity) > (old.max_credits ?? Infinity);
    return isDearer ? [`A call of ${agentToolName(agent)} could cost more.`] : [];
  });
}

/**
 * Hosts that it may fetch from without asking: those of the config, and those that its instructions
 * name.
 */
function hostsGained(before: AgentPowers, after: AgentPowers): string[] {
  const [allowed, named] = [before, after].map(({ config, skillContent }) => ({
    patterns: config.tools?.web?.allowed_hosts ?? [],
    // A config is JSON.
    hosts: new Set([...hostsInJson(config as JsonValue), ...hostsIn(skillContent)]),
  })) as [Hosts, Hosts]; // two in, two out
  return [
    ...named.patterns
      .filter((pattern) => !allowed.patterns.includes(pattern))
      .map((pattern) => `It could read ${pattern} on the web without asking.`),
    ...[...named.hosts]
      .filter((host) => !allowed.hosts.has(host))
      .map((host) => `A host that was not named before: ${host}.`),
  ];
}

interface Hosts {
  patterns: string[];
  hosts: Set<string>;
}

/**
 * An agent that writes outside without asking does what its instructions say: new ones are new
 * powers.
 */
function instructionsChanged(before: AgentPowers, after: AgentPowers): string[] {
  if (before.skillContent === after.skillContent || connectorsOf(after.config).length === 0)
    return [];
  if (after.writeAutonomy === "full_auto")
    return ["New instructions for an agent that writes outside without asking (full_auto)."];
  return after.remembers
    ? ["New instructions for an agent with tools that it asks no more about."]
    : [];
}

/** What becomes of a tool call: it runs, it waits for a person, or it is refused. */
export type ToolPolicyDecision = "run" | "ask" | "refuse";

/** What a call is judged by. */
interface GuardedCall {
  /**
   * The tool's name, and for a tool of an MCP server that server's name too: permissions may name
   * either.
   */
  names: readonly string[];
  /** Whether the tool writes outside the service. */
  isGuarded: boolean;
}

const BY_AUTONOMY: Record<WriteAutonomy, ToolPolicyDecision> = {
  full_auto: "run",
  approval_required: "ask",
  blocked: "refuse",
};

/**
 * Judges a call by the agent's write autonomy and its permissions, of which the stricter holds:
 * deny beats ask beats allow, and none of them loosens the autonomy. Enforced where tools are
 * dispatched; what the model was told plays no part.
 */
export function applyToolPolicy(
  call: GuardedCall,
  autonomy: WriteAutonomy,
  permissions: { ask: readonly string[]; deny: readonly string[] },
): ToolPolicyDecision {
  const base = call.isGuarded ? BY_AUTONOMY[autonomy] : "run";
  if (base === "refuse" || call.names.some((name) => permissions.deny.includes(name)))
    return "refuse";
  if (base === "ask" || call.names.some((name) => permissions.ask.includes(name))) return "ask";
  return "run";
}
