/**
 * Every code that an API answer's `error` may carry, with its HTTP status (specification §7,
 * contract §1).
 */
export const ERROR_STATUS = {
  INVALID_INPUT: 400,
  AUTHENTICATION_REQUIRED: 401,
  INSUFFICIENT_CREDITS: 402,
  ACCOUNT_BLOCKED: 403,
  FORBIDDEN: 403,
  SUPER_AGENT_ACCESS_DENIED: 403,
  NOT_FOUND: 404,
  AGENT_NOT_FOUND: 404,
  APP_NOT_FOUND: 404,
  APPROVAL_NOT_FOUND: 404,
  CONNECTION_NOT_FOUND: 404,
  CONVERSATION_NOT_FOUND: 404,
  DELIVERY_NOT_FOUND: 404,
  ENDPOINT_NOT_FOUND: 404,
  FILE_NOT_FOUND: 404,
  MEMORY_NOT_FOUND: 404,
  CASE_NOT_FOUND: 404,
  RUN_NOT_FOUND: 404,
  SCHEDULE_NOT_FOUND: 404,
  SECRET_NOT_FOUND: 404,
  SKILL_NOT_FOUND: 404,
  TEMPLATE_NOT_FOUND: 404,
  VERSION_NOT_FOUND: 404,
  WORKSPACE_NOT_FOUND: 404,
  END_USER_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  CONFLICT: 409,
  CONVERSATION_BUSY: 409,
  IDEMPOTENCY_CONFLICT: 409,
  RUN_NOT_ACTIVE: 409,
  END_USER_ERASED: 410,
  VERSION_CONFLICT: 412,
  PAYLOAD_TOO_LARGE: 413,
  RANGE_NOT_SATISFIABLE: 416,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

// Object.keys forgets the literal keys.
export const ERROR_CODES = Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]];

/**
 * One broken place of a request; `path` is dotted (`input.topic`), empty for the whole. Inside a
 * text, `line` and `column` count from 1.
 */
export interface ErrorDetail {
  path: string;
  message: string;
  line?: number;
  column?: number;
}

/** What an error answer carries besides `error` and `message` (specification §2.5). */
export interface ErrorExtras {
  details?: ErrorDetail[];
  available?: number;
  required?: number;
  retryAfterSeconds?: number;
  /** Of `CONVERSATION_BUSY`: the run in the way; `runId` on the app-scoped path. */
  run_id?: string;
  runId?: string;
  /** Of `END_USER_ERASED`: how much of each kind was deleted, and when. */
  deleted?: Record<string, number>;
  requested_at?: string;
  completed_at?: string;
}

/**
 * A refusal that the caller may see. Thrown by domain verbs; the surfaces turn it into the answer
 * of `ERROR_STATUS`.
 */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly extras: ErrorExtras = {},
    /** Response headers that belong to this refusal, such as `Retry-After`. */
    readonly headers: Record<string, string> = {},
  ) {
    super(message);
  }
}

/** A 400 about one place of the request. */
export function invalidInput(path: string, message: string): ServiceError {
  return new ServiceError("INVALID_INPUT", path ? `${path}: ${message}` : message, {
    details: [{ path, message }],
  });
}
