import "server-only";
import { z } from "zod";
import type { oas31, ZodOpenApiContentObject, ZodOpenApiOperationObject, ZodOpenApiResponseObject } from "zod-openapi";
import type { Operation, RawBody, ResponseSpec } from "@/lib/api/http/operation";
import { REQUEST_HEADERS, type RequestHeaderName } from "@/lib/api/http/request";
import { errorResponses } from "@/lib/api/openapi/error-components";
import { budgetHeaders, headerRefs } from "@/lib/api/openapi/header-components";
import { standardCap } from "@/lib/domain/limits/row-caps";
import { isRowCap, ROW_CAPS } from "@/lib/model/account-caps";

/** An operation in the words of OpenAPI. */
export function operationObject(operation: Operation): ZodOpenApiOperationObject {
  const parameters = headerParameters(operation);
  const body = requestBody(operation);
  const caps = operation.creates.filter(isRowCap);
  return {
    operationId: operation.operationId,
    tags: [operation.tag],
    summary: operation.summary,
    description: [operation.description, ...limitsOf(operation)].join("\n\n"),
    ...(caps.length > 0 && { "x-account-caps": Object.fromEntries(caps.map((cap) => [cap, standardCap(cap)])) }),
    ...(operation.auth === "none" && { security: [] }),
    ...(operation.auth === "app" && { security: [{ appKey: [] }] }),
    requestParams: requestParams(operation),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: { ...successResponses(operation), ...errorResponses(operation) },
  };
}

/** Which limits a call counts against, a sentence each. The operator may have given an account other numbers. */
function limitsOf(operation: Operation): string[] {
  const sentences = operation.hourlyWrite ? ["Counts against the hourly write cap."] : [];
  for (const created of operation.creates) {
    if (created === "versions")
      sentences.push(`An agent keeps its newest ${spelled(standardCap("versions"))} versions; the oldest go, the current one never.`);
    else if (isRowCap(created)) {
      const { owner, what, advice } = ROW_CAPS[created];
      sentences.push(`${owner} may have at most ${spelled(standardCap(created))} ${what}; beyond that, 409 \`CONFLICT\`. ${advice}`);
    }
  }
  return sentences;
}

function spelled(number: number): string {
  return number.toLocaleString("en-US");
}

/** Path and query, from the schemas that the wrapper parses by. */
function requestParams(operation: Operation): ZodOpenApiOperationObject["requestParams"] {
  return { ...(operation.params && { path: asObject(operation.params) }), ...(operation.query && { query: asObject(operation.query) }) };
}

/** The request headers that the operation heeds. */
function headerParameters(operation: Operation): oas31.ParameterObject[] {
  const names: RequestHeaderName[] = [...(operation.idempotent ? (["Idempotency-Key"] as const) : []), ...(operation.requestHeaders ?? [])];
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
  return { description, required: true, content: Object.fromEntries(bodies.map(([type, body]) => [type, rawMedia(body)])) };
}

function rawMedia(body: RawBody) {
  return { schema: body.schema ?? { type: "string" as const, format: "binary" }, ...examplesOf(body.examples) };
}

/** The answers that are no refusals, by status; those of one status are told apart by their media type. */
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
  return { ...own, ...(operation.auth !== "none" && budgetHeaders()) };
}

function responseContent(spec: ResponseSpec): ZodOpenApiContentObject {
  if (!spec.schema && !spec.contentType) return {};
  const schema = spec.schema ? answerSchema(spec.schema, spec.contentType) : { type: "string" as const, format: "binary" };
  return { [spec.contentType ?? "application/json"]: { schema, ...examplesOf(spec.examples) } };
}

/** A document that is sent out and taken in is one component: what is optional on the way in is not another shape on the way out. */
function answerSchema(schema: z.ZodType, contentType: string | undefined) {
  const id = contentType === "application/yaml" ? z.globalRegistry.get(schema)?.id : undefined;
  return id ? { $ref: `#/components/schemas/${id}` } : schema;
}

function examplesOf(examples: Record<string, unknown> | undefined) {
  const entries = Object.entries(examples ?? {});
  return entries.length === 0 ? {} : { examples: Object.fromEntries(entries.map(([name, value]) => [name, { value }])) };
}
