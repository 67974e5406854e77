import "server-only";
import type { ZodOpenApiOperationObject } from "zod-openapi";
import type { Operation } from "@/lib/api/http/operation";
import { errorResponses } from "@/lib/api/openapi/error-responses";
import { requestBody, successResponses } from "@/lib/api/openapi/operation-bodies";
import { headerParameters, requestParams } from "@/lib/api/openapi/operation-parameters";
import { standardCap } from "@/lib/domain/caps/account-caps";
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
