import "server-only";

type Json = Record<string, unknown>;

/** What holds values, not schemas. */
const VALUES = new Set(["example", "examples", "default", "enum", "const"]);
const SIMPLE = new Set(["string", "number", "integer", "boolean"]);

/** Leaves out of a schema, in place, what the generator says and nobody needs: the document is half as long, and generated types read better. */
export function tidySchema(schema: unknown): void {
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
