import "server-only";
import { models } from "@/lib/domain/models/models";
import type { AgentConfig } from "@/lib/model/agent-config/agent-config-schema";
import { invalidInput } from "@/lib/model/errors";

/**
 * The model of a run: the one that the request names, else the agent's, else the default. An agent's own model that is not switched on stays the run's:
 * nothing but its `fallback_models` may take its place, see `turnModels`.
 * @throws ServiceError INVALID_INPUT with the published list, for a requested model that is unknown or switched off
 */
export function chooseModel(requested: string | null, agent: { config: unknown } | null): string {
  if (requested !== null) {
    requireModel(requested);
    return requested;
  }
  const own = (agent?.config as AgentConfig | undefined)?.model; // stored only after validation
  return own ?? models().default_model;
}

function requireModel(id: string): void {
  const model = models().find(id);
  const list = models()
    .known.map((known) => known.id)
    .join(", ");
  if (!model) throw invalidInput("model", `is not one of: ${list}`);
  if (!model.switched_on) throw invalidInput("model", `${id} is not switched on in this deployment: its provider's key is not set`);
}
