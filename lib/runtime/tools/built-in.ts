import "server-only";
import type { ToolFacts } from "@/lib/model/agent-config/tool-facts";
import type { EgressOptions } from "@/lib/platform/egress/open-egress";
import type { MediaModel } from "@/lib/runtime/models/providers/provider-adapter";
import type { ClientAnswers } from "@/lib/runtime/tools/client-tool";
import type { ModelCode } from "@/lib/runtime/tools/model-code";
import type { RuntimeTool } from "@/lib/runtime/tools/tool";
import type { MediaPort, MemoryPort, SkillPort } from "@/lib/runtime/tools/tool-ports";
import type { FetchRule, ModelSearch, SearchProvider } from "@/lib/runtime/tools/web-ports";

/** What a run gives the service's own tools to work with. */
export interface BuiltInPorts {
  reach: EgressOptions;
  /** Null: nobody that the operator set up searches. */
  search: SearchProvider | null;
  /** In place of such a provider the one of the run's model; null: it has none. */
  modelSearch: ModelSearch | null;
  /** Python on the servers of the model's provider, where the config asks for it; null: here. */
  modelCode: ModelCode | null;
  /** Whether Python here has the packages of an operator's image. */
  pythonImage: boolean;
  /** Null: every public host may be fetched from without asking. */
  fetchRule: FetchRule | null;
  skills: SkillPort;
  /** Those whose files code may read, to run their scripts; null: none. */
  codeSkills: SkillPort | null;
  /** Null: the run keeps no notes. */
  memory: MemoryPort | null;
  /** Null: nobody is there to answer. */
  answers: ClientAnswers | null;
  /** The models that make pictures, speech and films, and who has them make it. */
  media: { models: readonly MediaModel[]; port: MediaPort };
}

/** A tool that the service itself brings to agents: its facts, and itself for one run. */
export interface BuiltIn {
  facts: ToolFacts;
  /** Null where this run cannot have it. */
  make(ports: BuiltInPorts): RuntimeTool | null;
}

/** What is to be said of a tool that needs nothing of a run. */
export function builtIn(tool: RuntimeTool, facts: Omit<ToolFacts, "name">): BuiltIn {
  return { facts: { name: tool.name, ...facts }, make: () => tool };
}
