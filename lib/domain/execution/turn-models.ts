import "server-only";
import type { LoadedRun } from "@/lib/domain/execution/load-run";
import { isAgentRun } from "@/lib/domain/execution/run-limits";
import { models } from "@/lib/domain/models/models";
import { env } from "@/lib/env";
import { RunFailure } from "@/lib/model/run/run-failure";
import { once } from "@/lib/platform/once";
import { createLanguageModel } from "@/lib/runtime/models/create-language-model";
import type { ResolvedModel } from "@/lib/runtime/models/stream-turn";

/**
 * The models that a run's turns call, in order (the run's own, then the agent's fallbacks; those that are switched on), and how.
 * @throws RunFailure INVALID_AGENT_CONFIG when none of them is
 */
export function turnModels(run: LoadedRun): {
  models: ResolvedModel[];
  settings: { temperature: number | null };
  /** The longest answer by the agent's config, in tokens; null: it does not say. */
  maxOutputTokens: number | null;
} {
  const config = run.agent && isAgentRun(run) ? run.agent.config : null;
  const ids = [...new Set([run.model, ...(config?.fallback_models ?? [])])].filter((id) => models().find(id)?.switched_on);
  if (ids.length === 0) throw switchedOff(run.model, config !== null);
  return {
    models: ids.map(resolve),
    settings: { temperature: config?.model_settings?.temperature ?? null },
    maxOutputTokens: config?.model_settings?.max_output_tokens ?? null,
  };
}

/** Nobody's data goes to another vendor's model, nor is an answer of rules taken for a model's, because a key was removed. */
function switchedOff(id: string, ofAgent: boolean): RunFailure {
  const known = models()
    .known.filter((model) => model.switched_on)
    .map((model) => model.id);
  const what = models().find(id) ? "is not switched on in this deployment" : "is not known in this deployment any more";
  const owner = ofAgent
    ? `Set \`model\` in the agent's config to one that is, or name one in \`fallback_models\` (${known.join(", ")})`
    : `Name another one (${known.join(", ")})`;
  const provider = models().find(id)?.provider;
  const operator = provider ? `; the operator switches it on by ${SWITCHES[provider]}` : "";
  return new RunFailure("INVALID_AGENT_CONFIG", `The model ${id} ${what}. ${owner}${operator}.`);
}

const SWITCHES = {
  openai: "OPENAI_API_KEY",
  anthropic: "ANTHROPIC_API_KEY",
  google: "GOOGLE_GENERATIVE_AI_API_KEY",
  compatible: "OPENAI_COMPATIBLE_BASE_URL",
  builtin: "DEFAULT_MODEL",
} as const;

/** One instance a model in this process: its HTTP connections are kept. */
function resolve(id: string): ResolvedModel {
  const known = once("language-models", () => new Map<string, ResolvedModel>());
  const resolved = known.get(id) ?? { id, model: createLanguageModel(id, env()) };
  known.set(id, resolved);
  return resolved;
}
