import "server-only";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import type { LanguageModelV3 } from "@ai-sdk/provider";
import type { Env } from "@/lib/env";
import { RunFailure } from "@/lib/model/run/run-failure";
import { createOfflineModel } from "@/lib/offline-model/offline-model";
import { availableModels } from "./available-models";
import { createCompatibleModel } from "./compatible/create-compatible-model";

/**
 * The model behind an id of the published list. Throws a `RunFailure` `EXECUTION_FAILED` when the id is unknown or its provider
 * is not switched on. Addresses are the operator's, so they may be on the local network.
 */
export function createLanguageModel(id: string, env: Env): LanguageModelV3 {
  const model = availableModels(env).find(id);
  if (model === null) throw new RunFailure("EXECUTION_FAILED", `The model ${id} is not known to this service.`);
  if (!model.switched_on) throw new RunFailure("EXECUTION_FAILED", `The model ${id} is known, but its provider is not switched on here.`);
  const name = id.slice(id.indexOf("/") + 1);
  switch (model.provider) {
    case "builtin":
      return createOfflineModel();
    case "compatible":
      return createCompatibleModel({ name, baseUrl: env.OPENAI_COMPATIBLE_BASE_URL, apiKey: env.OPENAI_COMPATIBLE_API_KEY });
    case "openai":
      return createOpenAI({ apiKey: env.OPENAI_API_KEY, baseURL: env.OPENAI_BASE_URL || "https://api.openai.com/v1" }).responses(name);
    case "anthropic":
      return createAnthropic({ apiKey: env.ANTHROPIC_API_KEY, baseURL: env.ANTHROPIC_BASE_URL || "https://api.anthropic.com/v1" })(name);
    case "google": {
      const baseURL = env.GOOGLE_BASE_URL || "https://generativelanguage.googleapis.com/v1beta";
      return createGoogleGenerativeAI({ apiKey: env.GOOGLE_GENERATIVE_AI_API_KEY, baseURL })(name);
    }
  }
}
