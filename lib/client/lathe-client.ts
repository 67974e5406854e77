import createApi, { type Client, type MaybeOptionalInit } from "openapi-fetch";
import { type Clock, SYSTEM_CLOCK } from "./clock";
import { dataOf } from "./data-of";
import { LatheConnectionError } from "./errors/lathe-connection-error";
import { LatheError } from "./errors/lathe-error";
import { LatheRunError } from "./errors/lathe-run-error";
import type { components, paths } from "./openapi-types";
import { type PollSettings, poll, type WaitOptions } from "./poll";
import { createRuns, type RunRequests, type RunSettings, type Runs, type StartOptions } from "./runs";
import type { EditRun, Run } from "./schemas";
import { createTransport, type Transport } from "./transport";
import { createVerbs, type InitOf, type Verbs } from "./verbs";

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
function isIdempotentRoute(path: string): boolean {
  return Object.hasOwn(ROUTES, path);
}

/** What is done to agents by runs: made and changed in plain language. All else about them is in `get`, `patch`, `list` and so on. */
interface Agents {
  /** Starts the creation run. */
  create(body: Schemas["CreateAgentRequest"], options?: StartOptions): Promise<Run>;
  /** Waits for a creation run and gives the new agent's id. @throws LatheRunError when none was made; LatheTimeoutError */
  waitForAgent(runId: string, options?: WaitOptions): Promise<string>;
  /** Starts an edit run; the agent stays as it is until the edit succeeds. */
  edit(agentId: string, body: Schemas["CreateAgentEditRequest"], options?: StartOptions): Promise<EditRun>;
  /** Waits for an edit run that succeeds. @throws LatheRunError when it does not; LatheTimeoutError */
  waitForEdit(agentId: string, runId: string, options?: WaitOptions): Promise<EditRun>;
}

const EDIT_ENDS: readonly EditRun["status"][] = ["succeeded", "failed", "cancelled"];

function createAgents(api: Client<paths>, runs: Pick<Runs<never, never>, "wait">, settings: PollSettings): Agents {
  return {
    create: (body, options = {}) => dataOf(api.POST("/v1/agents", { ...startInit(options), body })),
    async waitForAgent(runId, options) {
      const run = await runs.wait(runId, options);
      if (run.status !== "completed" || run.agent_id === null) throw new LatheRunError(run);
      return run.agent_id;
    },
    edit: (agentId, body, options = {}) =>
      dataOf(api.POST("/v1/agents/{agent_id}/edits", { ...startInit(options), params: { path: { agent_id: agentId } }, body })),
    async waitForEdit(agentId, runId, options = {}) {
      const path = { agent_id: agentId, run_id: runId };
      const fetch = (signal: AbortSignal | undefined) =>
        dataOf(api.GET("/v1/agents/{agent_id}/edits/{run_id}", { params: { path }, signal }));
      const edit = await poll(runId, fetch, ({ status }) => EDIT_ENDS.includes(status), options, settings);
      if (edit.status !== "succeeded") throw new LatheRunError(edit);
      return edit;
    },
  };
}

type Api = Client<paths>;
type Lines = ReadableStream<Uint8Array>;

/** How an event stream is asked for: its bytes as they come. */
const STREAM = { headers: { Accept: "application/x-ndjson" }, parseAs: "stream" } as const;

type AgentRunRequests = RunRequests<Schemas["CreateRunRequest"], Schemas["RealtimeRunRequest"]>;
type SuperAgentRunRequests = RunRequests<Schemas["CreateSuperAgentRunRequest"], Schemas["SuperAgentRealtimeRunRequest"]>;

