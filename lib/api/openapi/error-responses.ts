import "server-only";
import type { oas31 } from "zod-openapi";
import { declaredErrors } from "@/lib/api/http/declared-errors";
import type { Operation } from "@/lib/api/http/operation";
import { ERROR_DESCRIPTIONS } from "@/lib/api/openapi/error-descriptions";
import { errorName, errorRef } from "@/lib/api/openapi/error-schemas";
import { budgetHeaders, headerRefs, possibleBudgetHeaders, possibleRetryAfter } from "@/lib/api/openapi/header-components";
import { EXAMPLE_IDS } from "@/lib/api/v1/schemas/example-ids";
import { ERROR_CODES, ERROR_STATUS, type ErrorCode, type ErrorExtras } from "@/lib/model/errors";

/** What an operation may be refused with: a shared response a status, named after its codes. */
export function errorResponses(operation: Operation): Record<string, oas31.ReferenceObject> {
  const groups = errorGroups(operation);
  return Object.fromEntries(
    groups.map(([status, codes]) => [status, { $ref: `#/components/responses/${responseName(operation, codes)}` }]),
  );
}

/** The shared responses of all operations. */
export function errorResponseComponents(operations: readonly Operation[]): Record<string, oas31.ResponseObject> {
  const components: Record<string, oas31.ResponseObject> = {};
  for (const operation of operations) {
    for (const [status, codes] of errorGroups(operation)) {
      components[responseName(operation, codes)] ??= errorResponse(Number(status), codes, operation.auth !== "none");
    }
  }
  return components;
}

/** `default` would hide what is not declared, so what belongs to no operation stands beside the paths. */
export function unroutedResponses(): Record<string, oas31.ResponseObject> {
  const notFound = errorResponse(404, ["NOT_FOUND"], false);
  const notAllowed = errorResponse(405, ["METHOD_NOT_ALLOWED"], false);
  const allow = { description: "The methods of the path.", required: true, schema: { type: "string" as const }, example: "GET, POST" };
  return { "404": notFound, "405": { ...notAllowed, headers: { ...notAllowed.headers, Allow: allow } } };
}

function responseName(operation: Operation, codes: readonly ErrorCode[]): string {
  const name = codes.map(errorName).join("Or");
  return operation.auth === "none" ? `Keyless${name}` : name;
}

function errorGroups(operation: Operation): [string, ErrorCode[]][] {
  const groups = new Map<string, ErrorCode[]>();
  for (const code of declaredErrors(operation)) {
    const status = String(ERROR_STATUS[code]);
    groups.set(status, [...(groups.get(status) ?? []), code]);
  }
  return [...groups];
}

function errorResponse(status: number, codes: readonly ErrorCode[], hasBudget: boolean): oas31.ResponseObject {
  const [first] = codes;
  const schema = codes.length === 1 && first ? errorRef(first) : oneOf(codes);
  const examples = Object.fromEntries(codes.map((code) => [errorName(code), { value: ERROR_EXAMPLES[code] }]));
  return {
    description: codes.map((code) => `\`${code}\`: ${ERROR_DESCRIPTIONS[code]}`).join("\n\n"),
    headers: { ...headerRefs(["X-Request-Id"]), ...statusHeaders(status, hasBudget) },
    content: { "application/json": { schema, examples } },
  };
}

function oneOf(codes: readonly ErrorCode[]): oas31.SchemaObject {
  const mapping = Object.fromEntries(codes.map((code) => [code, errorRef(code).$ref]));
  return { oneOf: codes.map(errorRef), discriminator: { propertyName: "error", mapping } };
}

function statusHeaders(status: number, hasBudget: boolean) {
  if (status === 401) return headerRefs(["WWW-Authenticate"]);
  if (status === 429) return { ...headerRefs(["Retry-After"]), ...(hasBudget && possibleBudgetHeaders()) };
  if (status === 503) return { ...possibleRetryAfter(), ...(hasBudget && possibleBudgetHeaders()) };
  const budget = status === 500 ? possibleBudgetHeaders() : budgetHeaders();
  return { ...(hasBudget && budget), ...(status === 416 && headerRefs(["Content-Range"])) };
}

interface ErrorBody extends ErrorExtras {
  error: ErrorCode;
  message: string;
}

/** Where the body says more than its code. */
const OWN: Partial<Record<ErrorCode, Omit<ErrorBody, "error">>> = {
  INVALID_INPUT: { message: "input.topic: is required", details: [{ path: "input.topic", message: "is required" }] },
  AUTHENTICATION_REQUIRED: { message: "This request has no Authorization header. Send an account key: Authorization: Bearer svc_sk_…" },
  CONVERSATION_BUSY: {
    message: `The run ${EXAMPLE_IDS.run_id} of this conversation has not ended. Wait for it or cancel it.`,
    run_id: EXAMPLE_IDS.run_id,
  },
  INSUFFICIENT_CREDITS: { message: "This needs 3.2 credits, and 1.5 are available.", available: 1.5, required: 3.2 },
  RATE_LIMITED: {
    message: "This account may write 30 times an hour. Nothing was changed; try again in 1240 seconds.",
    retryAfterSeconds: 1240,
  },
};

/** A body of each code. */
export const ERROR_EXAMPLES: Record<ErrorCode, ErrorBody> = Object.fromEntries(
  ERROR_CODES.map((error) => [error, { error, message: ERROR_DESCRIPTIONS[error], ...OWN[error] }]),
) as Record<ErrorCode, ErrorBody>; // fromEntries forgets the keys
