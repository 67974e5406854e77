import { describe, expect, it } from "vitest";
import { z } from "zod";
import { APP_OPERATIONS } from "@/lib/api/apps/operations";
import { CONSOLE_OPERATIONS } from "@/lib/api/console/console-surface";
import { openapiDocument } from "@/lib/api/openapi/document-text";
import { V1_OPERATIONS } from "@/lib/api/v1/operations";
import type { JsonObject } from "@/lib/model/json-schema/json-value";
import { isJsonObject } from "@/lib/model/json-schema/json-value";

const OPERATIONS = [...V1_OPERATIONS, ...APP_OPERATIONS, ...CONSOLE_OPERATIONS];
const LIMITS = [
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
  "minItems",
  "maxItems",
  "minProperties",
  "maxProperties",
] as const;
type Limit = (typeof LIMITS)[number];

interface Field {
  name: string;
  schema: z.ZodType;
  documented: JsonObject;
  isQuery: boolean;
}

// Our own document.
const document = JSON.parse(JSON.stringify(openapiDocument(OPERATIONS))) as Document;

interface Document {
  paths: Record<
    string,
    Record<string, { parameters?: (Parameter | { $ref: string })[]; requestBody?: JsonObject }>
  >;
  components: { schemas: Record<string, JsonObject>; parameters: Record<string, Parameter> };
}

interface Parameter {
  name: string;
  in: string;
  schema: JsonObject;
}

/** What the document says of a field, without the alternative that is null. */
function resolved(schema: unknown): JsonObject {
  if (!isJsonObject(schema)) return {};
  const { $ref, anyOf, ...own } = schema;
  if (typeof $ref === "string")
    return resolved(document.components.schemas[$ref.slice($ref.lastIndexOf("/") + 1)]);
  const alternatives = Array.isArray(anyOf)
    ? anyOf.filter((one) => !isJsonObject(one) || one.type !== "null")
    : [];
  return alternatives.length === 1 ? { ...resolved(alternatives[0]), ...own } : own;
}

function shapeOf(schema: z.ZodType | undefined): Record<string, z.ZodType> {
  if (schema instanceof z.ZodObject) return schema.shape;
  // Of our own schemas, all classic ones.
  return schema instanceof z.ZodPipe ? shapeOf(schema.in as z.ZodType) : {};
}

function fieldsOf(operation: (typeof OPERATIONS)[number]): Field[] {
  const said = document.paths[operation.path]?.[operation.method.toLowerCase()];
  const body = resolved(resolved(said?.requestBody).content);
  const media = resolved(body["application/json"]).schema;
  const properties = resolved(resolved(media).properties);
  const query = Object.entries(shapeOf(operation.query)).map(([name, schema]) => {
    const parameter = said?.parameters
      ?.map((one) =>
        "$ref" in one
          ? document.components.parameters[one.$ref.slice(one.$ref.lastIndexOf("/") + 1)]
          : one,
      )
      .find((one) => one?.in === "query" && one.name === name);
    return { name, schema, documented: resolved(parameter?.schema), isQuery: true };
  });
  const sent = Object.entries(shapeOf(operation.body)).map(([name, schema]) => ({
    name,
    schema,
    documented: resolved(properties[name]),
    isQuery: false,
  }));
  return [...query, ...sent];
}

function sized(limit: Limit, size: number, isQuery: boolean): unknown {
  if (limit.endsWith("Length")) return "a".repeat(Math.max(0, size));
  if (limit.endsWith("imum")) return isQuery ? String(size) : size;
  if (limit.endsWith("Items"))
    return Array.from({ length: Math.max(0, size) }, (_, index) => `a${index}`);
  return Object.fromEntries(
    Array.from({ length: Math.max(0, size) }, (_, index) => [`a${index}`, "a"]),
  );
}

const refusals = (schema: z.ZodType, value: unknown) =>
  new Set(
    (schema.safeParse(value).error?.issues ?? [])
      .filter(({ path }) => path.length === 0)
      .map(({ code, message }) => `${code} ${message}`),
  );

const cases = OPERATIONS.flatMap((operation) =>
  fieldsOf(operation).flatMap((field) =>
    LIMITS.flatMap((limit) => {
      const size = field.documented[limit];
      return typeof size === "number" && size <= 300_000 && !(limit === "minLength" && size === 0)
        ? [{ label: `${operation.operationId} ${field.name} ${limit} ${size}`, field, limit, size }]
        : [];
    }),
  ),
);

describe("what the document says of a field's size is what is refused, to the one", () => {
  it("finds the fields of every kind", () => {
    expect(cases.length).toBeGreaterThan(100);
    expect(new Set(cases.map(({ limit }) => limit)).size).toBeGreaterThan(4);
  });

  it.each(cases)("$label", ({ field, limit, size }) => {
    const beyond = limit.startsWith("min") ? size - 1 : size + 1;
    const within = refusals(field.schema, sized(limit, size, field.isQuery));
    const without = refusals(field.schema, sized(limit, beyond, field.isQuery));
    expect([...without].filter((refusal) => !within.has(refusal))).not.toEqual([]);
  });
});

it("publishes these limits", async () => {
  await expect(`${cases.map(({ label }) => label).join("\n")}\n`).toMatchFileSnapshot(
    "published-limits.txt",
  );
});
