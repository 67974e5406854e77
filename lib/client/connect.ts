import createApi, { type Client } from "openapi-fetch";
import type { paths } from "./openapi-types";
import {
  type AgentRuns,
  agentRunRequests,
  createRuns,
  type RunSettings,
  type SuperAgentRuns,
  superAgentRunRequests,
} from "./runs";
import { createTransport, type Transport, type TransportOptions } from "./transport";
import { createVerbs, type Verbs } from "./verbs";

interface ConnectOptions extends TransportOptions, RunSettings {
  baseUrl: string;
  /** What every request carries. */
  headers?: Record<string, string>;
}

export interface Connection<Paths extends object> extends Verbs<Paths> {
  runs: AgentRuns;
  superAgentRuns: SuperAgentRuns;
  api: Client<Paths>;
  /** The same requests with other deadlines. */
  transport: Transport;
}

/**
 * All that a client does whoever is asking: `Paths` are the document's, or those and more below the
 * same address.
 */
export function connect<Paths extends object>({
  baseUrl,
  headers,
  ...options
}: ConnectOptions): Connection<Paths> {
  const transport = createTransport(options);
  const api = createApi<Paths>({
    baseUrl,
    headers,
    fetch: transport.send,
    // The API has no redirects; one would take the key elsewhere.
    redirect: "manual",
  });
  api.use({ onRequest: ({ request, schemaPath }) => addKey(request, schemaPath) });
  // What `Paths` has besides does not matter to runs.
  const documented = api as unknown as Client<paths>;
  return {
    ...createVerbs(api),
    runs: createRuns(agentRunRequests(documented, transport), options),
    superAgentRuns: createRuns(superAgentRunRequests(documented, transport), options),
    api,
    transport,
  };
}

/** One key for all tries of a start: a try whose answer was lost is found again, not repeated. */
function addKey(request: Request, path: string): void {
  if (
    request.method !== "POST" ||
    !Object.hasOwn(IDEMPOTENT_ROUTES, path) ||
    request.headers.has("idempotency-key")
  )
    return;
  request.headers.set("idempotency-key", crypto.randomUUID());
}

/** The names of an operation's headers; none when it says that there are none. */
type HeaderOf<O> = O extends { parameters: { header?: infer H } }
  ? [NonNullable<H>] extends [never]
    ? never
    : keyof NonNullable<H>
  : never;

type IdempotentRoute = {
  [P in keyof paths]: "Idempotency-Key" extends HeaderOf<paths[P]["post"]> ? P : never;
}[keyof paths];

// POSTs that take an `Idempotency-Key`. The type holds the list to the document: a route too many
// or too few does not compile.
const IDEMPOTENT_ROUTES: Record<IdempotentRoute, true> = {
  "/v1/agents": true,
  "/v1/agents/{agent_id}/edits": true,
  "/v1/agents/{agent_id}/schedules/{schedule_id}/run": true,
  "/v1/runs": true,
  "/v1/runs/{run_id}/messages": true,
  "/v1/runs/{run_id}/replay": true,
  "/v1/super-agent/runs": true,
  "/v1/super-agent/runs/{run_id}/messages": true,
  "/api/v1/apps/{appId}/runs": true,
  "/api/v1/apps/{appId}/runs/{runId}/messages": true,
};
