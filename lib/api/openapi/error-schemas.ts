import "server-only";
import type { oas31 } from "zod-openapi";
import { ERROR_DESCRIPTIONS } from "@/lib/api/openapi/error-descriptions";
import { ERROR_CODES, type ErrorCode } from "@/lib/model/errors";

type Schemas = Record<string, oas31.SchemaObject>;

/** The component of a code's body: `AGENT_NOT_FOUND` → `AgentNotFoundError`. */
export function errorSchemaName(code: ErrorCode): string {
  return `${errorName(code)}Error`;
}

/** `AGENT_NOT_FOUND` → `AgentNotFound`. */
export function errorName(code: ErrorCode): string {
  return code.toLowerCase().replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

export const errorRef = (code: ErrorCode) => ({ $ref: `#/components/schemas/${errorSchemaName(code)}` });

/** `Error`, `ErrorCode`, and a component for each code: a body's `error` decides which one it is. */
export function errorSchemas(): Schemas {
  const mapping = Object.fromEntries(ERROR_CODES.map((code) => [code, errorRef(code).$ref]));
  return {
    ErrorCode: { type: "string", enum: [...ERROR_CODES], description: "Stable. Codes may be added." },
    ErrorDetail: {
      type: "object",
      description: "One broken place of the request.",
      required: ["path", "message"],
      properties: {
        path: { type: "string", description: "Dotted, such as `input.topic`; empty for the whole." },
        message: { type: "string" },
        line: { type: "integer", minimum: 1, description: "Inside a text such as `config_content`." },
        column: { type: "integer", minimum: 1 },
      },
    },
    Error: {
      type: "object",
      description: "What happened, what it means and what to do. `error` is stable; `message` is for people and may change.",
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
          description: "Of `CONVERSATION_BUSY`: the run in the way. `runId` on the app-scoped path.",
        },
        retryAfterSeconds: { type: "integer", minimum: 1, description: "Of the hourly write cap." },
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
};

function codeSchema(code: ErrorCode): oas31.SchemaObject {
  const own = {
    type: "object" as const,
    properties: { error: { type: "string" as const, const: code } },
    required: ["error", ...(ALWAYS[code] ?? [])],
  };
  return { description: ERROR_DESCRIPTIONS[code], allOf: [{ $ref: "#/components/schemas/Error" }, own] };
}
