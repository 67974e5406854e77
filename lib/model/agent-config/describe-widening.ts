import type { JsonValue } from "@/lib/model/json-schema/json-value";
import { WRITE_AUTONOMIES, type WriteAutonomy } from "@/lib/model/write-autonomy";
import type { AgentConfig } from "./agent-config-schema";
import { connectorsOf, isNameOf, isSameConnector } from "./ask-before-connectors";
import { BUILT_IN_TOOL_NAMES, type BuiltInToolName } from "./built-in-tools";
import { hostsIn, hostsInJson } from "./web-hosts";

/** What decides over what an agent can do. */
export interface AgentPowers {
  config: AgentConfig;
  skillContent: string;
  writeAutonomy: WriteAutonomy;
}

type Connector = ReturnType<typeof connectorsOf>[number];

/** Built-in tools that reach the outside or the account's files; the others only compute and note. */
const REACHING_TOOLS: readonly BuiltInToolName[] = ["web_fetch", "web_search", "workspace_files", "run_javascript"];

/**
 * What an agent could do after a change that it could not do before, a sentence each, for the person who is to allow it; nothing when the change takes away,
 * or only says things otherwise. In doubt a change widens: a connector that does anything else than before counts as another one.
 */
export function describeWidening(before: AgentPowers, after: AgentPowers): string[] {
  return [
    ...autonomyRaised(before, after),
    ...permissionsLoosened(before.config, after.config),
    ...connectorsGained(before.config, after.config),
    ...toolsGained(before.config, after.config),
    ...hostsGained(before, after),
    ...instructionsChanged(before, after),
  ];
}

/** From the freest to the strictest. */
const rank = (autonomy: WriteAutonomy) => WRITE_AUTONOMIES.indexOf(autonomy);

function autonomyRaised(before: AgentPowers, after: AgentPowers): string[] {
  if (rank(after.writeAutonomy) >= rank(before.writeAutonomy)) return [];
  const meaning = after.writeAutonomy === "full_auto" ? "it would write outside without asking" : "it could write outside, after asking";
  return [`Write autonomy goes from ${before.writeAutonomy} to ${after.writeAutonomy}: ${meaning}.`];
}

function permissionsLoosened(before: AgentConfig, after: AgentConfig): string[] {
  const [old, now] = [before.permissions ?? {}, after.permissions ?? {}];
  const isGone = (name: string) =>
    connectorsOf(before).some((it) => isNameOf(it, name)) && !connectorsOf(after).some((it) => isNameOf(it, name));
  const denied = (old.deny ?? []).filter((name) => !(now.deny ?? []).includes(name) && !isGone(name));
  const asked = (old.ask ?? []).filter((name) => ![...(now.ask ?? []), ...(now.deny ?? [])].includes(name) && !isGone(name));
  return [...denied.map((name) => `${name} is no longer denied.`), ...asked.map((name) => `${name} no longer asks before each call.`)];
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
  const secret = connector.auth_secret === undefined ? "without a secret" : `with the secret ${connector.auth_secret}`;
  return `${"method" in connector ? connector.method : "MCP server"} ${connector.url} ${secret}`;
}

function toolsGained(before: AgentConfig, after: AgentConfig): string[] {
  const has = (config: AgentConfig, name: BuiltInToolName) => (config.tools?.builtin ?? BUILT_IN_TOOL_NAMES).includes(name);
  return REACHING_TOOLS.filter((name) => has(after, name) && !has(before, name)).map((name) => `New built-in tool ${name}.`);
}

/** Hosts that it may fetch from without asking: those of the config, and those that its instructions name. */
function hostsGained(before: AgentPowers, after: AgentPowers): string[] {
  const [allowed, named] = [before, after].map(({ config, skillContent }) => ({
    patterns: config.tools?.web?.allowed_hosts ?? [],
    hosts: new Set([...hostsInJson(config as JsonValue), ...hostsIn(skillContent)]), // a config is JSON
  })) as [Hosts, Hosts]; // two in, two out
  return [
    ...named.patterns
      .filter((pattern) => !allowed.patterns.includes(pattern))
      .map((pattern) => `It could read ${pattern} on the web without asking.`),
    ...[...named.hosts].filter((host) => !allowed.hosts.has(host)).map((host) => `A host that was not named before: ${host}.`),
  ];
}

interface Hosts {
  patterns: string[];
  hosts: Set<string>;
}

/** An agent that writes outside without asking does what its instructions say: new ones are new powers. */
function instructionsChanged(before: AgentPowers, after: AgentPowers): string[] {
  const actsAlone = after.writeAutonomy === "full_auto" && connectorsOf(after.config).length > 0;
  return actsAlone && before.skillContent !== after.skillContent
    ? ["New instructions for an agent that writes outside without asking (full_auto)."]
    : [];
}
