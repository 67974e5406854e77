import { ConsoleError } from "@/lib/console/console-error";
import type { ErrorDetail } from "@/lib/model/errors";

export interface ConsoleRequest {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is, in place of `body`. */
  text?: { type: string; content: string };
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/**
 * Asks `/api/console/<path>` with the session's cookie and returns the answer when it is ok.
 * Throws `ConsoleError` otherwise, `OFFLINE` when no answer came. An ended session leads back to the sign-in page.
 */
export async function requestConsole(
  path: string,
  { method = "GET", body, text, headers, signal }: ConsoleRequest = {},
): Promise<Response> {
  const type = text ? text.type : body === undefined ? null : "application/json";
  const response = await fetch(`/api/console/${path}`, {
    method,
    headers: { ...(type ? { "content-type": type } : {}), ...headers },
    body: text ? text.content : body === undefined ? undefined : JSON.stringify(body),
    signal,
    credentials: "same-origin",
    cache: "no-store",
  }).catch((cause: unknown) => {
    if (signal?.aborted) throw cause;
    throw new ConsoleError("OFFLINE", "The service cannot be reached. Check your connection.", 0);
  });
  if (response.ok) return response;
  const error = await toConsoleError(response);
  if (error.status === 401 && error.code === "AUTHENTICATION_REQUIRED") leaveForSignIn();
  throw error;
}

function leaveForSignIn(): void {
  const here = window.location.pathname + window.location.search;
  window.location.assign(`/sign-in?callbackUrl=${encodeURIComponent(here)}`);
}

/** Reads the error body of an answer that is not ok. Never throws: a body that is no JSON becomes a general sentence. */
async function toConsoleError(response: Response): Promise<ConsoleError> {
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
