import "server-only";
import { env } from "@/lib/env";
import { daysUntilRetired, RETIREMENT_NOTICE_DAYS } from "@/lib/model/models/catalogue";
import {
  type AvailableModel,
  type AvailableModels,
  availableModels,
} from "@/lib/runtime/models/available-models";
import { definePart } from "@/lib/service";

/** The models of this deployment. */
export const models = definePart("models", (): AvailableModels => availableModels(env()));

const BUILT_IN_TEXT =
  "Rule-based and built in: it needs no network and no key. It reads files, computes figures and follows plain steps; it does not think. Set a provider's key to switch on a real model.";

/**
 * Every model that a request may name, how long its vendor serves it, and which one serves when
 * none is named.
 */
export function listModels(now = new Date()) {
  const available = models();
  return {
    models: available.known.map((model) => ({
      ...model,
      description: model.provider === "builtin" ? BUILT_IN_TEXT : "",
      life: lifeOf(model, now),
    })),
    aliases: available.aliases,
    defaultModel: available.default_model,
  };
}

/**
 * `gone`: its vendor no longer has it. `ending`: it ends within sixty days, or has ended by its
 * announced date.
 */
function lifeOf(model: AvailableModel, now: Date): "active" | "ending" | "gone" {
  if (model.gone) return "gone";
  const days = daysUntilRetired(model, now);
  return days !== null && days <= RETIREMENT_NOTICE_DAYS ? "ending" : "active";
}
