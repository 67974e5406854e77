import type { Client } from "openapi-fetch";
import { type AgentVerbs, createAgents } from "./agents";
import { type Clock, SYSTEM_CLOCK } from "./clock";
import { connect } from "./connect";
import { createFileTransfers, type FileTransfers } from "./files";
import type { paths } from "./openapi-types";
import { createResources, type Resources } from "./resources";
import type { AgentRuns, CallOptions, SuperAgentRuns } from "./runs";
import type { Approval } from "./schemas";
import { type List, listBy, type Verbs } from "./verbs";

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
export type { Bytes } from "./files";
export type { components, paths } from "./openapi-types";
export type { RunStream } from "./run-stream";
export type { CompletedRun } from "./runs";
export type { Agent, Approval, EditRun, LoggedEvent, ModelId, Run, TerminalEvent, WorkspaceFile } from "./schemas";
export type { WebhookPayload } from "./verify-webhook";
export { verifyWebhook } from "./verify-webhook";

export interface ClientOptions {
  /** A key, `svc_sk_…` or an agent's `appapi_…`; by default that of the environment's `LATHE_API_KEY`. A secret of your servers: never send it to a browser or an app. */
  apiKey?: string;
  /** Where the service is, such as `https://lathe.example.com`, without `/v1`; by default the environment's `LATHE_BASE_URL`. */
  baseUrl?: string;
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

/** Everything that the API does, by name: what takes one request is in `Resources`, what takes more is added here. */
export interface LatheClient extends Verbs<paths>, Omit<Resources, "agents" | "approvals" | "files" | "runs" | "superAgentRuns"> {
  /** All rows of a list: `for await (const run of lathe.list("/v1/runs"))`. */
  list: List;
  runs: AgentRuns & Resources["runs"];
  superAgentRuns: SuperAgentRuns & Resources["superAgentRuns"];
  agents: AgentVerbs & Resources["agents"];
  approvals: Decisions & Resources["approvals"];
  files: FileTransfers & Resources["files"];
  /** The same requests in the manner of openapi-fetch: `{data, error, response}` in place of a throw, for headers and bytes. */
  api: Client<paths>;
}

interface Decisions {
  /** Lets the call that waits be made. @throws LatheApiError `CONFLICT` when it was decided or has expired */
  approve(approvalId: string, options?: CallOptions): Promise<Approval>;
  /** Refuses it; the model is told `message`. @throws as `approve` */
  reject(approvalId: string, message?: string, options?: CallOptions): Promise<Approval>;
}

/**
 * A client of one account. Nothing is sent before the first call.
 *
 * Retried by itself, with backoff and as `Retry-After` says: 429 always, and 502, 503, 504 and broken connections of GET, PUT, DELETE and of
 * starts, which carry an `Idempotency-Key`. Every call takes a `signal`. Errors: see `docs/client.md`.
 * `clock` is for tests.
 * @throws TypeError when key or address cannot be right
 */
export function createClient(options: ClientOptions = {}, clock: Clock = SYSTEM_CLOCK): LatheClient {
  const { maxRetries = 3, timeoutMs = 30_000, maxRetryAfterSeconds = 60, stallMs = 30_000, maxReconnects = 10 } = options;
  const connection = connect<paths>({
    baseUrl: requireAddress(options.baseUrl ?? fromEnvironment("LATHE_BASE_URL")),
    headers: { Authorization: `Bearer ${requireKey(options.apiKey ?? fromEnvironment("LATHE_API_KEY"))}` },
    fetch: options.fetch ?? ((request: Request) => globalThis.fetch(request)),
    maxRetries,
    timeoutMs,
    maxRetryAfterSeconds,
    stallMs,
    maxReconnects,
    clock,
  });
  const { api, runs, superAgentRuns, transport, ...verbs } = connection;
  const list = listBy(verbs);
  const resources = createResources({ ...verbs, list });
  const { resolve } = resources.approvals;
  return {
    ...verbs,
    ...resources,
    api,
    list,
    runs: { ...resources.runs, ...runs },
    superAgentRuns: { ...resources.superAgentRuns, ...superAgentRuns },
    agents: { ...resources.agents, ...createAgents(api, runs, { maxReconnects, clock }) },
    approvals: {
      ...resources.approvals,
      approve: (approvalId, options) => resolve(approvalId, { decision: "approve" }, options),
      reject: (approvalId, message, options) => resolve(approvalId, { decision: "reject", message }, options),
    },
    files: { ...resources.files, ...createFileTransfers(api, transport) },
  };
}

function requireAddress(baseUrl: string | undefined): string {
  if (!baseUrl) throw new TypeError("There is no `baseUrl`: give the service's address, or set LATHE_BASE_URL.");
  const { protocol } = new URL(baseUrl);
  if (protocol !== "http:" && protocol !== "https:") throw new TypeError("`baseUrl` must be an http or https address.");
  return baseUrl;
}

function requireKey(apiKey: string | undefined): string {
  if (!apiKey) throw new TypeError("There is no `apiKey`: give a key of the service, or set LATHE_API_KEY.");
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw new TypeError("`apiKey` must be a key of the service, `svc_sk_…`.");
  return apiKey;
}

/** Node.js, Deno and Bun have an environment; edge runtimes and browsers may have none. */
function fromEnvironment(name: "LATHE_API_KEY" | "LATHE_BASE_URL"): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } }; // of a runtime that is not known here
  return process?.env?.[name];
}
