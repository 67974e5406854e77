import "server-only";
import type { ApiRequest } from "@/lib/api/http/api-request";
import { newId } from "@/lib/platform/ids";

/** The header that names a request in answers and logs. */
export const REQUEST_ID_HEADER = "x-request-id";

const PLAIN = /^[A-Za-z0-9._-]{1,128}$/;

/** The caller's own name for a request where it can stand in a header, a log and a sentence as it is, else a new one. */
export function toRequestId(given: string | null | undefined): string {
  return given && PLAIN.test(given) ? given : newId();
}

/** The id of a request, which the listener has stamped on it. */
export function requestIdOf(request: ApiRequest): string {
  return toRequestId(request.headers.get(REQUEST_ID_HEADER));
}
