import type { ToolFacts } from "@/lib/model/agent-config/tool-facts";

/**
 * The facts of the service's own tools, as their files in `lib/runtime/tools` say them. Written by
 * `npx vitest run --project=unit lib/runtime/tools/built-in-facts.test.ts -u`.
 */
export const BUILT_IN_FACTS = [
  {
    name: "files_read",
    offered: "config",
    group: "files",
    reaches: true,
    within: true,
    worksDry: true,
    rule:
      "Files of the run itself (run:…) last as long as it, and later runs of the conversation " +
      "can read them. What older texts call workspace_files are the tools files_….",
    guide:
      "files of the workspace and of the run; text, PDF, Word, Excel, PowerPoint, pictures where " +
      "the model sees",
    writes: "nothing",
  },
  {
    name: "files_search",
    offered: "config",
    group: "files",
    reaches: true,
    within: true,
    worksDry: true,
    rule:
      "Files of the run itself (run:…) last as long as it, and later runs of the conversation " +
      "can read them. What older texts call workspace_files are the tools files_….",
    guide:
      "files of the workspace and of the run; text, PDF, Word, Excel, PowerPoint, pictures where " +
      "the model sees",
    writes: "nothing",
  },
  {
    name: "files_write",
    offered: "config",
    group: "files",
    reaches: true,
    within: true,
    worksDry: true,
    rule:
      "Files of the run itself (run:…) last as long as it, and later runs of the conversation " +
      "can read them. What older texts call workspace_files are the tools files_….",
    guide:
      "files of the workspace and of the run; text, PDF, Word, Excel, PowerPoint, pictures where " +
      "the model sees",
    writes: "inside",
  },
  {
    name: "files_edit",
    offered: "config",
    group: "files",
    reaches: true,
    within: true,
    worksDry: true,
    rule:
      "Files of the run itself (run:…) last as long as it, and later runs of the conversation " +
      "can read them. What older texts call workspace_files are the tools files_….",
    guide:
      "files of the workspace and of the run; text, PDF, Word, Excel, PowerPoint, pictures where " +
      "the model sees",
    writes: "inside",
  },
  {
    name: "web_fetch",
    offered: "config",
    writes: "nothing",
    listed: "with_connectors",
    reaches: true,
    keepsName: true,
    guide: "one page by its address",
  },
  {
    name: "web_search",
    offered: "config",
    writes: "nothing",
    reaches: true,
    keepsName: true,
    guide: "only where it is switched on",
  },
  {
    name: "run_javascript",
    offered: "config",
    writes: "nothing",
    reaches: true,
    within: true,
    worksDry: true,
    keepsName: true,
    rule: "Compute figures with run_javascript, never in your head, and give them exactly.",
    guide:
      "every figure, and files of what it computes: Excel with charts, Word, PDF, slides, CSV, " +
      "PNG; no network",
  },
  {
    name: "run_python",
    offered: "config",
    writes: "inside",
    listed: "always",
    reaches: true,
    within: true,
    worksDry: true,
    keepsName: true,
    guide: "the same figures where Python is asked for; only where listed",
    guideWithImage:
      "numpy, pandas and matplotlib where the operator's image has them, else with tools.python: " +
      "provider",
    guideWithoutImage: "numpy, pandas and matplotlib only with tools.python: provider",
  },
  {
    name: "todo",
    offered: "config",
    writes: "inside",
    within: true,
    worksDry: true,
    keepsName: true,
    guide: "a visible list for work of several steps",
  },
  {
    name: "artifacts",
    offered: "config",
    writes: "inside",
    within: true,
    worksDry: true,
    keepsName: true,
    guide: "a file for the person: a text that the model writes, or a file that code has made",
  },
  {
    name: "ask_user",
    offered: "config",
    writes: "inside",
    listed: "always",
    guide: "a question to the person, for whose answer the run waits; only where listed",
  },
  {
    name: "image",
    offered: "config",
    writes: "inside",
    group: "media",
    within: true,
    guide: "only where they are switched on; each call costs credits",
  },
  {
    name: "speech",
    offered: "config",
    writes: "inside",
    group: "media",
    within: true,
    guide: "only where they are switched on; each call costs credits",
  },
  {
    name: "video",
    offered: "config",
    writes: "inside",
    group: "media",
    within: true,
    guide: "only where they are switched on; each call costs credits",
  },
  {
    name: "read_skill",
    offered: "always",
    writes: "nothing",
    within: true,
    worksDry: true,
    keepsName: true,
  },
  {
    name: "memory",
    offered: "memory",
    writes: "inside",
    within: true,
    keepsName: true,
  },
  {
    name: "find_tools",
    offered: "lookup",
    writes: "nothing",
    within: true,
  },
  {
    name: "call_tool",
    offered: "lookup",
    writes: "anything",
  },
  {
    name: "list_agents",
    offered: "super_agent",
    writes: "nothing",
  },
  {
    name: "read_agent",
    offered: "super_agent",
    writes: "nothing",
  },
  {
    name: "create_agent",
    offered: "super_agent",
    writes: "inside",
  },
  {
    name: "edit_agent",
    offered: "super_agent",
    writes: "inside",
  },
  {
    name: "run_agent",
    offered: "super_agent",
    writes: "anything",
  },
  {
    name: "read_run",
    offered: "super_agent",
    writes: "nothing",
  },
  {
    name: "create_agent",
    offered: "build",
    writes: "inside",
    keepsName: true,
  },
  {
    name: "edit_agent",
    offered: "build",
    writes: "inside",
    keepsName: true,
  },
  {
    name: "try_agent",
    offered: "build",
    writes: "nothing",
    keepsName: true,
  },
  {
    name: "finish",
    offered: "build",
    writes: "inside",
    keepsName: true,
  },
  {
    name: "list_versions",
    offered: "build",
    writes: "nothing",
  },
  {
    name: "restore_version",
    offered: "build",
    writes: "inside",
  },
  {
    name: "read_guide",
    offered: "build",
    writes: "nothing",
  },
  {
    name: "read_workspace",
    offered: "build",
    writes: "nothing",
  },
  {
    name: "read_connector",
    offered: "build",
    writes: "nothing",
  },
] as const satisfies readonly ToolFacts[];
