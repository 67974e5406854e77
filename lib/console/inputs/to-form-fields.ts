import type { FormField, InputSchema } from "@/lib/console/inputs/form-field";
import { isJsonObject } from "@/lib/model/json-schema/json-value";

const FIELDS_MAX = 40;

/** The fields for a schema of an object with properties; null when there is none, and free JSON is the better form. */
export function toFormFields(schema: InputSchema | null): FormField[] | null {
  if (!schema || !isJsonObject(schema.properties)) return null;
  const properties = Object.entries(schema.properties);
  if (properties.length === 0 || properties.length > FIELDS_MAX) return null;
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  return properties.map(([name, property]) => toField(name, isJsonObject(property) ? property : {}, required.has(name)));
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
    initial: control === "boolean" ? schema.default === true : schema.default === undefined ? "" : show(schema.default),
  };
}

function toControl(schema: InputSchema): FormField["control"] {
  if (toOptions(schema).length > 0) return "select";
  if (schema.type === "boolean") return "boolean";
  if (schema.type === "number" || schema.type === "integer") return "number";
  if (schema.type !== undefined && schema.type !== "string") return "json";
  const long = schema.format === "textarea" || (typeof schema.maxLength === "number" && schema.maxLength > 200);
  return long || schema["x-multiline"] === true ? "textarea" : "text";
}

function toOptions(schema: InputSchema): (string | number)[] {
  if (!Array.isArray(schema.enum)) return [];
  const options = schema.enum.filter((value) => typeof value === "string" || typeof value === "number");
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
