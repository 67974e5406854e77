import "server-only";
import { EXAMPLE_IDS } from "@/lib/api/schemas/fields";

/** Tidies each schema of a document, in place, and says nothing twice of a parameter. */
export function normalizeDocument(document: { components?: { schemas?: object } }): void {
  tidySchema(Object.values(document.components?.schemas ?? {}));
  visit(document);
}

function visit(node: unknown): void {
  if (Array.isArray(node)) for (const item of node) visit(item);
  if (typeof node !== "object" || node === null || Array.isArray(node)) return;
  for (const [key, value] of Object.entries(node)) {
    if (key === "schemas" || key === "example" || key === "examples") continue;
    if (key === "schema") tidySchema(value);
    else visit(value);
  }
  if ("in" in node && "name" in node && "schema" in node) liftFromSchema(node);
}

/** Description and example belong to the parameter; the generator leaves them in its schema. An id without them gets those of its name. */
function liftFromSchema(parameter: { name: unknown; schema: unknown; example?: unknown; description?: string }): void {
  const schema = parameter.schema as { description?: string; examples?: unknown[] }; // a schema that was tidied just now
  const name = String(parameter.name).replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const description = parameter.description ?? schema.description ?? DESCRIPTIONS[name];
  const example = parameter.example ?? schema.examples?.[0] ?? IDS[name];
  delete schema.description;
  delete schema.examples;
  Object.assign(parameter, { ...(description !== undefined && { description }), ...(example !== undefined && { example }) });
}

/** The app-scoped path calls the agent an app. */
const IDS: Record<string, string> = { ...EXAMPLE_IDS, app_id: EXAMPLE_IDS.agent_id };

const DESCRIPTIONS: Record<string, string> = {
  agent_id: "The agent.",
  app_id: "The agent that the key is for, by its `agent_id`.",
  approval_id: "The approval.",
  artifact_id: "The artifact, by the `id` that the run's result lists it with.",
  conversation_id: "The conversation.",
  delivery_id: "The delivery.",
  file_id: "The file.",
  run_id: "The run.",
  schedule_id: "The schedule.",
  memory_id: "The note.",
  skill_id: "The skill.",
  version_id: "The version.",
  workspace_id: "The workspace.",
};

type Json = Record<string, unknown>;

/** What holds values, not schemas. */
const VALUES = new Set(["example", "examples", "default", "enum", "const"]);
const SIMPLE = new Set(["string", "number", "integer", "boolean"]);

/** Leaves out of a schema, in place, what the generator says and nobody needs: the document is half as long, and generated types read better. */
function tidySchema(schema: unknown): void {
  if (Array.isArray(schema)) for (const item of schema) tidySchema(item);
  if (!isObject(schema)) return;
  for (const [key, value] of Object.entries(schema)) if (!VALUES.has(key)) tidySchema(value);
  dropSafeIntegerBounds(schema);
  dropIdlePropertyNames(schema);
  if (schema.format === "date-time" || schema.format === "uuid") delete schema.pattern;
  if (schema.format === "uuid") schema.type ??= "string";
  if ("example" in schema && !isObject(schema.example)) moveExample(schema);
  mergeNull(schema);
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function dropSafeIntegerBounds(schema: Json): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

/** Every name of a JSON object is a string. */
function dropIdlePropertyNames(schema: Json): void {
  if (isObject(schema.propertyNames) && JSON.stringify(schema.propertyNames) === '{"type":"string"}') delete schema.propertyNames;
}

/** JSON Schema 2020-12 knows `examples` only. */
function moveExample(schema: Json): void {
  schema.examples = [schema.example];
  delete schema.example;
}

/** `anyOf: [{type: "string"}, {type: "null"}]` as `type: ["string", "null"]`. */
function mergeNull(schema: Json): void {
  const [inner, nothing, ...more] = Array.isArray(schema.anyOf) ? schema.anyOf : [];
  if (more.length > 0 || !isObject(inner) || JSON.stringify(nothing) !== '{"type":"null"}') return;
  if (typeof inner.type !== "string" || !SIMPLE.has(inner.type) || "enum" in inner || "const" in inner) return;
  delete schema.anyOf;
  Object.assign(schema, { ...inner, ...schema, type: [inner.type, "null"] });
}
