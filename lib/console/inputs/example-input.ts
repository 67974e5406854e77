import type { InputSchema } from "@/lib/console/inputs/form-field";
import { toFormFields } from "@/lib/console/inputs/to-form-fields";
import type { JsonObject, JsonValue } from "@/lib/model/json-schema/json-value";

/** An input that shows what a run of this agent is given: each field with its default, its example, or a word in its place. */
export function exampleInput(schema: InputSchema | null): JsonObject {
  const fields = toFormFields(schema);
  if (!fields) return { request: "…" };
  return Object.fromEntries(
    fields.map((field): [string, JsonValue] => {
      if (typeof field.initial === "boolean") return [field.name, field.initial];
      const text = field.initial || field.placeholder;
      if (field.control === "number") return [field.name, Number(text) || 1];
      if (field.control === "select")
        return [field.name, field.options.find((option) => String(option) === text) ?? field.options[0] ?? ""];
      if (field.control === "json") return [field.name, parsed(text)];
      return [field.name, text || "…"];
    }),
  );
}

function parsed(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue; // what JSON.parse returns is one by definition
  } catch {
    return [];
  }
}
