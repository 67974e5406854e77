import "server-only";
import type { oas31 } from "zod-openapi";
import { isRequiredHeader, RESPONSE_HEADERS, type ResponseHeaderName } from "@/lib/api/http/answer";
import { declaredErrors, type Operation } from "@/lib/api/http/operation";
import { EXAMPLE_IDS } from "@/lib/api/schemas/fields";
import { ERROR_CODES, ERROR_STATUS, type ErrorCode, type ErrorExtras } from "@/lib/model/errors";

/** When each code is answered. */
const ERROR_DESCRIPTIONS: Record<ErrorCode, string> = {
  INVALID_INPUT: "The request's shape, an id or a value is not valid; `details` names the places.",
  AUTHENTICATION_REQUIRED: "The key is missing, malformed, revoked, expired or unknown.",
  INSUFFICIENT_CREDITS: "Too few credits to start; the body has `available` and `required`.",
  FORBIDDEN: "The key or the account may not do this; the message says why.",
  ACCOUNT_BLOCKED: "The account may not start runs.",
  SUPER_AGENT_ACCESS_DENIED: "The account is not on the super-agent's allowlist.",
  NOT_FOUND: "There is no such route.",
  AGENT_NOT_FOUND: "The account has no such agent.",
  APP_NOT_FOUND: "The key is not for this agent.",
  APPROVAL_NOT_FOUND: "The account has no such approval.",
  CONNECTION_NOT_FOUND: "The account has no such connection.",
  CONVERSATION_NOT_FOUND:
    "The account has no such conversation, or it belongs to another family of runs.",
  DELIVERY_NOT_FOUND: "The account has no such webhook delivery.",
  ENDPOINT_NOT_FOUND: "The account has no such webhook endpoint.",
  FILE_NOT_FOUND: "The workspace has no such file.",
  RUN_NOT_FOUND: "There is no such run on this route.",
  SCHEDULE_NOT_FOUND: "The agent has no such schedule.",
  MEMORY_NOT_FOUND: "The agent keeps no such note.",
  CASE_NOT_FOUND: "The agent has no such case.",
  SECRET_NOT_FOUND: "The account has no secret of this name.",
  SKILL_NOT_FOUND: "The account has no such skill.",
  TEMPLATE_NOT_FOUND: "There is no such template.",
  VERSION_NOT_FOUND: "The agent has no such version.",
  WORKSPACE_NOT_FOUND: "The account has no such workspace, or the agent may not use it.",
  END_USER_NOT_FOUND: "The account has no end user of this name.",
  END_USER_ERASED:
    "The end user was erased: `deleted` says how much of each kind. A new run under the name " +
    "begins a new one.",
  METHOD_NOT_ALLOWED: "The path has no such method; the header `Allow` names those that it has.",
  REQUEST_TIMEOUT:
    "The body did not arrive in time: no byte for 20 seconds, or a JSON body not within a minute.",
  CONFLICT:
    "The state of the thing forbids it, or the account has as many as it may have; the " +
    "message says why.",
  RUN_NOT_ACTIVE: "The run has ended; what was asked for wants one at work.",
  CONVERSATION_BUSY: "A run of the conversation has not ended yet.",
  IDEMPOTENCY_CONFLICT:
    "The `Idempotency-Key` stands for another body, or its first request is still in flight.",
  VERSION_CONFLICT: "The record was changed since the `ETag` in `If-Match`.",
  PAYLOAD_TOO_LARGE: "A JSON body of more than 1 MiB, or an upload beyond its limit.",
  RANGE_NOT_SATISFIABLE:
    "The range begins beyond the file's end; `Content-Range` says how long it is.",
  RATE_LIMITED:
    "Too many requests from the address, of the account in a minute, or (with " +
    "`retryAfterSeconds`) too many writes in an hour. Wait for `Retry-After`.",
  INTERNAL_ERROR: "A failure of the service. Quote `X-Request-Id`.",
  SERVICE_UNAVAILABLE:
    "The execution service or the database cannot be reached; nothing was accepted. Try again.",
};

/** What an operation may be refused with: a shared response a status, named after its codes. */
export function errorResponses(operation: Operation): Record<string, oas31.ReferenceObject> {
  const groups = errorGroups(operation);
  return Object.fromEntries(
    groups.map(([status, codes]) => [
      status,
      { $ref: `#/components/responses/${responseName(operation, codes)}` },
    ]),
  );
}

/** The shared responses of all operations. */
export function errorResponseComponents(
  operations: readonly Operation[],
): Record<string, oas31.ResponseObject> {
  const components: Record<string, oas31.ResponseObject> = {};
  for (const operation of operations) {
    for (const [status, codes] of errorGroups(operation)) {
      components[responseName(operation, codes)] ??= errorResponse(
        Number(status),
        codes,
        operation.auth !== "none",
      );
    }
  }
  return components;
}

