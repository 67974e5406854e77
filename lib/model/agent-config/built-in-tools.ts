/** The tools that make pictures, speech and films: there while the operator has a model of their kind switched on. */
export const MEDIA_TOOL_NAMES = ["image", "speech", "video"] as const;
export type MediaToolName = (typeof MEDIA_TOOL_NAMES)[number];

/** Names of the tools that the service itself brings; an agent has all of them unless its config lists some. */
export const BUILT_IN_TOOL_NAMES = [
  "workspace_files",
  "web_fetch",
  "web_search",
  "run_javascript",
  "todo",
  "artifacts",
  ...MEDIA_TOOL_NAMES,
] as const;

/** The tool by which an agent keeps notes across conversations: `tools.memory` switches it on. */
export const MEMORY_TOOL_NAME = "memory";

/** The name of a built-in tool. */
export type BuiltInToolName = (typeof BUILT_IN_TOOL_NAMES)[number];

/** The tool by which every run reads the account's skills: no config lists it, and no connector may have its name. */
export const READ_SKILL_TOOL_NAME = "read_skill";
