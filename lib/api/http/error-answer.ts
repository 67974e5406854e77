import "server-only";
import { ERROR_STATUS, ServiceError } from "@/lib/model/errors";
import { log } from "@/lib/platform/log";

/** Turns whatever was thrown into the contract's error answer; what is not meant for callers becomes INTERNAL_ERROR and a log line. */
export function errorAnswer(error: unknown, requestId: string): Response {
  const known = error instanceof ServiceError ? error : internal(error, requestId);
  const text = JSON.stringify({ error: known.code, message: known.message, ...known.extras });
  return new Response(text, {
    status: ERROR_STATUS[known.code],
    headers: { "content-type": "application/json; charset=utf-8", "content-length": String(Buffer.byteLength(text)), ...known.headers },
  });
}

function internal(error: unknown, requestId: string): ServiceError {
  log.error({ err: error, request_id: requestId }, "a request failed");
  if (isDatabaseDown(error))
    return new ServiceError(
      "SERVICE_UNAVAILABLE",
      "The database cannot be reached at the moment. Try again shortly.",
      {},
      { "Retry-After": "5" },
    );
  return new ServiceError("INTERNAL_ERROR", `Something failed on our side. Quote request ${requestId} when you report it.`);
}

const CONNECTION_CODES = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "57P01", "57P02", "57P03", "08006", "08001", "P1001"]);

function isDatabaseDown(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? String(error.code) : "";
  return CONNECTION_CODES.has(code) || /Connection terminated|timeout exceeded when trying to connect/.test(error.message);
}
