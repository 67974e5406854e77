import "server-only";
import type { ZodOpenApiOperationObject } from "zod-openapi";
import type { Operation } from "@/lib/api/http/operation";
import { errorResponses } from "@/lib/api/openapi/error-responses";
import { requestBody, successResponses } from "@/lib/api/openapi/operation-bodies";
import { headerParameters, requestParams } from "@/lib/api/openapi/operation-parameters";

/** An operation in the words of OpenAPI. */
export function operationObject(operation: Operation): ZodOpenApiOperationObject {
  const parameters = headerParameters(operation);
  const body = requestBody(operation);
  return {
    operationId: operation.operationId,
    tags: [operation.tag],
    summary: operation.summary,
    description: operation.hourlyWrite ? `${operation.description}\n\nCounts against the hourly write cap.` : operation.description,
    ...(operation.auth === "none" && { security: [] }),
    ...(operation.auth === "app" && { security: [{ appKey: [] }] }),
    requestParams: requestParams(operation),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: { ...successResponses(operation), ...errorResponses(operation) },
  };
}
