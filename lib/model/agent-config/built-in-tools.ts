/**
 * The tools that make pictures, speech and films: there while the operator has a model of their
 * kind switched on.
 */
export const MEDIA_TOOL_NAMES = ["image", "speech", "video"] as const;
export type MediaToolName = (typeof MEDIA_TOOL_NAMES)[number];

/** The tools for the files of a run and of its workspace. */
export const FILE_TOOL_NAMES = ["files_read", "files_search", "files_write", "files_edit"] as const;

/** The one tool that they were before, by which configs and permissions still name all of them. */
export const FILE_TOOLS_NAME = "workspace_files";

/**
 * Names of the tools that the service itself brings; which of them an agent has that lists none:
 * `builtInToolsOf`.
 */
export const BUILT_IN_TOOL_NAMES = [
  ...FILE_TOOL_NAMES,
  "web_fetch",
  "web_search",
  "run_javascript",
  "run_python",
  "todo",
  "artifacts",
  "ask_user",
  ...MEDIA_TOOL_NAMES,
] as const;

/** The tool by which an agent keeps notes across conversations: `tools.memory` switches it on. */
export const MEMORY_TOOL_NAME = "memory";

/** The name of a built-in tool. */
export type BuiltInToolName = (typeof BUILT_IN_TOOL_NAMES)[number];

/** What a config may list: a tool, or the name that stands for several. */
export const LISTED_TOOL_NAMES = [FILE_TOOLS_NAME, ...BUILT_IN_TOOL_NAMES] as const;
export type ListedToolName = (typeof LISTED_TOOL_NAMES)[number];

type Named<T extends string> =
  | Exclude<T, typeof FILE_TOOLS_NAME>
  | (typeof FILE_TOOL_NAMES)[number];

/** Names of tools as they are listed, once each; one that stands for several is replaced by those. */
export function namedTools<T extends string>(names: readonly T[]): Named<T>[] {
  // What is no name of several is left as it is.
  const meant = (name: T) =>
    (name === FILE_TOOLS_NAME ? [...FILE_TOOL_NAMES] : [name]) as Named<T>[];
  return [...new Set(names.flatMap(meant))];
}

/** The parts of a config's `tools` that decide which built-in ones an agent has. */
interface ToolLists {
  builtin?: readonly ListedToolName[] | undefined;
  mcp?: readonly unknown[] | undefined;
  http?: readonly unknown[] | undefined;
  client?: readonly unknown[] | undefined;
  web?: { allowed_hosts?: readonly string[] | undefined } | undefined;
}

/**
 * Built-in tools that an agent has only where its config lists them: they cost much to begin, or
 * have a run wait for a person.
 */
const LISTED_ONLY: readonly BuiltInToolName[] = ["run_python", "ask_user"];

/**
 * The built-in tools that an agent has: those that its config lists, else all but `ask_user` and
 * `run_python`, whose work `run_javascript` does for most. One that has
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
  if (builtin) return namedTools(builtin);
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