/**
 * `default` would hide what is not declared, so what belongs to no operation stands beside the
 * paths.
 */
export function unroutedResponses(): Record<string, oas31.ResponseObject> {
  const notFound = errorResponse(404, ["NOT_FOUND"], false);
  const notAllowed = errorResponse(405, ["METHOD_NOT_ALLOWED"], false);
  const allow = {
    description: "The methods of the path.",
    required: true,
    schema: { type: "string" as const },
    example: "GET, POST",
  };
  const forbidden = errorResponse(403, ["FORBIDDEN"], true);
  return {
    "403": forbidden,
    "404": notFound,
    "405": { ...notAllowed, headers: { ...notAllowed.headers, Allow: allow } },
  };
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

function errorResponse(
  status: number,
  codes: readonly ErrorCode[],
  hasBudget: boolean,
): oas31.ResponseObject {
  const [first] = codes;
  const schema = codes.length === 1 && first ? errorRef(first) : oneOf(codes);
  const examples = Object.fromEntries(
    codes.map((code) => [errorName(code), { value: ERROR_EXAMPLES[code] }]),
  );
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
  if (status === 429)
    return { ...headerRefs(["Retry-After"]), ...(hasBudget && possibleBudgetHeaders()) };
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
  INVALID_INPUT: {
    message: "input.topic: is required",
    details: [{ path: "input.topic", message: "is required" }],
  },
  AUTHENTICATION_REQUIRED: {
    message:
      "This request has no Authorization header. Send an account key: Authorization: Bearer " +
      "svc_sk_…",
  },
  CONVERSATION_BUSY: {
    message:
      `The run ${EXAMPLE_IDS.run_id} of this conversation has not ended. Wait for it or ` +
      "cancel it.",
    run_id: EXAMPLE_IDS.run_id,
  },
  INSUFFICIENT_CREDITS: {
    message: "This needs 3.2 credits, and 1.5 are available.",
    available: 1.5,
    required: 3.2,
  },
  END_USER_ERASED: {
    message:
      "This end user was erased. What was deleted is in `deleted`; the account's books keep " +
      "what it cost.",
    deleted: {
      runs: 31,
      conversations: 4,
      memories: 6,
      files: 2,
      artifacts: 3,
      traces: 31,
      requests: 0,
    },
    requested_at: "2026-01-31T10:00:00.000Z",
    completed_at: "2026-01-31T10:00:03.000Z",
  },
  RATE_LIMITED: {
    message:
      "This account may write 30 times an hour. Nothing was changed; try again in 1240 seconds.",
    retryAfterSeconds: 1240,
  },
};

/** A body of each code. */
export const ERROR_EXAMPLES: Record<ErrorCode, ErrorBody> = Object.fromEntries(
  ERROR_CODES.map((error) => [error, { error, message: ERROR_DESCRIPTIONS[error], ...OWN[error] }]),
) as Record<ErrorCode, ErrorBody>; // fromEntries forgets the keys

type Schemas = Record<string, oas31.SchemaObject>;

/** The component of a code's body: `AGENT_NOT_FOUND` → `AgentNotFoundError`. */
function errorSchemaName(code: ErrorCode): string {
  return `${errorName(code)}Error`;
}

/** `AGENT_NOT_FOUND` → `AgentNotFound`. */
function errorName(code: ErrorCode): string {
  return code.toLowerCase().replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

const errorRef = (code: ErrorCode) => ({ $ref: `#/components/schemas/${errorSchemaName(code)}` });

/**
 * `Error`, `ErrorCode`, and a component for each code: a body's `error` decides which one it is.
 */
export function errorSchemas(): Schemas {
  const mapping = Object.fromEntries(ERROR_CODES.map((code) => [code, errorRef(code).$ref]));
  return {
    ErrorCode: {
      type: "string",
      enum: [...ERROR_CODES],
      description: "Stable. Codes may be added.",
    },
    ErrorDetail: {
      type: "object",
      description: "One broken place of the request.",
      required: ["path", "message"],
      properties: {
        path: {
          type: "string",
          description: "Dotted, such as `input.topic`; empty for the whole.",
        },
        message: { type: "string" },
        line: {
          type: "integer",
          minimum: 1,
          description: "Inside a text such as `config_content`.",
        },
        column: { type: "integer", minimum: 1 },
      },
    },
    Error: {
      type: "object",
      description:
        "What happened, what it means and what to do. `error` is stable; `message` is for " +
        "people and may change.",
      required: ["error", "message"],
      properties: {
        error: { $ref: "#/components/schemas/ErrorCode" },
        message: { type: "string" },
        details: { type: "array", items: { $ref: "#/components/schemas/ErrorDetail" } },
        available: { type: "number", description: "Credits that the account has." },
        required: { type: "number", description: "Credits that the start needs." },
        run_id: {
          type: "string",
          format: "uuid",
          description:
            "Of `CONVERSATION_BUSY`: the run in the way. `runId` on the app-scoped path.",
        },
        retryAfterSeconds: { type: "integer", minimum: 1, description: "Of the hourly write cap." },
        deleted: {
          type: "object",
          description: "Of `END_USER_ERASED`: how much of each kind was deleted.",
          additionalProperties: { type: "integer", minimum: 0 },
        },
        requested_at: {
          type: "string",
          format: "date-time",
          description: "Of `END_USER_ERASED`: when the erasure was asked for.",
        },
        completed_at: {
          type: "string",
          format: "date-time",
          description: "Of `END_USER_ERASED`: when it was done.",
        },
      },
      discriminator: { propertyName: "error", mapping },
    },
    ...Object.fromEntries(ERROR_CODES.map((code) => [errorSchemaName(code), codeSchema(code)])),
  };
}

/** What a code's body always has beside `error` and `message`. */
const ALWAYS: Partial<Record<ErrorCode, string[]>> = {
  INVALID_INPUT: ["details"],
  INSUFFICIENT_CREDITS: ["available", "required"],
  END_USER_ERASED: ["deleted", "requested_at", "completed_at"],
};

function codeSchema(code: ErrorCode): oas31.SchemaObject {
  const own = {
    type: "object" as const,
    properties: { error: { type: "string" as const, const: code } },
    required: ["error", ...(ALWAYS[code] ?? [])],
  };
  return {
    description: ERROR_DESCRIPTIONS[code],
    allOf: [{ $ref: "#/components/schemas/Error" }, own],
  };
}

type Header = oas31.HeaderObject;
type Headers = Record<string, oas31.HeaderObject | oas31.ReferenceObject>;

const BUDGET: Record<string, Header> = {
  "RateLimit-Policy": {
    description: "The budget of this kind of request: `q` in a window of `w` seconds.",
    schema: { type: "string" },
    example: '"minute";q=30;w=60',
  },
  RateLimit: {
    description: "`r` requests remain for `t` seconds.",
    schema: { type: "string" },
    example: '"minute";r=29;t=60',
  },
  "X-RateLimit-Limit": {
    description: "Requests a minute.",
    schema: { type: "integer", minimum: 0 },
    example: 30,
  },
  "X-RateLimit-Remaining": {
    description: "Requests left in this window.",
    schema: { type: "integer", minimum: 0 },
    example: 29,
  },
  "X-RateLimit-Reset": {
    description: "Seconds until the window ends.",
    schema: { type: "integer", minimum: 0 },
    example: 60,
  },
};

const RETRY_AFTER: Header = {
  description: "Whole seconds to wait.",
  schema: { type: "integer", minimum: 1 },
  example: 12,
};

/** The headers that responses share by reference. */
export function headerComponents(): Record<string, Header> {
  const own = Object.entries(RESPONSE_HEADERS).map(([name, { description, type, example }]) => {
    // The keys of the table are its names.
    const required = isRequiredHeader(name as ResponseHeaderName);
    return [name, { description, ...(required && { required }), schema: { type }, example }];
  });
  const budget = Object.entries(BUDGET).map(([name, header]) => [
    name,
    { ...header, required: true },
  ]);
  return {
    "X-Request-Id": {
      description:
        "Quote it when you report a problem. It is the request's own `X-Request-Id` where " +
        "that has 1 to 128 of A–Z, a–z, 0–9, `.`, `_` and `-`.",
      required: true,
      schema: { type: "string", pattern: "^[A-Za-z0-9._-]{1,128}$" },
      example: "01939d3b-7c1a-7b60-9f5e-3f7a2c1d0001",
    },
    ...Object.fromEntries(budget),
    "Retry-After": { ...RETRY_AFTER, required: true },
    "WWW-Authenticate": {
      description: "How to authenticate.",
      required: true,
      schema: { type: "string" },
      example: "Bearer",
    },
    ...Object.fromEntries(own),
  };
}

/** References to shared headers. */
export function headerRefs(names: readonly string[]): Headers {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** What every answer carries once the key is known. */
export function budgetHeaders(): Headers {
  return headerRefs(Object.keys(BUDGET));
}

/** The same on answers that may also come before the key is known. */
function possibleBudgetHeaders(): Headers {
  return BUDGET;
}

/** Of refusals that may name a time, or not. */
function possibleRetryAfter(): Headers {
  return { "Retry-After": RETRY_AFTER };
}

/**
 * Of operations that go away (docs/versioning.md). Not among the components: most documents have
 * none.
 */
export function headersOfDeprecation(): Headers {
  return {
    Deprecation: {
      description: "Since when, in seconds since 1970 after an `@` (RFC 9745).",
      schema: { type: "string" },
      example: "@1798761600",
    },
    Sunset: {
      description: "From when on it may be missing (RFC 8594).",
      schema: { type: "string" },
      example: "Thu, 01 Jul 2027 00:00:00 GMT",
    },
  };
}
