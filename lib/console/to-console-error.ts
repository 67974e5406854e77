import { ConsoleError } from "@/lib/console/console-error";
import type { ErrorDetail } from "@/lib/model/errors";

/** Reads the error body of an answer that is not ok. Never throws: a body that is no JSON becomes a general sentence. */
export async function toConsoleError(response: Response): Promise<ConsoleError> {
  const body: unknown = await response.json().catch(() => null);
  const fields: Record<string, unknown> = typeof body === "object" && body !== null ? { ...body } : {};
  const wait = Number(fields.retryAfterSeconds ?? response.headers.get("retry-after"));
  return new ConsoleError(
    typeof fields.error === "string" ? fields.error : "INTERNAL_ERROR",
    typeof fields.message === "string" && fields.message ? fields.message : "The service could not answer. Try again in a moment.",
    response.status,
    Array.isArray(fields.details) ? fields.details.filter(isDetail) : [],
    Number.isFinite(wait) && wait > 0 ? wait : null,
  );
}

function isDetail(value: unknown): value is ErrorDetail {
  return typeof value === "object" && value !== null && "path" in value && "message" in value && typeof value.message === "string";
}
