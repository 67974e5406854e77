import "server-only";
import type { Operation } from "@/lib/api/http/operation";
import { isRowCap } from "@/lib/model/account-caps";
import { ERROR_STATUS, type ErrorCode } from "@/lib/model/errors";

/**
 * Every code that an operation may answer with, in the order of their statuses: its own, and those of the wrapper's steps that it goes through.
 * `NOT_FOUND` and `METHOD_NOT_ALLOWED` belong to no operation: they say that there is none.
 */
export function declaredErrors(operation: Operation): ErrorCode[] {
  const codes = new Set<ErrorCode>([...operation.errors, "RATE_LIMITED", "INTERNAL_ERROR"]);
  if (operation.auth !== "none") codes.add("AUTHENTICATION_REQUIRED").add("SERVICE_UNAVAILABLE");
  if (operation.superAgent) codes.add("SUPER_AGENT_ACCESS_DENIED");
  if (operation.creates.some(isRowCap)) codes.add("CONFLICT");
  if (operation.admin) codes.add("NOT_FOUND");
  if (operation.params || operation.query || operation.body || operation.rawBody || operation.idempotent) codes.add("INVALID_INPUT");
  if (operation.body || operation.rawBody) codes.add("PAYLOAD_TOO_LARGE").add("REQUEST_TIMEOUT");
  if (operation.idempotent) codes.add("IDEMPOTENCY_CONFLICT");
  return [...codes].sort((a, b) => ERROR_STATUS[a] - ERROR_STATUS[b] || a.localeCompare(b));
}
