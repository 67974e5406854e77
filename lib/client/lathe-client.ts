import createApi, { type Client } from "openapi-fetch";
import { type Agents, createAgents } from "./agents";
import { type Clock, SYSTEM_CLOCK } from "./clock";
import { isIdempotentRoute } from "./idempotent-routes";
import { type List, type ListInit, listRows, type Page } from "./list-rows";
import type { components, paths } from "./openapi-types";
import { agentRunRequests, superAgentRunRequests } from "./run-requests";
import { createRuns, type RunSettings, type Runs } from "./runs";
import { createTransport } from "./transport";
import { createVerbs, type Verbs } from "./verbs";

// The package's entry: whatever a user of the client needs is had from this file, and nothing else of the folder is promised.
export { LatheApiError } from "./errors/lathe-api-error";
export { LatheConnectionError } from "./errors/lathe-connection-error";
export { LatheError } from "./errors/lathe-error";
export { LatheRunError } from "./errors/lathe-run-error";
export { LatheRunUnknownError } from "./errors/lathe-run-unknown-error";
export { LatheStreamError } from "./errors/lathe-stream-error";
export { LatheTimeoutError } from "./errors/lathe-timeout-error";
export { LatheWebhookError } from "./errors/lathe-webhook-error";
export type { components, paths } from "./openapi-types";
export type { RunStream } from "./run-stream";
export type { EditRun, LoggedEvent, Run, TerminalEvent } from "./schemas";
export { verifyWebhook } from "./verify-webhook";
export type { WebhookPayload } from "./webhook-payload";

type Schemas = components["schemas"];

export interface ClientOptions {
  /** An account key, `svc_sk_…`. It is a secret of your servers: never send it to a browser or an app. */
  apiKey: string;
  /** Where the service is, such as `https://lathe.example.com`: without `/v1`. */
  baseUrl: string;
  /** In place of the global `fetch`: a proxy, a pool, a recorder. It must heed the request's signal. */
  fetch?: (request: Request) => Promise<Response>;
  /** Tries after the first one, of requests that may be repeated; 3 by default. */
  maxRetries?: number;
  /** For each try, to the end of a JSON answer or to the headers of any other; 30,000 by default. */
  timeoutMs?: number;
  /** A longer `Retry-After` is not waited for but thrown, such as that of a spent hourly budget; 60 by default. */
  maxRetryAfterSeconds?: number;
  /** A stream that is silent for longer counts as broken; 30,000 by default. The service pings every 10,000. */
  stallMs?: number;
  /** Tries to go on with a stream or a wait, one after the other, of which none brings anything; 10 by default. */
  maxReconnects?: number;
}

export interface LatheClient extends Verbs {
  /** All rows of a list: `for await (const run of lathe.list("/v1/runs"))`. */
  list: List;
  runs: Runs<Schemas["CreateRunRequest"], Schemas["RealtimeRunRequest"]>;
  superAgentRuns: Runs<Schemas["CreateSuperAgentRunRequest"], Schemas["SuperAgentRealtimeRunRequest"]>;
  agents: Agents;
  /** The same requests in the manner of openapi-fetch: `{data, error, response}` in place of a throw, for headers and bytes. */
  api: Client<paths>;
}

/**
 * A client of one account. Nothing is sent before the first call.
 *
 * Retried by itself, with backoff and as `Retry-After` says: 429 always, and 502, 503, 504 and broken connections of GET, PUT, DELETE and of
 * starts, which carry an `Idempotency-Key`. Every call takes a `signal`. Errors: see `docs/client.md`.
 * `clock` is for tests.
 * @throws TypeError when key or address cannot be right
 */
export function createClient(options: ClientOptions, clock: Clock = SYSTEM_CLOCK): LatheClient {
  const { maxRetries = 3, timeoutMs = 30_000, maxRetryAfterSeconds = 60, stallMs = 30_000, maxReconnects = 10 } = options;
  const fetch = options.fetch ?? ((request: Request) => globalThis.fetch(request));
  const settings: RunSettings = { stallMs, maxReconnects, maxRetryAfterSeconds, clock };
  const transport = createTransport({ fetch, maxRetries, timeoutMs, maxRetryAfterSeconds, clock });
  const api = createApi<paths>({
    baseUrl: requireAddress(options.baseUrl),
    headers: { Authorization: `Bearer ${requireKey(options.apiKey)}` },
    fetch: transport.send,
    // The API has no redirects; one would take the key elsewhere.
    redirect: "manual",
  });
  api.use({ onRequest: ({ request, schemaPath }) => addKey(request, schemaPath) });
  const verbs = createVerbs(api);
  const runs = createRuns(agentRunRequests(api, transport), settings);
  return {
    ...verbs,
    list: listBy(verbs),
    runs,
    superAgentRuns: createRuns(superAgentRunRequests(api, transport), settings),
    agents: createAgents(api, runs, settings),
    api,
  };
}

/** One key for all tries of a start: a try whose answer was lost is found again, not repeated. */
function addKey(request: Request, path: string): void {
  if (request.method !== "POST" || !isIdempotentRoute(path) || request.headers.has("idempotency-key")) return;
  request.headers.set("idempotency-key", crypto.randomUUID());
}

function listBy({ get }: Verbs): List {
  // `List` allows only paths whose answers are pages, and gives their rows: the compiler cannot follow that through both generics.
  const getPage = get as unknown as (path: string, init: ListInit) => Promise<Page<unknown>>;
  const list = (path: string, init?: ListInit) => listRows((page) => getPage(path, page), init);
  return list as unknown as List;
}

function requireAddress(baseUrl: string): string {
  const { protocol } = new URL(baseUrl);
  if (protocol !== "http:" && protocol !== "https:") throw new TypeError("`baseUrl` must be an http or https address.");
  return baseUrl;
}

function requireKey(apiKey: string): string {
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw new TypeError("`apiKey` must be a key of the service, `svc_sk_…`.");
  return apiKey;
}
