import "server-only";
import { z } from "zod";
import type { oas31, ZodOpenApiOperationObject } from "zod-openapi";
import type { Operation } from "@/lib/api/http/operation";
import { REQUEST_HEADERS, type RequestHeaderName } from "@/lib/api/http/request-headers";

/** Path and query, from the schemas that the wrapper parses by. */
export function requestParams(operation: Operation): ZodOpenApiOperationObject["requestParams"] {
  return { ...(operation.params && { path: asObject(operation.params) }), ...(operation.query && { query: asObject(operation.query) }) };
}

/** The request headers that the operation heeds. */
export function headerParameters(operation: Operation): oas31.ParameterObject[] {
  const names: RequestHeaderName[] = [...(operation.idempotent ? (["Idempotency-Key"] as const) : []), ...(operation.requestHeaders ?? [])];
  return names.map((name) => ({ in: "header", name, ...REQUEST_HEADERS[name] }));
}

function asObject(schema: z.ZodType): z.ZodObject {
  if (schema instanceof z.ZodObject) return schema;
  throw new Error("params and query are declared as objects throughout");
}
