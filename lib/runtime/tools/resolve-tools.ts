import "server-only";
import type { RuntimeTool } from "./tool";

/** The part of an agent's effective config that decides which tools its model is shown. */
export interface ToolSelection {
  tools: { builtin: readonly string[] };
  permissions: { deny: readonly string[] };
}

/** The tools that a run's model is shown: built-ins that the config names, connectors as they come, nothing that is denied. */
export function resolveTools(
  config: ToolSelection,
  builtins: readonly RuntimeTool[],
  connectors: readonly RuntimeTool[] = [],
): RuntimeTool[] {
  const wanted = new Set(config.tools.builtin);
  const denied = new Set(config.permissions.deny);
  const seen = new Set<string>();
  return [...builtins.filter((tool) => wanted.has(tool.name)), ...connectors].filter((tool) => {
    if (denied.has(tool.name) || (tool.server !== undefined && denied.has(tool.server)) || seen.has(tool.name)) return false;
    seen.add(tool.name);
    return true;
  });
}
