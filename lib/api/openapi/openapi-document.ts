import "server-only";
import { z } from "zod";
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject, type ZodOpenApiResponsesObject } from "zod-openapi";
import type { Operation } from "@/lib/api/http/operation";
import { ERROR_STATUS, type ErrorCode, errorCodeSchema } from "@/lib/model/errors";

const errorSchema = z
  .looseObject({
    error: errorCodeSchema,
    message: z.string(),
    details: z
      .array(z.object({ path: z.string(), message: z.string(), line: z.number().int().optional(), column: z.number().int().optional() }))
      .optional(),
    available: z.number().optional(),
    required: z.number().optional(),
    retryAfterSeconds: z.number().int().optional(),
  })
  .meta({ id: "Error", description: "What happened, what it means and what to do. `error` is stable; `message` is for people." });

const HEADERS = {
  "X-Request-Id": { description: "Quote it when you report a problem.", schema: { type: "string" as const } },
  "RateLimit-Policy": { description: "The budget: q requests in w seconds.", schema: { type: "string" as const } },
  RateLimit: { description: "r requests remain for t seconds.", schema: { type: "string" as const } },
  "X-RateLimit-Limit": { schema: { type: "integer" as const }, description: "Requests a minute." },
  "X-RateLimit-Remaining": { schema: { type: "integer" as const }, description: "Requests left in this window." },
  "X-RateLimit-Reset": { schema: { type: "integer" as const }, description: "Seconds until the window ends." },
};

const RETRY_AFTER = { "Retry-After": { description: "Whole seconds to wait.", schema: { type: "integer" as const } } };

/** The OpenAPI 3.1 document of `/v1`, made of the very objects that serve it. */
export function openapiDocument(operations: readonly Operation[]): object {
  return createDocument({
    openapi: "3.1.0",
    info: {
      title: "Lathe API",
      version: "1.0.0",
      description: "Create, edit and run hosted agents from your backend. Keys are server-side secrets.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    security: [{ accountKey: [] }],
    tags: [...new Set(operations.map((operation) => operation.tag))].map((name) => ({ name })),
    components: {
      securitySchemes: {
        accountKey: { type: "http", scheme: "bearer", description: "An account key, `svc_sk_…`." },
        appKey: { type: "http", scheme: "bearer", description: "An app key, `appapi_…`, good for one agent." },
      },
    },
    paths: toPaths(operations),
  });
}

function toPaths(operations: readonly Operation[]): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {};
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: toOperationObject(operation) };
  }
  return paths;
}

function toOperationObject(operation: Operation): ZodOpenApiOperationObject {
  return {
    operationId: operation.operationId,
    tags: [operation.tag],
    summary: operation.summary,
    description: operation.description,
    ...(operation.auth === "none" && { security: [] }),
    ...(operation.auth === "app" && { security: [{ appKey: [] }] }),
    requestParams: {
      ...(operation.params && { path: asObject(operation.params) }),
      ...(operation.query && { query: asObject(operation.query) }),
      ...((operation.idempotent || operation.requestHeaders) && { header: requestHeaders(operation) }),
    },
    ...(requestBody(operation) && { requestBody: requestBody(operation) }),
    responses: toResponses(operation),
  };
}

function requestHeaders(operation: Operation): z.ZodObject {
  const own = Object.entries(operation.requestHeaders ?? {}).map(([name, description]) => [
    name,
    z.string().optional().meta({ description }),
  ]);
  const key = z.string().min(1).max(255).optional().meta({ description: "Kept for 24 hours: the same key and body start one run." });
  return z.object({ ...Object.fromEntries(own), ...(operation.idempotent && { "Idempotency-Key": key }) });
}

function asObject(schema: z.ZodType): z.ZodObject {
  return schema as z.ZodObject; // params and query are declared as objects throughout
}

function requestBody(operation: Operation): ZodOpenApiOperationObject["requestBody"] {
  if (operation.body) return { required: !operation.bodyOptional, content: { "application/json": { schema: operation.body } } };
  if (!operation.rawBody) return undefined;
  const content = Object.entries(operation.rawBody).map(([type, body]) => [
    type,
    { schema: typeof body === "string" ? rawSchema(type, body) : body },
  ]);
  return { required: true, content: Object.fromEntries(content) };
}

function rawSchema(type: string, description: string) {
  if (type !== "multipart/form-data") return { type: "string" as const, format: "binary", description };
  return {
    type: "object" as const,
    description,
    properties: { file: { type: "string" as const, format: "binary" }, path: { type: "string" as const } },
    required: ["file"],
  };
}

function toResponses(operation: Operation): ZodOpenApiResponsesObject {
  const responses: ZodOpenApiResponsesObject = {};
  for (const spec of operation.responses) {
    const status = String(spec.status) as "200"; // the library's type lists the literals
    const known = responses[status] as { content?: object } | undefined;
    const content =
      spec.schema || spec.contentType
        ? { [spec.contentType ?? "application/json"]: spec.schema ? { schema: spec.schema } : {} }
        : undefined;
    const own = Object.fromEntries(
      Object.entries(spec.headers ?? {}).map(([name, description]) => [name, { description, schema: { type: "string" as const } }]),
    );
    responses[status] = {
      description: spec.description,
      headers: { ...headersOf(operation), ...own },
      ...(content && { content: { ...known?.content, ...content } }),
    };
  }
  for (const [status, codes] of byStatus(allErrors(operation))) {
    responses[String(status) as "400"] = {
      description: codes.map((code) => `\`${code}\``).join(", "),
      headers: status === 429 ? { ...headersOf(operation), ...RETRY_AFTER } : headersOf(operation),
      content: { "application/json": { schema: errorSchema } },
    };
  }
  return responses;
}

function headersOf(operation: Operation) {
  return operation.auth === "none" ? { "X-Request-Id": HEADERS["X-Request-Id"] } : HEADERS;
}

function allErrors(operation: Operation): ErrorCode[] {
  const common: ErrorCode[] =
    operation.auth === "none"
      ? ["RATE_LIMITED", "INTERNAL_ERROR"]
      : ["AUTHENTICATION_REQUIRED", "RATE_LIMITED", "INTERNAL_ERROR", "SERVICE_UNAVAILABLE"];
  const shaped: ErrorCode[] = operation.body ? ["INVALID_INPUT", "PAYLOAD_TOO_LARGE"] : [];
  const listed: ErrorCode[] = operation.superAgent ? ["SUPER_AGENT_ACCESS_DENIED"] : [];
  return [...new Set([...operation.errors, ...common, ...shaped, ...listed])];
}

function byStatus(codes: readonly ErrorCode[]): Map<number, ErrorCode[]> {
  const groups = new Map<number, ErrorCode[]>();
  for (const code of codes) groups.set(ERROR_STATUS[code], [...(groups.get(ERROR_STATUS[code]) ?? []), code]);
  return new Map([...groups].sort(([a], [b]) => a - b));
}
