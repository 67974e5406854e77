import fc from "fast-check";
import { breakBody } from "./break-body";
import { breakHeaders } from "./break-headers";
import { breakPath } from "./break-path";
import { breakQuery } from "./break-query";
import type { Surroundings } from "./known-values";
import type { PlannedRequest } from "./planned-request";

/** Requests with exactly one thing wrong, odd or foreign about them. */
export function brokenRequests(around: Surroundings, valid: fc.Arbitrary<PlannedRequest>): fc.Arbitrary<PlannedRequest> {
  return valid.chain((request) => {
    const kinds = [
      { weight: 3, arbitrary: breakPath(around, request) },
      { weight: request.operation.parameters.some((parameter) => parameter.in === "query") ? 4 : 1, arbitrary: breakQuery(request) },
      { weight: 3, arbitrary: breakHeaders() },
      { weight: request.body === null ? 1 : 7, arbitrary: breakBody(around, request) },
    ];
    return fc.oneof(...kinds).map((breakage) => breakage(request));
  });
}
