import { LatheApiError, LatheConnectionError } from "@/lib/client/errors";

/** What to tell a person: a refusal as the service worded it, and what became of an answer that never came. */
export function messageOf(error: Error): string;
export function messageOf(error: Error | null | undefined): string | undefined;
export function messageOf(error: Error | null | undefined): string | undefined {
  if (error instanceof LatheApiError) return error.serviceMessage ?? "The service could not answer. Try again in a moment.";
  if (error instanceof LatheConnectionError) return "The service cannot be reached. Check your connection.";
  return error?.message;
}

/** The code of a refusal; null for any other error. */
export function codeOf(error: unknown): LatheApiError["code"] | null {
  return error instanceof LatheApiError ? error.code : null;
}

/** The broken places of the request that a refusal names. */
export function detailsOf(error: unknown): LatheApiError["details"] {
  return error instanceof LatheApiError ? error.details : [];
}

/** Whether the service said no, and would say so again. */
export function isRefusal(error: unknown): error is LatheApiError {
  return error instanceof LatheApiError && error.status >= 400 && error.status < 500;
}
