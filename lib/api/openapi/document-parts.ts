import "server-only";
import { z } from "zod";
import type {
  oas31,
  ZodOpenApiContentObject,
  ZodOpenApiOperationObject,
  ZodOpenApiResponseObject,
} from "zod-openapi";
import { deprecationText } from "@/lib/api/http/deprecation";
import type { Operation, RawBody, ResponseSpec } from "@/lib/api/http/operation";
import { REQUEST_HEADERS, type RequestHeaderName } from "@/lib/api/http/request";
import {
  budgetHeaders,
  errorResponses,
  headerRefs,
  headersOfDeprecation,
} from "@/lib/api/openapi/response-components";
import { EXAMPLE_IDS } from "@/lib/api/schemas/fields";
import { standardCap } from "@/lib/domain/limits/row-caps";
import { isRowCap, ROW_CAPS } from "@/lib/model/limits";

/** An operation in the words of OpenAPI. */
export function operationObject(operation: Operation): ZodOpenApiOperationObject {
  const parameters = headerParameters(operation);
  const body = requestBody(operation);
  const caps = operation.creates.filter(isRowCap);
  return {
    operationId: operation.operationId,
    tags: [operation.tag],
    summary: operation.summary,
    description: [operation.description, ...limitsOf(operation), ...deprecationOf(operation)].join(
      "\n\n",
    ),
    ...(operation.deprecation && { deprecated: true, "x-sunset": operation.deprecation.sunset }),
    ...(caps.length > 0 && {
      "x-account-caps": Object.fromEntries(caps.map((cap) => [cap, standardCap(cap)])),
    }),
    ...(operation.auth === "none" && { security: [] }),
    ...(operation.auth === "app" && { security: [{ appKey: [] }, { clientToken: [] }] }),
    requestParams: requestParams(operation),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: { ...successResponses(operation), ...errorResponses(operation) },
  };
}

/**
 * Which limits a call counts against, a sentence each. The operator may have given an account other
 * numbers.
 */
function limitsOf(operation: Operation): string[] {
  const sentences = operation.hourlyWrite ? ["Counts against the hourly write cap."] : [];
  for (const created of operation.creates) {
    if (created === "versions")
      sentences.push(
        `An agent keeps its newest ${spelled(standardCap("versions"))} versions; the oldest go, ` +
          "the current one never.",
      );
    else if (isRowCap(created)) {
      const { owner, what, advice } = ROW_CAPS[created];
      sentences.push(
        `${owner} may have at most ${spelled(standardCap(created))} ${what}; beyond that, 409 ` +
          `\`CONFLICT\`. ${advice}`,
      );
    }
  }
  return sentences;
}

function deprecationOf({ deprecation }: Operation): string[] {
  return deprecation ? [deprecationText(deprecation)] : [];
}

function spelled(number: number): string {
  return number.toLocaleString("en-US");
}

/** Path and query, from the schemas that the wrapper parses by. */
function requestParams(operation: Operation): ZodOpenApiOperationObject["requestParams"] {
  return {
    ...(operation.params && { path: asObject(operation.params) }),
    ...(operation.query && { query: asObject(operation.query) }),
  };
}

/** The request headers that the operation heeds. */
function headerParameters(operation: Operation): oas31.ParameterObject[] {
  const names: RequestHeaderName[] = [
    ...(operation.idempotent ? (["Idempotency-Key"] as const) : []),
    ...(operation.requestHeaders ?? []),
  ];
  return names.map((name) => ({ in: "header", name, ...REQUEST_HEADERS[name] }));
}

function asObject(schema: z.ZodType): z.ZodObject {
  if (schema instanceof z.ZodObject) return schema;
  throw new Error("params and query are declared as objects throughout");
}

/** What a request may carry. */
function requestBody(operation: Operation): ZodOpenApiOperationObject["requestBody"] {
  if (operation.body) {
    const media = { schema: operation.body, ...examplesOf(operation.examples) };
    return { required: !operation.bodyOptional, content: { "application/json": media } };
  }
  if (!operation.rawBody) return undefined;
  const bodies = Object.entries(operation.rawBody);
  const description = bodies.map(([type, body]) => `\`${type}\`: ${body.description}`).join("\n\n");
  return {
    description,
    required: true,
    content: Object.fromEntries(bodies.map(([type, body]) => [type, rawMedia(body)])),
  };
}

function rawMedia(body: RawBody) {
  return {
    schema: body.schema ?? { type: "string" as const, format: "binary" },
    ...examplesOf(body.examples),
  };
}

/**
 * The answers that are no refusals, by status; those of one status are told apart by their media
 * type.
 */