/** The requests of the account's runs: of agents, creations and edits. */
function agentRunRequests(api: Api, { sendOnce }: Transport): AgentRunRequests {
  return {
    create: (body, options) => dataOf(api.POST("/v1/runs", { ...startInit(options), body })),
    get: (runId, signal) => dataOf(api.GET("/v1/runs/{run_id}", { params: { path: { run_id: runId } }, signal })),
    cancel: (runId, signal) => dataOf(api.POST("/v1/runs/{run_id}/cancel", { params: { path: { run_id: runId } }, signal })),
    stream: (body, signal) => linesOf(api.POST("/v1/realtime/runs", { ...STREAM, body, signal })),
    events: (runId, after, signal) => {
      const params = { path: { run_id: runId }, query: { starting_after: after } };
      return linesOf(api.GET("/v1/runs/{run_id}/events", { ...STREAM, params, signal, fetch: sendOnce }));
    },
  };
}

/** The same of the super-agent's runs. */
function superAgentRunRequests(api: Api, { sendOnce }: Transport): SuperAgentRunRequests {
  return {
    create: (body, options) => dataOf(api.POST("/v1/super-agent/runs", { ...startInit(options), body })),
    get: (runId, signal) => dataOf(api.GET("/v1/super-agent/runs/{run_id}", { params: { path: { run_id: runId } }, signal })),
    cancel: (runId, signal) => dataOf(api.POST("/v1/super-agent/runs/{run_id}/cancel", { params: { path: { run_id: runId } }, signal })),
    stream: (body, signal) => linesOf(api.POST("/v1/super-agent/realtime/runs", { ...STREAM, body, signal })),
    events: (runId, after, signal) => {
      const params = { path: { run_id: runId }, query: { starting_after: after } };
      return linesOf(api.GET("/v1/super-agent/runs/{run_id}/events", { ...STREAM, params, signal, fetch: sendOnce }));
    },
  };
}

async function linesOf(answering: Promise<{ data?: Lines | null; error?: unknown; response: Response }>): Promise<Lines> {
  const lines = await dataOf(answering);
  if (!lines) throw new LatheConnectionError("The answer is no stream.");
  return lines;
}

/** A start's options in the words of a request. */
function startInit({ signal, idempotencyKey }: StartOptions): { signal?: AbortSignal; headers?: Record<string, string> } {
  return { signal, ...(idempotencyKey !== undefined && { headers: { "Idempotency-Key": idempotencyKey } }) };
}

/** A page of the API. */
interface Page<R> {
  data: R[];
  next_cursor: string | null;
}

type ListAnswer<Q, B> = {
  get: { parameters: { query?: Q }; responses: { 200: { content: { "application/json": B } } } };
};

type KeysOf<T> = [NonNullable<T>] extends [never] ? never : keyof NonNullable<T>;

/** The page that a list answers with: of the paths that take a `cursor`. */
type PageOf<P extends keyof paths> = paths[P] extends ListAnswer<infer Q, infer B> ? ("cursor" extends KeysOf<Q> ? B : never) : never;

/** The paths whose GET answers page by page. */
type ListPath = { [P in keyof paths]: [PageOf<P>] extends [never] ? never : P }[keyof paths];

type RowOf<P extends ListPath> = PageOf<P> extends Page<infer R> ? R : never;

/** All rows of a list, page after page, fetched as they are asked for. */
type List = <P extends ListPath, I extends MaybeOptionalInit<paths[P], "get">>(
  path: P,
  ...init: InitOf<I>
) => AsyncGenerator<RowOf<P>, void, undefined>;

/** What may be said of a list beside its path. */
interface ListInit {
  params?: { query?: Record<string, unknown> };
}

/**
 * Follows `next_cursor` from page to page.
 * @throws LatheError when a page points to itself, which would go on for ever; what `fetchPage` rejects with
 */
async function* listRows(fetchPage: (init: ListInit) => Promise<Page<unknown>>, init: ListInit = {}): AsyncGenerator<unknown> {
  const query = { ...init.params?.query };
  for (;;) {
    const page = await fetchPage({ ...init, params: { ...init.params, query } });
    yield* page.data;
    if (page.next_cursor === null) return;
    if (page.next_cursor === query.cursor) throw new LatheError("The list's next page is the same page again.");
    query.cursor = page.next_cursor;
  }
}
