import fc from "fast-check";
import type { ApiDocument, Schema } from "../api-document";
import { agentYamls, anyText, filePaths, skillTexts } from "./awkward-texts";
import type { ObjectPool, PlaceKind } from "./object-pool";

/**
 * What a schema cannot say: better values for a property, by its name; null leaves it to the
 * schema.
 */
type KnownValues = (name: string, schema: Schema) => fc.Arbitrary<unknown> | null;

export interface SchemaReader {
  resolve(schema: Schema): Schema;
  known: KnownValues;
}

const ABSENT = Symbol("absent");
const DEPTH_MAX = 5;
/** Texts at a limit of up to this size are made; above it they would only cost time. */
const LONG_TEXT_CHARACTERS = 300_000;
const LIST_ITEMS = 4;

/** Values that a JSON Schema allows. `name` is the property's, for what is known about it. */
export function schemaValues(
  reader: SchemaReader,
  raw: Schema,
  name = "",
  depth = 0,
): fc.Arbitrary<unknown> {
  const schema = merged(reader, raw);
  const known = reader.known(name, schema);
  const own = depth > DEPTH_MAX ? fc.constant(null) : bySchema(reader, schema, name, depth);
  return known ? fc.oneof({ weight: 9, arbitrary: known }, { weight: 1, arbitrary: own }) : own;
}

function bySchema(
  reader: SchemaReader,
  schema: Schema,
  name: string,
  depth: number,
): fc.Arbitrary<unknown> {
  if ("const" in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices)
    return fc.oneof(
      ...choices.map((choice) =>
        schemaValues(reader, { ...without(schema), ...reader.resolve(choice) }, name, depth),
      ),
    );
  if (Array.isArray(schema.type))
    return fc.oneof(
      ...schema.type.map((type) => bySchema(reader, { ...schema, type }, name, depth)),
    );
  if (schema.type === "object" || schema.properties) return objectValues(reader, schema, depth);
  if (schema.type === "array") {
    const least = schema.minItems ?? 0;
    const most = Math.min(schema.maxItems ?? LIST_ITEMS, least + LIST_ITEMS);
    return fc.array(schemaValues(reader, schema.items ?? {}, name, depth + 1), {
      minLength: least,
      maxLength: most,
    });
  }
  if (schema.type === "string") return textValues(schema);
  if (schema.type === "integer" || schema.type === "number") return numberValues(schema);
  if (schema.type === "boolean") return fc.boolean();
  if (schema.type === "null") return fc.constant(null);
  return fc.jsonValue({ maxDepth: 2 }).map(withoutNul);
}

function objectValues(reader: SchemaReader, schema: Schema, depth: number): fc.Arbitrary<unknown> {
  const required = new Set(schema.required);
  const properties = Object.entries(schema.properties ?? {}).map(([name, inner]) => {
    const value = schemaValues(reader, inner, name, depth + 1).map((given): [string, unknown] => [
      name,
      given,
    ]);
    return required.has(name)
      ? value
      : fc.oneof({ weight: 3, arbitrary: fc.constant(ABSENT) }, { weight: 1, arbitrary: value });
  });
  const more = schema.additionalProperties;
  const others =
    more === undefined || more === false
      ? fc.constant([])
      : fc.array(
          fc.tuple(
            keyValues(schema),
            schemaValues(reader, more === true ? {} : more, "", depth + 1),
          ),
          { maxLength: 3 },
        );
  return fc.tuple(fc.tuple(...properties), others).map(([own, rest]) => {
    const entries = own.filter((entry): entry is [string, unknown] => entry !== ABSENT);
    return Object.fromEntries([...rest, ...entries]);
  });
}

function keyValues(schema: Schema): fc.Arbitrary<string> {
  const { minLength = 1, maxLength = 20, pattern } = schema.propertyNames ?? {};
  if (pattern) return fc.stringMatching(new RegExp(pattern, "u"));
  return fc.oneof(
    fc.constantFrom("question", "customer", "topic"),
    anyText(minLength, Math.min(maxLength, 20)),
    anyText(maxLength, maxLength),
  );
}

function textValues({
  format,
  pattern,
  minLength = 0,
  maxLength = 200,
}: Schema): fc.Arbitrary<unknown> {
  if (format === "uuid") return fc.uuid();
  if (format === "date-time")
    return fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date("9999-12-31") })
      .map((date) => date.toISOString());
  // Nobody answers there: tests talk to loopback only.
  if (format === "uri")
    return fc.constantFrom("http://unknown.invalid/", "https://unknown.invalid/a?b=c#d");
  if (pattern) return fc.stringMatching(new RegExp(pattern, "u"));
  const short = anyText(minLength, Math.min(maxLength, minLength + 24));
  if (maxLength > LONG_TEXT_CHARACTERS) return short;
  const atLimit = fc.constantFrom("a", "é").map((letter) => letter.repeat(maxLength));
  return fc.oneof({ weight: 30, arbitrary: short }, { weight: 1, arbitrary: atLimit });
}

function numberValues(schema: Schema): fc.Arbitrary<number> {
  const step = schema.type === "integer" ? 1 : 0.000001;
  const least =
    schema.minimum ??
    (schema.exclusiveMinimum === undefined ? -1_000_000 : schema.exclusiveMinimum + step);
  const most =
    schema.maximum ??
    (schema.exclusiveMaximum === undefined ? 1_000_000 : schema.exclusiveMaximum - step);
  const edges = fc.constantFrom(least, most);
  return schema.type === "integer"
    ? fc.oneof(edges, fc.integer({ min: Math.ceil(least), max: Math.floor(most) }))
    : fc.oneof(edges, fc.double({ min: least, max: most, noNaN: true }));
}

