import "server-only";
import { z } from "zod";
import type { ZodOpenApiContentObject, ZodOpenApiOperationObject, ZodOpenApiResponseObject } from "zod-openapi";
import type { Operation, RawBody, ResponseSpec } from "@/lib/api/http/operation";
import { budgetHeaders, headerRefs } from "@/lib/api/openapi/header-components";

/** What a request may carry. */
export function requestBody(operation: Operation): ZodOpenApiOperationObject["requestBody"] {
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
export function successResponses(operation: Operation): Record<string, ZodOpenApiResponseObject> {
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
