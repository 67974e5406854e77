import "server-only";
import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { Env } from "@/lib/env";
import { MODEL_CATALOGUE, type ModelInfo } from "@/lib/model/models/catalogue";
import type { CacheTime, ReasoningEffort } from "@/lib/model/models/model-facts";
import type { RulesOptions } from "@/lib/model/models/rules-task";
import { RunFailure } from "@/lib/model/run/run-failure";
import type { AnswerForm } from "@/lib/runtime/models/answer/answer-form";
import { availableModels } from "@/lib/runtime/models/available-models";
import { providerOf } from "@/lib/runtime/models/providers/providers";

/**
 * The model behind an id of the published list. Throws a `RunFailure` `EXECUTION_FAILED` when the
 * id is unknown or its provider is not switched on. Addresses are the operator's, so they may be on
 * the local network.
 */
export function createLanguageModel(id: string, env: Env): LanguageModelV4 {
  const model = availableModels(env).find(id);
  if (model === null)
    throw new RunFailure("EXECUTION_FAILED", `The model ${id} is not known to this service.`);
  const provider = providerOf(model.id);
  if (!model.switched_on || provider === null)
    throw new RunFailure(
      "EXECUTION_FAILED",
      `The model ${id} is known, but its provider is not switched on here.`,
    );
  return provider.create(model.id.slice(model.id.indexOf("/") + 1), env);
}

/** What a call asks for that each vendor has its own words for. */
interface VendorSettings {
  /** Null: as `defaultReasoning` says. */
  reasoning?: ReasoningEffort | null;
  /** For a model of which it is known that it thinks. Null: as its vendor has it. */
  defaultReasoning?: ReasoningEffort | null;
  /** The form that the answer must have. */
  form?: AnswerForm | null;
  rules?: RulesOptions | undefined;
  /** Absent: five minutes. */
  cache?: CacheTime;
}

/** What has to be known of a model to word a call of it. */
export type ModelAbilities = Pick<ModelInfo, "thinking" | "refuses">;

const NOTHING_KNOWN: ModelAbilities = { thinking: null, refuses: [] };

/**
 * Says in a vendor's own words how much to think, where its cache of prompts may begin and end, and
 * which form the answer has, and leaves out what the model is known to refuse. What a vendor takes
 * as an option of its own and a server of another make may not know is left out by `plainly`.
 * @param id `provider/name`
 * @param plainly the vendor has refused the call with these words
 */
export function withVendorOptions(
  id: string,
  asked: LanguageModelV4CallOptions,
  { reasoning = null, defaultReasoning = null, form = null, rules, cache = "5m" }: VendorSettings,
  plainly = false,
  model: ModelAbilities = MODEL_CATALOGUE.find((each) => each.id === id) ?? NOTHING_KNOWN,
): LanguageModelV4CallOptions {
  const { thinking } = model;
  const options = withoutRefused(asked, model);
  const effort = thinking === null ? null : (reasoning ?? defaultReasoning);
  const call = {
    ...{ model: id.slice(id.indexOf("/") + 1), thinking, effort, reasoning, form, plainly, rules },
    cache,
    forcesTools: !model.refuses.includes("forced_tool"),
  };
  return providerOf(id)?.wordCall(options, call) ?? options;
}

/**
 * What a model is known to answer with an error is not asked of it: a temperature is its own, and a
 * call of a tool is asked for in words alone.
 */
function withoutRefused(
  options: LanguageModelV4CallOptions,
  { refuses }: ModelAbilities,
): LanguageModelV4CallOptions {
  const { temperature, toolChoice, ...rest } = options;
  const isForced = toolChoice?.type === "required" || toolChoice?.type === "tool";
  return {
    ...rest,
    ...(temperature !== undefined && !refuses.includes("temperature") && { temperature }),
    ...(toolChoice !== undefined && {
      toolChoice:
        isForced && refuses.includes("forced_tool") ? { type: "auto" as const } : toolChoice,
    }),
  };
}

/** Whether a call carries what a server may not know. */
export function hasVendorWords(
  id: string,
  { responseFormat, providerOptions }: LanguageModelV4CallOptions,
): boolean {
  return (
    responseFormat !== undefined ||
    (providerOf(id)?.isOfAnyMake === true && providerOptions !== undefined)
  );
}
