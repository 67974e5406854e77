import "server-only";
import type { Operation } from "@/lib/api/http/operation";
import { openapiDocument } from "@/lib/api/openapi/openapi-document";
import { env } from "@/lib/env";

/** The document of this deployment, as it is served: with the doors' own hosts where they have any. */
export function documentText(operations: readonly Operation[]): string {
  return JSON.stringify(openapiDocument(operations, { api: env().API_BASE_HOST, app: env().APP_BASE_HOST }));
}