function successResponses(operation: Operation): Record<string, ZodOpenApiResponseObject> {
  const responses: Record<string, ZodOpenApiResponseObject> = {};
  for (const spec of operation.responses) {
    const known = responses[spec.status];
    const content = { ...known?.content, ...responseContent(spec) };
    responses[spec.status] = {
      description: known ? `${known.description}\n\n${answerText(spec)}` : answerText(spec),
      headers: { ...known?.headers, ...responseHeaders(operation, spec) },
      ...(Object.keys(content).length > 0 && { content }),
    };
  }
  return responses;
}

function answerText(spec: ResponseSpec): string {
  return spec.contentType ? `\`${spec.contentType}\`: ${spec.description}` : spec.description;
}

function responseHeaders(operation: Operation, spec: ResponseSpec) {
  const replayed = operation.idempotent ? ["Idempotency-Replayed"] : [];
  const own = headerRefs(["X-Request-Id", ...(spec.headers ?? []), ...replayed]);
  return {
    ...own,
    ...(operation.auth !== "none" && budgetHeaders()),
    ...(operation.deprecation && headersOfDeprecation()),
  };
}

function responseContent(spec: ResponseSpec): ZodOpenApiContentObject {
  if (!spec.schema && !spec.contentType) return {};
  const schema = spec.schema
    ? answerSchema(spec.schema, spec.contentType)
    : { type: "string" as const, format: "binary" };
  return { [spec.contentType ?? "application/json"]: { schema, ...examplesOf(spec.examples) } };
}

/**
 * A document that is sent out and taken in is one component: what is optional on the way in is not
 * another shape on the way out.
 */
function answerSchema(schema: z.ZodType, contentType: string | undefined) {
  const id = contentType === "application/yaml" ? z.globalRegistry.get(schema)?.id : undefined;
  return id ? { $ref: `#/components/schemas/${id}` } : schema;
}

function examplesOf(examples: Record<string, unknown> | undefined) {
  const entries = Object.entries(examples ?? {});
  return entries.length === 0
    ? {}
    : { examples: Object.fromEntries(entries.map(([name, value]) => [name, { value }])) };
}

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

/**
 * Description and example belong to the parameter; the generator leaves them in its schema. An id
 * without them gets those of its name.
 */
function liftFromSchema(parameter: {
  name: unknown;
  schema: unknown;
  example?: unknown;
  description?: string;
}): void {
  // A schema that was tidied just now.
  const schema = parameter.schema as { description?: string; examples?: unknown[] };
  const name = String(parameter.name).replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const description = parameter.description ?? schema.description ?? DESCRIPTIONS[name];
  const example = parameter.example ?? schema.examples?.[0] ?? IDS[name];
  delete schema.description;
  delete schema.examples;
  Object.assign(parameter, {
    ...(description !== undefined && { description }),
    ...(example !== undefined && { example }),
  });
}

/** The app-scoped path calls the agent an app. */
const IDS: Record<string, string> = { ...EXAMPLE_IDS, app_id: EXAMPLE_IDS.agent_id };

const DESCRIPTIONS: Record<string, string> = {
  agent_id: "The agent.",
  app_id: "The agent that the key is for, by its `agent_id`.",
  approval_id: "The approval.",
  artifact_id: "The artifact, by the `id` that the run's result lists it with.",
  connection_id: "The connection.",
  conversation_id: "The conversation.",
  delivery_id: "The delivery.",
  endpoint_id: "The webhook endpoint.",
  file_id: "The file.",
  run_id: "The run.",
  schedule_id: "The schedule.",
  memory_id: "The note.",
  case_id: "The case.",
  remembered_id: "What is remembered.",
  skill_id: "The skill.",
  version_id: "The version.",
  workspace_id: "The workspace.",
};

type Json = Record<string, unknown>;

/** What holds values, not schemas. */
const VALUES = new Set(["example", "examples", "default", "enum", "const"]);
const SIMPLE = new Set(["string", "number", "integer", "boolean"]);

/**
 * Leaves out of a schema, in place, what the generator says and nobody needs: the document is half
 * as long, and generated types read better.
 */
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
  if (
    isObject(schema.propertyNames) &&
    JSON.stringify(schema.propertyNames) === '{"type":"string"}'
  )
    delete schema.propertyNames;
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
  if (
    typeof inner.type !== "string" ||
    !SIMPLE.has(inner.type) ||
    "enum" in inner ||
    "const" in inner
  )
    return;
  delete schema.anyOf;
  Object.assign(schema, { ...inner, ...schema, type: [inner.type, "null"] });
}