/** The schema with its reference followed and its `allOf` folded in. */
function merged(reader: SchemaReader, raw: Schema): Schema {
  const { allOf, ...own } = reader.resolve(raw);
  if (!allOf) return own;
  const parts = [own, ...allOf.map((part) => merged(reader, part))];
  return {
    ...Object.assign({}, ...parts),
    properties: Object.assign({}, ...parts.map((part) => part.properties)),
    required: parts.flatMap((part) => part.required ?? []),
  };
}

function without(schema: Schema): Schema {
  const { anyOf: _any, oneOf: _one, type: _type, ...rest } = schema;
  return rest;
}

/** The service refuses NUL everywhere; the schemas cannot say so. */
function withoutNul(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replace(/\\u0000|\\ud[89a-f][0-9a-f]{2}/g, "?"));
}

export interface Surroundings {
  document: ApiDocument;
  pool: ObjectPool;
  /** An address that takes webhooks. */
  hookUrl: string;
  /** The published schemas of what agents are written in. */
  configSchema: Schema;
  dashboardSchema: Schema;
}

interface Known {
  /** Only where the schema is of this type. */
  type?: string;
  values: fc.Arbitrary<unknown>;
}

const CRONS = ["0 9 1 1 *", "*/7 3 29 2 *", "0 0 31 12 sun", "59 23 1-5 JAN,jul *"];
const ZONES = ["UTC", "Europe/Berlin", "Asia/Kathmandu", "America/St_Johns"];
const MODELS = ["builtin/offline", "compatible/test-model", "compatible/other-model"];
const ID_KINDS: PlaceKind[] = ["kept", "kept", "kept", "spare"];

/**
 * What the tests know about a property beyond its schema: whose ids it takes, which words, which
 * addresses.
 */
export function knownValues(around: Surroundings): KnownValues {
  const words = wordsOf(around);
  return (name, schema) => {
    if (schema.format === "uuid") return idValues(around.pool, name);
    if (schema.format === "uri") return urls(around.hookUrl);
    if (schema.enum) return name === "model" ? models(schema.enum) : null;
    const known = Object.hasOwn(words, name) ? words[name] : undefined;
    return known && (known.type === undefined || known.type === schema.type) ? known.values : null;
  };
}

function idValues(pool: ObjectPool, name: string): fc.Arbitrary<unknown> | null {
  const template = pool.templateNamed(name);
  if (template === null) return null;
  return fc
    .tuple(fc.constantFrom(...ID_KINDS), fc.nat(30))
    .map(([kind, index]) => pool.token(kind, template, index, "id"));
}

function urls(hookUrl: string): fc.Arbitrary<string> {
  return fc.constantFrom(hookUrl, `${hookUrl}?a=%20b#c`, "http://unknown.invalid/hook");
}

/** Models that answer here; the published list names others that no key is there for. */
function models(published: readonly unknown[] = MODELS): fc.Arbitrary<unknown> {
  const ours = MODELS.filter((model) => published.includes(model));
  return fc.constantFrom(...(ours.length > 0 ? ours : published));
}

function wordsOf(around: Surroundings): Record<string, Known> {
  const input = fc.record({ question: anyText(0, 60) });
  const credits = fc.integer({ min: 5, max: 50 });
  const configs = fc.oneof(
    fc.constant({ version: 1 }),
    writtenBy(around.configSchema, around.hookUrl),
  );
  return {
    input: { type: "object", values: input },
    inputs: { type: "object", values: input },
    model: { values: models() },
    max_credits: { values: credits },
    maxCredits: { values: credits },
    cron: { values: fc.constantFrom(...CRONS) },
    timezone: { values: fc.constantFrom(...ZONES) },
    allowed_hosts: {
      values: fc.constantFrom(
        ["api.unknown.invalid"],
        ["unknown.invalid:8443", "api.unknown.invalid"],
      ),
    },
    content: { values: skillTexts() },
    config: { type: "object", values: configs },
    config_content: {
      values: fc.oneof(
        configs.map((config) => `# ours\n${JSON.stringify(config)}\n`),
        agentYamls(),
      ),
    },
    dashboard_template: { values: writtenBy(around.dashboardSchema, around.hookUrl) },
    path: { values: filePaths() },
    prefix: { values: fc.oneof(fc.constantFrom("notes", "notes/", "%", "_"), filePaths()) },
    q: { values: fc.oneof(fc.constantFrom("agent", "%", "_"), anyText(0, 20)) },
    server_url: { values: fc.nat(30).map((n) => `${process.env.E2E_OAUTH_MCP_URL}?${n}`) },
    status: { type: "string", values: fc.constantFrom("pending") },
    "Idempotency-Key": { values: fc.constantFrom("a", "k".repeat(255), "once more", "\u00e4") },
  };
}

/**
 * What a published schema allows, with addresses that are ours: a run may call whatever its agent's
 * config names.
 */
function writtenBy(root: Schema, hookUrl: string): fc.Arbitrary<unknown> {
  const known: KnownValues = (name, schema) => {
    if (name === "url") return urls(hookUrl);
    const isModel = name === "model" || name === "fallback_models";
    return isModel && schema.type === "string" ? models(schema.enum) : null;
  };
  return schemaValues({ resolve: (schema) => schema, known }, root);
}
