import type { FormField } from "@/lib/console/inputs/form-field";
import type { JsonObject, JsonValue } from "@/lib/model/json-schema/json-value";

export type FormValues = Record<string, string | boolean>;
export type RunInput = { input: JsonObject; problems: Record<string, string> };

/** The run's `input` of what was filled in. Optional fields left empty are left out; `problems` names each field that cannot be sent. */
export function toRunInput(fields: readonly FormField[], values: FormValues): RunInput {
  const input: JsonObject = {};
  const problems: Record<string, string> = {};
  for (const field of fields) {
    const value = values[field.name] ?? field.initial;
    if (typeof value === "boolean") input[field.name] = value;
    else if (value.trim() === "") {
      if (field.required) problems[field.name] = "Required.";
    } else {
      const read = readField(field, value);
      if ("problem" in read) problems[field.name] = read.problem;
      else input[field.name] = read.value;
    }
  }
  return { input, problems };
}

function readField(field: FormField, text: string): { value: JsonValue } | { problem: string } {
  if (field.control === "number") return readNumber(text, field.integer);
  if (field.control === "json") return readJson(text);
  if (field.control === "select") return { value: field.options.find((option) => String(option) === text) ?? text };
  return { value: text };
}

function readNumber(text: string, integer: boolean): { value: number } | { problem: string } {
  const value = Number(text);
  if (!Number.isFinite(value)) return { problem: "Must be a number." };
  return integer && !Number.isInteger(value) ? { problem: "Must be a whole number." } : { value };
}

function readJson(text: string): { value: JsonValue } | { problem: string } {
  try {
    return { value: JSON.parse(text) as JsonValue }; // what JSON.parse returns is one by definition
  } catch {
    return { problem: "Must be JSON." };
  }
}
