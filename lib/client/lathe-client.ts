import type { Client } from "openapi-fetch";
import { type Clock, SYSTEM_CLOCK } from "./clock";
import { connect } from "./connect";
import { LatheRunError } from "./errors";
import type { components, paths } from "./openapi-types";
import { type AgentRuns, type PollSettings, poll, type StartOptions, type SuperAgentRuns, startInit, type WaitOptions } from "./runs";
import type { EditRun, Run } from "./schemas";
import { dataOf, type List, listBy, type Verbs } from "./verbs";

// The package's entry: whatever a user of the client needs is had from this file, and nothing else of the folder is promised.
export {
  LatheApiError,
  LatheConnectionError,
  LatheError,
  LatheRunError,
  LatheRunUnknownError,
  LatheStreamError,
  LatheTimeoutError,
  LatheWebhookError,
} from "./errors";
export type { components, paths } from "./openapi-types";
export type { RunStream } from "./run-stream";
export type { EditRun, LoggedEvent, Run, TerminalEvent } from "./schemas";
export type { WebhookPayload } from "./verify-webhook";
export { verifyWebhook } from "./verify-webhook";

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

export interface LatheClient extends Verbs<paths> {
  /** All rows of a list: `for await (const run of lathe.list("/v1/runs"))`. */
  list: List;
  runs: AgentRuns;
  superAgentRuns: SuperAgentRuns;
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
  const connection = connect<paths>({
    baseUrl: requireAddress(options.baseUrl),
    headers: { Authorization: `Bearer ${requireKey(options.apiKey)}` },
    fetch: options.fetch ?? ((request: Request) => globalThis.fetch(request)),
    maxRetries,
    timeoutMs,
    maxRetryAfterSeconds,
    stallMs,
    maxReconnects,
    clock,
  });
  const { api, runs } = connection;
  return { ...connection, list: listBy(connection), agents: createAgents(api, runs, { maxReconnects, clock }) };
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

function createAgents(api: Client<paths>, runs: Pick<AgentRuns, "wait">, settings: PollSettings): Agents {
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
