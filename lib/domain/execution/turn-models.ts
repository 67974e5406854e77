import "server-only";
import type { LoadedRun } from "@/lib/domain/execution/load-run";
import { isAgentRun } from "@/lib/domain/execution/run-limits";
import { models } from "@/lib/domain/models/models";
import { env } from "@/lib/env";
import { once } from "@/lib/platform/once";
import { createLanguageModel } from "@/lib/runtime/models/create-language-model";
import type { ResolvedModel } from "@/lib/runtime/models/stream-turn";

/** The models that a run's turns call, in order (the run's own, then the agent's fallbacks that are switched on), and how. */
export function turnModels(run: LoadedRun): {
  models: ResolvedModel[];
  settings: { temperature: number | null };
  /** The longest answer by the agent's config, in tokens; null: it does not say. */
  maxOutputTokens: number | null;
} {
  const config = run.agent && isAgentRun(run) ? run.agent.config : null;
  const fallbacks = (config?.fallback_models ?? []).filter((id) => id !== run.model && models().find(id)?.switched_on);
  return {
    models: [run.model, ...fallbacks].map(resolve),
    settings: { temperature: config?.model_settings?.temperature ?? null },
    maxOutputTokens: config?.model_settings?.max_output_tokens ?? null,
  };
}

/** One instance a model in this process: its HTTP connections are kept. */
function resolve(id: string): ResolvedModel {
  const known = once("language-models", () => new Map<string, ResolvedModel>());
  const resolved = known.get(id) ?? { id, model: createLanguageModel(id, env()) };
  known.set(id, resolved);
  return resolved;
}
