import "server-only";
import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { isJsonObject, type JsonObject, type JsonValue } from "@/lib/model/json-schema/json-value";
import type { AskedOfCall } from "@/lib/runtime/models/providers/provider-adapter";

type Format = LanguageModelV4CallOptions["responseFormat"];

/**
 * The call with the form of the answer: as an option where the provider takes it there, else as a
 * tool that answers, beside the others. Where neither can be, the prompt's words are all.
 * @param takesForm whether the provider takes this form, in this call, as an option
 */
export function withForm(
  options: LanguageModelV4CallOptions,
  { form, plainly }: Pick<AskedOfCall, "form" | "plainly">,
  takesForm: boolean,
): LanguageModelV4CallOptions {
  if (form === null) return options;
  if (takesForm && !plainly) return { ...options, responseFormat: toResponseFormat(form.schema) };
  return callsTools(options)
    ? { ...options, tools: [...(options.tools ?? []), form.tool] }
    : options;
}

/**
 * The call of who takes either tools or a form: where no tool may be called, and the answer has a
 * form, without them.
 */
export function withoutBarredTools(
  options: LanguageModelV4CallOptions,
  { form, plainly }: Pick<AskedOfCall, "form" | "plainly">,
): LanguageModelV4CallOptions {
  if (form === null || plainly || callsTools(options)) return options;
  const { tools: _tools, toolChoice: _choice, ...rest } = options;
  return rest;
}

/** Whether the model may call tools in this call. */
export function callsTools({
  tools,
  toolChoice,
}: Pick<LanguageModelV4CallOptions, "tools" | "toolChoice">): boolean {
  return tools !== undefined && tools.length > 0 && toolChoice?.type !== "none";
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

const STRICT_KEYWORDS: ReadonlySet<string> = new Set([
  ...["$defs", "$ref", "additionalProperties", "anyOf", "const", "description", "enum", "items"],
  ...["properties", "required", "title", "type"],
]);
/** Of objects within objects. */
const STRICT_MAX_DEPTH = 5;

/**
 * Whether a schema keeps to the part of JSON Schema by which OpenAI decodes strictly: each object
 * is closed and requires all that it names, and no keyword is one of which descriptions of that
 * part disagree (https://community.openai.com/t/918388 and others, stored copies read 2026-11-26).
 * What is not strict is sent as a wish, and checked here as ever.
 */
export function isStrict(schema: JsonValue, depth = 1): boolean {
  if (!isJsonObject(schema) || depth > STRICT_MAX_DEPTH) return false;
  if (Object.keys(schema).some((keyword) => !STRICT_KEYWORDS.has(keyword))) return false;
  const { type, properties, items, anyOf, $defs, $ref, enum: values } = schema;
  if ([type, $ref, values, schema.const, anyOf].every((each) => each === undefined)) return false;
  const isObject = type === "object" || (Array.isArray(type) && type.includes("object"));
  if ((isObject || properties !== undefined) && !isClosedObject(schema)) return false;
  const fields = isJsonObject(properties) ? Object.values(properties) : [];
  const within = [...(items === undefined ? [] : [items]), ...(Array.isArray(anyOf) ? anyOf : [])];
  const defined = isJsonObject($defs) ? Object.values($defs) : [];
  return (
    fields.every((each) => isStrict(each, depth + 1)) &&
    within.every((each) => isStrict(each, depth)) &&
    defined.every((each) => isStrict(each, 2))
  );
}

function isClosedObject({ properties, required, additionalProperties }: JsonObject): boolean {
  if (additionalProperties !== false || !isJsonObject(properties)) return false;
  return Object.keys(properties).every(
    (name) => Array.isArray(required) && required.includes(name),
  );
}
