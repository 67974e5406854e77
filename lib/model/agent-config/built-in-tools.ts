import { BUILT_IN_FACTS } from "@/lib/model/agent-config/built-in-facts";
import type { ToolFacts } from "@/lib/model/agent-config/tool-facts";

type Facts = (typeof BUILT_IN_FACTS)[number];
/** Names of the tools whose facts are so. */
type NameOf<Of> = Extract<Facts, Of>["name"];

const FACTS: readonly ToolFacts[] = BUILT_IN_FACTS;

/** Names of the service's own tools of which this is so. */
export function builtInsThat(is: (tool: ToolFacts) => boolean): string[] {
  return [...new Set(FACTS.filter(is).map(({ name }) => name))];
}

/**
 * The tools that make pictures, speech and films: there while the operator has a model of their
 * kind switched on.
 */
export type MediaToolName = NameOf<{ group: "media" }>;

type FileToolName = NameOf<{ group: "files" }>;
/** The tools for the files of a run and of its workspace. */
export const FILE_TOOL_NAMES = builtInsThat(({ group }) => group === "files") as FileToolName[];

/** The one tool that they were before, by which configs and permissions still name all of them. */
export const FILE_TOOLS_NAME = "workspace_files";

/** The name of a built-in tool. */
export type BuiltInToolName = NameOf<{ offered: "config" }>;
/**
 * Names of the tools that the service itself brings; which of them an agent has that lists none:
 * `builtInToolsOf`.
 */
export const BUILT_IN_TOOL_NAMES = builtInsThat(
  ({ offered }) => offered === "config",
) as BuiltInToolName[];

/** The tool by which an agent keeps notes across conversations: `tools.memory` switches it on. */
export const MEMORY_TOOL_NAME: NameOf<{ offered: "memory" }> = "memory";

export type ListedToolName = typeof FILE_TOOLS_NAME | BuiltInToolName;
/** What a config may list: a tool, or the name that stands for several. */
export const LISTED_TOOL_NAMES: readonly ListedToolName[] = [
  FILE_TOOLS_NAME,
  ...BUILT_IN_TOOL_NAMES,
];

/** The same, where one name stands for several only that. */
export const SHORT_TOOL_NAMES: readonly ListedToolName[] = LISTED_TOOL_NAMES.filter(
  (name) => !FACTS.some((tool) => tool.name === name && tool.group === "files"),
);

type Named<T extends string> = Exclude<T, typeof FILE_TOOLS_NAME> | FileToolName;

/**
 * Names of tools as they are listed, once each; one that stands for several is replaced by those.
 */
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

const LISTED_ONLY = builtInsThat(({ listed }) => listed === "always");
const NOT_WITH_CONNECTORS = builtInsThat(({ listed }) => listed === "with_connectors");

/**
 * The built-in tools that an agent has: those that its config lists, else all but those that cost
 * much to begin (`run_python`, whose work `run_javascript` does for most) or have a run wait for a
 * person (`ask_user`). One that has
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
    (name) => !LISTED_ONLY.includes(name) && (withFetch || !NOT_WITH_CONNECTORS.includes(name)),
  );
}

/** The name of the tool by which another agent is called: what its config says, else of its id. */
export function agentToolName({
  name,
  agent_id: id,
}: {
  name?: string | undefined;
  agent_id: string;
}): string {
  return name ?? `agent_${id.slice(-12)}`;
}

/**
 * The tool by which every run reads the account's skills: no config lists it, and no connector may
 * have its name.
 */
export const READ_SKILL_TOOL_NAME: NameOf<{ offered: "always" }> = "read_skill";

/** The tool by which a run asks a person and waits for the answer, where it has it. */
export const ASK_USER_TOOL_NAME: BuiltInToolName & "ask_user" = "ask_user";

/** What the prompt of a run says of the tools that it has, each rule once. */
export function rulesOfTools(has: (name: string) => boolean): string[] {
  return [...new Set(FACTS.flatMap(({ name, rule }) => (rule && has(name) ? [rule] : [])))];
}

/**
 * What whoever writes a config is told of the tools that it may list.
 * @param hasPythonImage whether `run_python` has the packages of an operator's image
 */
export function guideToTools(hasPythonImage: boolean): string {
  const guides = new Set(FACTS.flatMap(({ guide }) => guide ?? []));
  const parts = [...guides].map((guide) => {
    const tools = FACTS.filter((tool) => tool.guide === guide);
    const names = tools.map(({ name }) => name).join(", ");
    const together = tools[0]?.group === "files" ? `; all of them: ${FILE_TOOLS_NAME}` : "";
    const more = tools[0]?.[hasPythonImage ? "guideWithImage" : "guideWithoutImage"];
    return `${names}${together} (${guide}${more ? `; ${more}` : ""})`;
  });
  return (
    `${parts.join("; ")}. Without the list an agent has all but ${LISTED_ONLY.join(" and ")}; ` +
    `with tools.http, tools.mcp or tools.client all but ${NOT_WITH_CONNECTORS.join(" and ")} ` +
    "too, which must then be named."
  );
}

/**
 * Tools of the service's own whose writes stay within it: files, notes, drafts and agents of the
 * account. An agent that is run may write anywhere, and so is none of them.
 */
export const INSIDE_WRITES: ReadonlySet<string> = new Set(
  builtInsThat(({ writes }) => writes === "inside"),
);
