import { isJsonObject, type JsonObject, type JsonValue } from "@/lib/model/json-schema/json-value";

/** A JSON object as the API types it: an agent's `inputs_schema`, a run's `input`. */
export type InputSchema = Record<string, unknown>;

/** One field of the form that an agent's `inputs_schema` asks for. */
export interface FormField {
  name: string;
  label: string;
  description: string | null;
  control: "text" | "textarea" | "number" | "boolean" | "select" | "json";
  required: boolean;
  /** Of a select, in the order and types of the schema. */
  options: (string | number)[];
  integer: boolean;
  placeholder: string;
  initial: string | boolean;
}

const FIELDS_MAX = 40;

/**
 * The fields for a schema of an object with properties, in the order in which it names them; null
 * when there is none, and free JSON is the better form.
 */
export function toFormFields(schema: InputSchema | null): FormField[] | null {
  if (!schema || !isJsonObject(schema.properties)) return null;
  const properties = Object.entries(schema.properties);
  if (properties.length === 0 || properties.length > FIELDS_MAX) return null;
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  return properties.map(([name, property]) =>
    toField(name, isJsonObject(property) ? property : {}, required.has(name)),
  );
}

function toField(name: string, schema: InputSchema, required: boolean): FormField {
  const control = toControl(schema);
  const example = Array.isArray(schema.examples) ? schema.examples[0] : undefined;
  return {
    name,
    label: typeof schema.title === "string" && schema.title ? schema.title : toLabel(name),
    description: typeof schema.description === "string" ? schema.description : null,
    control,
    required,
    options: toOptions(schema),
    integer: schema.type === "integer",
    placeholder: example === undefined ? "" : show(example),
    initial:
      control === "boolean"
        ? schema.default === true
        : schema.default === undefined
          ? ""
          : show(schema.default),
  };
}

function toControl(schema: InputSchema): FormField["control"] {
  if (toOptions(schema).length > 0) return "select";
  if (schema.type === "boolean") return "boolean";
  if (schema.type === "number" || schema.type === "integer") return "number";
  if (schema.type !== undefined && schema.type !== "string") return "json";
  const long =
    schema.format === "textarea" ||
    (typeof schema.maxLength === "number" && schema.maxLength > 200);
  return long || schema["x-multiline"] === true ? "textarea" : "text";
}

function toOptions(schema: InputSchema): (string | number)[] {
  if (!Array.isArray(schema.enum)) return [];
  const options = schema.enum.filter(
    (value) => typeof value === "string" || typeof value === "number",
  );
  return options.length === schema.enum.length ? options : [];
}

/** `max_rows` and `maxRows` read as “Max rows”. */
function toLabel(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/[_-]+/g, " ")
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function show(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/**
 * What a form shows for an input that was given before; fields that it does not name are left
 * empty. The way back is `toRunInput`.
 */
export function toFormValues(fields: readonly FormField[], input: InputSchema): FormValues {
  return new Map(
    fields.map((field): [string, string | boolean] => {
      const value = Object.hasOwn(input, field.name) ? input[field.name] : undefined;
      if (field.control === "boolean") return [field.name, value === true];
      if (value === undefined) return [field.name, ""];
      return [
        field.name,
        typeof value === "string" && field.control !== "json" ? value : JSON.stringify(value),
      ];
    }),
  );
}

/** By name; maps, because an agent may name an input `constructor`. */
export type FormValues = ReadonlyMap<string, string | boolean>;
export type RunInput = { input: JsonObject; problems: ReadonlyMap<string, string> };

/**
 * The run's `input` of what was filled in. Optional fields left empty are left out; `problems`
 * names each field that cannot be sent.
 */
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
  if (field.control === "select")
    return { value: field.options.find((option) => String(option) === text) ?? text };
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

/**
 * An input that shows what a run of this agent is given: each field with its default, its example,
 * or a word in its place.
 */
export function exampleInput(schema: InputSchema | null): JsonObject {
  const fields = toFormFields(schema);
  if (!fields) return { request: "…" };
  return Object.fromEntries(
    fields.map((field): [string, JsonValue] => {
      if (typeof field.initial === "boolean") return [field.name, field.initial];
      const text = field.initial || field.placeholder;
      if (field.control === "number") return [field.name, Number(text) || 1];
      if (field.control === "select")
        return [
          field.name,
          field.options.find((option) => String(option) === text) ?? field.options[0] ?? "",
        ];
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
