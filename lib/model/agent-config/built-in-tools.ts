/**
 * The tools that make pictures, speech and films: there while the operator has a model of their
 * kind switched on.
 */
export const MEDIA_TOOL_NAMES = ["image", "speech", "video"] as const;
export type MediaToolName = (typeof MEDIA_TOOL_NAMES)[number];

/**
 * Names of the tools that the service itself brings; which of them an agent has that lists none:
 * `builtInToolsOf`.
 */
export const BUILT_IN_TOOL_NAMES = [
  "workspace_files",
  "web_fetch",
  "web_search",
  "run_javascript",
  "run_python",
  "todo",
  "artifacts",
  ...MEDIA_TOOL_NAMES,
] as const;

/** The tool by which an agent keeps notes across conversations: `tools.memory` switches it on. */
export const MEMORY_TOOL_NAME = "memory";

/** The name of a built-in tool. */
export type BuiltInToolName = (typeof BUILT_IN_TOOL_NAMES)[number];

/** The parts of a config's `tools` that decide which built-in ones an agent has. */
interface ToolLists {
  builtin?: readonly BuiltInToolName[] | undefined;
  mcp?: readonly unknown[] | undefined;
  http?: readonly unknown[] | undefined;
  client?: readonly unknown[] | undefined;
  web?: { allowed_hosts?: readonly string[] | undefined } | undefined;
}

/** Built-in tools that an agent has only where its config lists them: they cost much to begin. */
const LISTED_ONLY: readonly BuiltInToolName[] = ["run_python"];

/**
 * The built-in tools that an agent has: those that its config lists, else all but `run_python`,
 * whose work `run_javascript` does for most. One that has
 * connectors, or tools of the caller's program, has `web_fetch` only where it is meant: it is
 * listed, or `web.allowed_hosts` says what it may read. An address carries what connectors gave to
 * whoever answers it.
 */
export function builtInToolsOf({
  builtin,
  mcp = [],
  http = [],
  client = [],
  web,
}: ToolLists = {}): BuiltInToolName[] {
  if (builtin) return [...new Set(builtin)];
  const hasConnectors = mcp.length + http.length + client.length > 0;
  const withFetch = !hasConnectors || (web?.allowed_hosts ?? []).length > 0;
  return BUILT_IN_TOOL_NAMES.filter(
    (name) => !LISTED_ONLY.includes(name) && (withFetch || name !== "web_fetch"),
  );
}

/**
 * The tool by which every run reads the account's skills: no config lists it, and no connector may
 * have its name.
 */
export const READ_SKILL_TOOL_NAME = "read_skill";
