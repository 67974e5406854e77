import type { JsonIssue } from "@/lib/model/json-schema/json-value";
import type { AgentConfig } from "./agent-config-schema";
import { BUILT_IN_TOOL_NAMES } from "./built-in-tools";

/**
 * What is allowed in a config but is probably not meant, for an editor to show: permissions that name no tool of the agent,
 * and one name under more than one permission.
 */
export function configWarnings(config: AgentConfig): JsonIssue[] {
  const servers = (config.tools?.mcp ?? []).map(({ name }) => name);
  const names = new Set<string>([...(config.tools?.builtin ?? BUILT_IN_TOOL_NAMES), ...servers]);
  for (const { name } of config.tools?.http ?? []) names.add(name);
  const isKnown = (name: string) => names.has(name) || servers.some((server) => name.startsWith(server));
  const seen = new Set<string>();
  const warnings: JsonIssue[] = [];
  for (const list of ["deny", "ask", "allow"] as const) {
    for (const [index, name] of (config.permissions?.[list] ?? []).entries()) {
      if (!isKnown(name)) warnings.push({ path: ["permissions", list, index], message: `The agent has no tool named ${name}.` });
      if (seen.has(name))
        warnings.push({ path: ["permissions", list, index], message: `${name} stands here twice: deny beats ask beats allow.` });
      seen.add(name);
    }
  }
  return warnings;
}
