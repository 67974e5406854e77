import "server-only";
import type { ErrorCode } from "@/lib/model/errors";

/** When each code is answered. */
export const ERROR_DESCRIPTIONS: Record<ErrorCode, string> = {
  INVALID_INPUT: "The request's shape, an id or a value is not valid; `details` names the places.",
  AUTHENTICATION_REQUIRED: "The key is missing, malformed, revoked, expired or unknown.",
  INSUFFICIENT_CREDITS: "Too few credits to start; the body has `available` and `required`.",
  ACCOUNT_BLOCKED: "The account may not start runs.",
  SUPER_AGENT_ACCESS_DENIED: "The account is not on the super-agent's allowlist.",
  NOT_FOUND: "There is no such route.",
  AGENT_NOT_FOUND: "The account has no such agent.",
  APP_NOT_FOUND: "The key is not for this agent.",
  APPROVAL_NOT_FOUND: "The account has no such approval.",
  CONVERSATION_NOT_FOUND: "The account has no such conversation, or it belongs to another family of runs.",
  DELIVERY_NOT_FOUND: "The account has no such webhook delivery.",
  FILE_NOT_FOUND: "The workspace has no such file.",
  RUN_NOT_FOUND: "There is no such run on this route.",
  SCHEDULE_NOT_FOUND: "The agent has no such schedule.",
  SECRET_NOT_FOUND: "The account has no secret of this name.",
  SKILL_NOT_FOUND: "The account has no such skill.",
  VERSION_NOT_FOUND: "The agent has no such version.",
  WORKSPACE_NOT_FOUND: "The account has no such workspace, or the agent may not use it.",
  METHOD_NOT_ALLOWED: "The path has no such method; the header `Allow` names those that it has.",
  REQUEST_TIMEOUT: "The body did not arrive in time: no byte for 20 seconds, or a JSON body not within a minute.",
  CONFLICT: "The state of the thing forbids it, or the account has as many as it may have; the message says why.",
  CONVERSATION_BUSY: "A run of the conversation has not ended yet.",
  IDEMPOTENCY_CONFLICT: "The `Idempotency-Key` stands for another body, or its first request is still in flight.",
  VERSION_CONFLICT: "The record was changed since the `ETag` in `If-Match`.",
  PAYLOAD_TOO_LARGE: "A JSON body of more than 1 MiB, or an upload beyond its limit.",
  RANGE_NOT_SATISFIABLE: "The range begins beyond the file's end; `Content-Range` says how long it is.",
  RATE_LIMITED:
    "Too many requests from the address, of the account in a minute, or (with `retryAfterSeconds`) too many writes in an hour. Wait for `Retry-After`.",
  INTERNAL_ERROR: "A failure of the service. Quote `X-Request-Id`.",
  SERVICE_UNAVAILABLE: "The execution service or the database cannot be reached; nothing was accepted. Try again.",
};
