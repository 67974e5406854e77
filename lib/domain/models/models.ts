import "server-only";
import { env } from "@/lib/env";
import { once } from "@/lib/platform/once";
import { type AvailableModels, availableModels } from "@/lib/runtime/models/available-models";

/** The models of this deployment. */
export function models(): AvailableModels {
  return once("models", () => availableModels(env()));
}
