import type { FormField } from "@/lib/console/inputs/form-field";
import type { JsonObject, JsonValue } from "@/lib/model/json-schema/json-value";

/** By name; maps, because an agent may name an input `constructor`. */
export type FormValues = ReadonlyMap<string, string | boolean>;
export type RunInput = { input: JsonObject; problems: ReadonlyMap<string, string> };

/** The run's `input` of what was filled in. Optional fields left empty are left out; `problems` names each field that cannot be sent. */
export function toRunInput(fields: readonly FormField[], values: FormValues): RunInput {
  const input: [string, JsonValue][] = [];
  const problems = new Map<string, string>();
  for (const field of fields) {
    const value = values.get(field.name) ?? field.initial;
    if (typeof value === "boolean") input.push([field.name, value]);
    else if (value.trim() === "") {
      if (field.required) problems.set(field.name, "Required.");
    } else {
      const read = readField(field, value);
      if ("problem" in read) problems.set(field.name, read.problem);
      else input.push([field.name, read.value]);
    }
  }
  return { input: Object.fromEntries(input), problems };
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
