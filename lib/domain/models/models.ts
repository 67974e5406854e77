import "server-only";
import { env } from "@/lib/env";
import { daysUntilRetired, RETIREMENT_NOTICE_DAYS } from "@/lib/model/models/catalogue";
import {
  type AvailableModel,
  type AvailableModels,
  availableModels,
} from "@/lib/runtime/models/available-models";
import { PROVIDERS, providerOf } from "@/lib/runtime/models/providers/providers";
import { definePart } from "@/lib/service";

/** The models of this deployment. */
export const models = definePart("models", (): AvailableModels => availableModels(env()));

/**
 * Every model that a request may name, how long its vendor serves it, and which one serves when
 * none is named.
 */
export function listModels(now = new Date()) {
  const available = models();
  return {
    models: available.known.map((model) => ({
      ...model,
      description: providerOf(model.id)?.description ?? "",
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

/**
 * What an operator sets to switch each provider on, in order of preference; `what`: which servers
 * it is for, where it is for more than one vendor's.
 */
export function providersToSetUp(): { variables: readonly string[]; what: string | null }[] {
  return PROVIDERS.filter(({ variables }) => Object.keys(variables).length > 0).map(
    ({ setUp, about }) => ({ variables: setUp, what: about?.what ?? null }),
  );
}
