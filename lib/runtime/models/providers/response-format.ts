import "server-only";
import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { JsonObject } from "@/lib/model/json-schema/json-value";
import type { AskedOfCall } from "@/lib/runtime/models/providers/provider-adapter";

type Format = LanguageModelV4CallOptions["responseFormat"];

/** The form of the answer as an option of the call; nothing where there is none to be said. */
export function formOf({
  schema,
  plainly,
}: Pick<AskedOfCall, "schema" | "plainly">): Pick<LanguageModelV4CallOptions, "responseFormat"> {
  return schema === null || plainly ? {} : { responseFormat: toResponseFormat(schema) };
}

/** The same for who takes no form beside tools. */
export function formWithoutTools(
  { tools }: Pick<LanguageModelV4CallOptions, "tools">,
  asked: Pick<AskedOfCall, "schema" | "plainly">,
): Pick<LanguageModelV4CallOptions, "responseFormat"> {
  return !tools || tools.length === 0 ? formOf(asked) : {};
}

/**
 * The call of who takes either tools or a form: where no tool may be called, and the answer has a
 * form, without them.
 */
export function withFormOrTools(
  options: LanguageModelV4CallOptions,
  asked: Pick<AskedOfCall, "schema" | "plainly">,
): LanguageModelV4CallOptions {
  const { tools, toolChoice, ...rest } = options;
  const form = formWithoutTools({ tools: toolChoice?.type === "none" ? [] : tools }, asked);
  return form.responseFormat ? { ...rest, ...form } : options;
}

function toResponseFormat(schema: JsonObject): Format {
  // A JSON object that `checkSchema` has let through: the vendor's type is only narrower about its
  // keys.
  return {
    type: "json",
    name: "answer",
    schema: schema as Extract<Format, { type: "json" }>["schema"],
  };
}
