import "server-only";
import type { ToolFacts } from "@/lib/model/agent-config/tool-facts";
import { BUILD_TOOLS } from "@/lib/runtime/prompts/agent-tools";
import { ARTIFACTS } from "@/lib/runtime/tools/artifacts-tool";
import { ASK_USER } from "@/lib/runtime/tools/ask-user-tool";
import type { BuiltIn } from "@/lib/runtime/tools/built-in";
import { FILE_TOOLS } from "@/lib/runtime/tools/file-tools";
import { MEDIA_TOOLS } from "@/lib/runtime/tools/media-tools";
import { MEMORY } from "@/lib/runtime/tools/memory-tool";
import { READ_SKILL } from "@/lib/runtime/tools/read-skill-tool";
import { RUN_JAVASCRIPT } from "@/lib/runtime/tools/run-javascript-tool";
import { RUN_PYTHON } from "@/lib/runtime/tools/run-python-tool";
import { SUPER_AGENT_FACTS } from "@/lib/runtime/tools/super-agent-tools";
import { TODO } from "@/lib/runtime/tools/todo-tool";
import { LOOKUP_FACTS } from "@/lib/runtime/tools/tool-lookup";
import { WEB_FETCH } from "@/lib/runtime/tools/web-fetch-tool";
import { WEB_SEARCH } from "@/lib/runtime/tools/web-search-tool";

/**
 * The tools that the service itself brings to agents, in the order in which a model sees them. All
 * that the rest of the service goes by of them (what configs may name, what widens an agent, what a
 * dry run does, what receipts call a write) is made of their facts: after a change of a fact run
 * `npx vitest run --project=unit lib/runtime/tools/built-in-facts.test.ts -u`.
 */
export const BUILT_IN_TOOLS: readonly BuiltIn[] = [
  ...FILE_TOOLS,
  WEB_FETCH,
  WEB_SEARCH,
  RUN_JAVASCRIPT,
  RUN_PYTHON,
  TODO,
  ARTIFACTS,
  ASK_USER,
  ...MEDIA_TOOLS,
  READ_SKILL,
  MEMORY,
];

/** The facts of all tools that are the service's own, with those of builds and the super-agent. */
export const ALL_FACTS: readonly ToolFacts[] = [
  ...BUILT_IN_TOOLS.map(({ facts }) => facts),
  ...LOOKUP_FACTS,
  ...SUPER_AGENT_FACTS,
  ...BUILD_TOOLS.map(({ facts }) => facts),
];
