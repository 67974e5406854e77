import "server-only";
import { APP_OPERATIONS } from "@/lib/api/apps/operations";
import { documentText } from "@/lib/api/openapi/document-text";
import { V1_OPERATIONS } from "@/lib/api/v1/operations";

let parsed: unknown;

/**
 * The very document that `/v1/openapi.json` serves, made once a process. Shared: change nothing in
 * it.
 */
export function apiDocument<T>(): T {
  parsed ??= JSON.parse(documentText([...V1_OPERATIONS, ...APP_OPERATIONS]));
  return parsed as T; // the reader says in which words it reads OpenAPI
}
