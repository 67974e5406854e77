import "server-only";
import { env } from "@/lib/env";
import { OFFLINE_MODEL_ID } from "@/lib/model/models/catalogue";
import { processSingleton } from "@/lib/platform/process-singleton";
import { type AvailableModels, availableModels } from "@/lib/runtime/models/available-models";

/** The models of this deployment. */
export function models(): AvailableModels {
  return processSingleton("models", () => availableModels(env()));
}

const OFFLINE_TEXT =
  "Rule-based and built in: it needs no network and no key. It reads files, computes figures and follows plain steps; it does not think. Set a provider's key to switch on a real model.";

/** Every model that a request may name, and which one serves when none is named. */
export function listModels() {
  const available = models();
  return {
    models: available.known.map((model) => ({ ...model, description: model.id === OFFLINE_MODEL_ID ? OFFLINE_TEXT : "" })),
    defaultModel: available.default_model,
  };
}
