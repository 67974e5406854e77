import "server-only";
import { type Answer, toResponse } from "@/lib/api/http/answer";
import { ERROR_STATUS, ServiceError } from "@/lib/model/errors";
import { isTransientError } from "@/lib/platform/is-transient-error";
import { log } from "@/lib/platform/log";

/** Turns whatever was thrown into the contract's error answer; what is not meant for callers becomes INTERNAL_ERROR and a log line. */
export function toErrorAnswer(error: unknown, requestId: string): Answer {
  const known = error instanceof ServiceError ? error : internal(error, requestId);
  const body = JSON.stringify({ error: known.code, message: known.message, ...known.extras });
  const headers: Record<string, string> = {
    "content-type": "application/json; charset=utf-8",
    "content-length": String(Buffer.byteLength(body)),
  };
  for (const [name, value] of Object.entries(known.headers)) headers[name.toLowerCase()] = value;
  return { status: ERROR_STATUS[known.code], headers, body };
}

/** The same for Next. */
export function errorAnswer(error: unknown, requestId: string): Response {
  return toResponse(toErrorAnswer(error, requestId));
}

function internal(error: unknown, requestId: string): ServiceError {
  log.error({ err: error, request_id: requestId }, "a request failed");
  if (isTransientError(error))
    return new ServiceError(
      "SERVICE_UNAVAILABLE",
      "The database cannot be reached or is busy at the moment. Try again shortly.",
      {},
      { "Retry-After": "5" },
    );
  return new ServiceError("INTERNAL_ERROR", `Something failed on our side. Quote request ${requestId} when you report it.`);
}
