import { type JsonValue, sameJson } from "@/lib/model/json-schema/json-value";
import { WorkBudget } from "@/lib/model/json-schema/work-budget";
import type { AgentConfig } from "./agent-config-schema";

type Connector = NonNullable<NonNullable<AgentConfig["tools"]>["http" | "mcp"]>[number];

/** A config is bounded to 8,000 values, and each of its connectors is compared with one other. */
const COMPARISON_MAX_STEPS = 100_000;

/**
 * A config as a model proposes it, with each connector that the model wrote under `permissions.ask`: one that was not there before, or whose address, method,
 * secret or anything else but its description is another one now. What asked before goes on asking. Its owner can take a name out again; a model cannot.
 * @param before the config that holds now; null for a new agent
 * @returns `asked`: the names that the proposal did not have there itself
 */
export function askBeforeConnectors(before: AgentConfig | null, proposed: AgentConfig): { config: AgentConfig; asked: string[] } {
  const { ask = [], allow, deny = [] } = proposed.permissions ?? {};
  const known = connectorsOf(before);
  const connectors = connectorsOf(proposed);
  const written = connectors.filter((connector) => !known.some((other) => isSameConnector(connector, other))).map(({ name }) => name);
  const kept = (before?.permissions?.ask ?? []).filter((name) => connectors.some((connector) => isNameOf(connector, name)));
  const asked = [...new Set([...written, ...kept])].filter((name) => !ask.includes(name) && !deny.includes(name));
  if (asked.length === 0) return { config: proposed, asked };
  const permissions = {
    ...proposed.permissions,
    ask: [...ask, ...asked],
    ...(allow && { allow: allow.filter((name) => !asked.includes(name)) }),
  };
  return { config: { ...proposed, permissions }, asked };
}

/** The connectors of a config, of both kinds. */
export function connectorsOf(config: AgentConfig | null): Connector[] {
  return [...(config?.tools?.http ?? []), ...(config?.tools?.mcp ?? [])];
}

/** Whether a permission's name means this connector, or one of its tools. */
export function isNameOf(connector: Connector, name: string): boolean {
  return name === connector.name || (!("method" in connector) && name.startsWith(`${connector.name}__`));
}

/** Whether two connectors are of one name and do the same; what they say of themselves does not count. */
export function isSameConnector(left: Connector, right: Connector): boolean {
  const plain = ({ description: _, ...rest }: Connector) => JSON.parse(JSON.stringify(rest)) as JsonValue; // a part of a config, which is JSON
  return sameJson(plain(left), plain(right), new WorkBudget(COMPARISON_MAX_STEPS));
}
