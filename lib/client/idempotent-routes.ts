import type { paths } from "./openapi-types";

/** The names of an operation's headers; none when it says that there are none. */
type HeaderOf<O> = O extends { parameters: { header?: infer H } }
  ? [NonNullable<H>] extends [never]
    ? never
    : keyof NonNullable<H>
  : never;

type IdempotentRoute = {
  [P in keyof paths]: "Idempotency-Key" extends HeaderOf<paths[P]["post"]> ? P : never;
}[keyof paths];

// The type holds the list to the document: a route too many or too few does not compile.
const ROUTES: Record<IdempotentRoute, true> = {
  "/v1/agents": true,
  "/v1/agents/{agent_id}/edits": true,
  "/v1/runs": true,
  "/v1/super-agent/runs": true,
  "/api/v1/apps/{appId}/runs": true,
};

/** Whether a POST to this path of the document takes an `Idempotency-Key`. */
export function isIdempotentRoute(path: string): boolean {
  return Object.hasOwn(ROUTES, path);
}
