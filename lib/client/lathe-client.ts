import type { Client } from "openapi-fetch";
import { type AccountEvent, followAccountEvents } from "./account-events";
import { type AppEvent, readAppEvents } from "./app-events";
import { type Clock, SYSTEM_CLOCK } from "./clock";
import { connect } from "./connect";
import { LatheApiError, LatheRunError } from "./errors";
import type { components, paths } from "./openapi-types";
import { createResources, type Resources } from "./resources";
import {
  type AgentRuns,
  accountEventSource,
  appEventSource,
  type CallOptions,
  type PollSettings,
  poll,
  type StartOptions,
  type SuperAgentRuns,
  startInit,
  type WaitOptions,
} from "./runs";
import type { Agent, Approval, EditRun, Run, WorkspaceFile } from "./schemas";
import type { Transport } from "./transport";
import { dataOf, type List, listBy, type Verbs } from "./verbs";

export type { AccountEvent } from "./account-events";
// The package's entry: whatever a user of the client needs is had from this file, and nothing else
// of the folder is promised.
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
export type { CompletedRun } from "./runs";
export type {
  Agent,
  Approval,
  EditRun,
  LoggedEvent,
  ModelId,
  Run,
  TerminalEvent,
  WorkspaceFile,
} from "./schemas";
export type { EventPayload, WebhookPayload } from "./verify-webhook";
export { verifyEvent, verifyWebhook } from "./verify-webhook";

export interface ClientOptions {
  /**
   * A key, `svc_sk_…` or an agent's `appapi_…`; by default that of the environment's
   * `LATHE_API_KEY`. A secret of your servers: never send it to a browser or an app.
   */
  apiKey?: string;
  /**
   * Where the service is, such as `https://lathe.example.com`, without `/v1`; by default the
   * environment's `LATHE_BASE_URL`.
   */
  baseUrl?: string;
  /**
   * In place of the global `fetch`: a proxy, a pool, a recorder. It must heed the request's signal.
   */
  fetch?: (request: Request) => Promise<Response>;
  /** Tries after the first one, of requests that may be repeated; 3 by default. */
  maxRetries?: number;
  /**
   * For each try, to the end of a JSON answer or to the headers of any other; 30,000 by default.
   */
  timeoutMs?: number;
  /**
   * A longer `Retry-After` is not waited for but thrown, such as that of a spent hourly budget; 60
   * by default.
   */
  maxRetryAfterSeconds?: number;
  /**
   * A stream that is silent for longer counts as broken; 30,000 by default. The service pings every
   * 10,000.
   */
  stallMs?: number;
  /**
   * Tries to go on with a stream or a wait, one after the other, of which none brings anything; 10
   * by default.
   */
  maxReconnects?: number;
}

/**
 * Everything that the API does, by name: what takes one request is in `Resources`, what takes more
 * is added here.
 */
export interface LatheClient
  extends Verbs<paths>,
    Omit<
      Resources,
      "agents" | "approvals" | "apps" | "events" | "files" | "runs" | "superAgentRuns"
    > {
  /** All rows of a list: `for await (const run of lathe.list("/v1/runs"))`. */
  list: List;
  runs: AgentRuns & Resources["runs"];
  superAgentRuns: SuperAgentRuns & Resources["superAgentRuns"];
  agents: AgentVerbs & Resources["agents"];
  approvals: Decisions & Resources["approvals"];
  apps: AppEvents & Resources["apps"];
  events: AccountEvents & Resources["events"];
  files: FileTransfers & Resources["files"];
  endUsers: EndUserExport & Resources["endUsers"];
  /**
   * The same requests in the manner of openapi-fetch: `{data, error, response}` in place of a
   * throw, for headers and bytes.
   */
  api: Client<paths>;
}

interface AppEvents {
  /**
   * The events of a run of the app-scoped path, in camelCase and in order, each once, to the
   * terminal one, over broken connections.
   * @throws LatheApiError `RUN_NOT_FOUND` and the like, LatheConnectionError when it cannot be read
   * on
   */
  events(
    appId: string,
    runId: string,
    options?: { startingAfter?: number; signal?: AbortSignal },
  ): AsyncGenerator<AppEvent, void, undefined>;
}

interface AccountEvents {
  /**
   * The account's events after `startingAfter` (0, the default, for all that are kept), then those
   * to come, in order, each once, over broken connections and without an end. Keep the `sequence`
   * of the last one to go on elsewhere.
   * @throws LatheApiError, LatheConnectionError when they cannot be read on, the signal's reason
   */
  follow(options?: {
    startingAfter?: number;
    types?: readonly AccountEvent["type"][];
    signal?: AbortSignal;
  }): AsyncGenerator<AccountEvent, void, undefined>;
}

interface Decisions {
  /**
   * Lets the call that waits be made. @throws LatheApiError `CONFLICT` when it was decided or has
   * expired
   */
  approve(approvalId: string, options?: CallOptions): Promise<Approval>;
  /** Refuses it; the model is told `message`. @throws as `approve` */
  reject(approvalId: string, message?: string, options?: CallOptions): Promise<Approval>;
}

/**
 * A client of one account. Nothing is sent before the first call.
 *
 * Retried by itself, with backoff and as `Retry-After` says: 429 always, and 502, 503, 504 and
 * broken connections of GET, PUT, DELETE and of starts, which carry an `Idempotency-Key`. Every
 * call takes a `signal`. Errors: see `docs/client.md`.
 * `clock` is for tests.
 * @throws TypeError when key or address cannot be right
 */
export function createClient(
  options: ClientOptions = {},
  clock: Clock = SYSTEM_CLOCK,
): LatheClient {
  const {
    maxRetries = 3,
    timeoutMs = 30_000,
    maxRetryAfterSeconds = 60,
    stallMs = 30_000,
    maxReconnects = 10,
  } = options;
  const connection = connect<paths>({
    baseUrl: requireAddress(options.baseUrl ?? fromEnvironment("LATHE_BASE_URL")),
    headers: {
      Authorization: `Bearer ${requireKey(options.apiKey ?? fromEnvironment("LATHE_API_KEY"))}`,
    },
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
      reject: (approvalId, message, options) =>
        resolve(approvalId, { decision: "reject", message }, options),
    },
    apps: {
      ...resources.apps,
      events: (appId, runId, { startingAfter: after = -1, signal } = {}) =>
        readAppEvents(appEventSource(api, transport, { appId, runId }, signal), {
          after,
          clock,
          signal,
        }),
    },
    events: {
      ...resources.events,
      follow: ({ startingAfter: after = 0, types, signal } = {}) =>
        followAccountEvents(accountEventSource(api, transport, types, signal), {
          after,
          maxReconnects,
          clock,
          signal,
        }),
    },
    files: { ...resources.files, ...createFileTransfers(api, transport) },
    endUsers: { ...resources.endUsers, ...createEndUserExport(api, transport) },
  };
}

function requireAddress(baseUrl: string | undefined): string {
  if (!baseUrl)
    throw new TypeError(
      "There is no `baseUrl`: give the service's address, or set LATHE_BASE_URL.",
    );
  const { protocol } = new URL(baseUrl);
  if (protocol !== "http:" && protocol !== "https:")
    throw new TypeError("`baseUrl` must be an http or https address.");
  return baseUrl;
}

function requireKey(apiKey: string | undefined): string {
  if (!apiKey)
    throw new TypeError("There is no `apiKey`: give a key of the service, or set LATHE_API_KEY.");
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    throw new TypeError("`apiKey` must be a key of the service, `svc_sk_…`.");
  return apiKey;
}

/** Node.js, Deno and Bun have an environment; edge runtimes and browsers may have none. */
function fromEnvironment(name: "LATHE_API_KEY" | "LATHE_BASE_URL"): string | undefined {
  // Of a runtime that is not known here.
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name];
}

type Schemas = components["schemas"];

/** What is done to agents by runs, made and changed in plain language, and by documents of YAML. */
export interface AgentVerbs {
  /** Starts the creation run. */
  create(body: Schemas["CreateAgentRequest"], options?: StartOptions): Promise<Run>;
  /**
   * Starts the creation run, waits for it and gives the new agent's id. @throws LatheRunError when
   * none was made; LatheTimeoutError
   */
  createAndWait(
    body: Schemas["CreateAgentRequest"],
    options?: StartOptions & WaitOptions,
  ): Promise<string>;
  /**
   * Waits for a creation run and gives the new agent's id. @throws LatheRunError when none was
   * made; LatheTimeoutError
   */
  waitForAgent(runId: string, options?: WaitOptions): Promise<string>;
  /** Starts an edit run; the agent stays as it is until the edit succeeds. */
  edit(
    agentId: string,
    body: Schemas["CreateAgentEditRequest"],
    options?: StartOptions,
  ): Promise<EditRun>;
  /**
   * Waits for an edit run that succeeds. @throws LatheRunError when it does not; LatheTimeoutError
   */
  waitForEdit(agentId: string, runId: string, options?: WaitOptions): Promise<EditRun>;
  /** The agent as one document of YAML, with what stands in its comments. */
  export(agentId: string, options?: CallOptions): Promise<string>;
  /** A new agent of such a document. Sent once: a second try could make a second agent. */
  import(document: string, options?: CallOptions): Promise<Agent>;
}

const EDIT_ENDS: readonly EditRun["status"][] = ["succeeded", "failed", "cancelled"];

export function createAgents(
  api: Client<paths>,
  runs: Pick<AgentRuns, "wait">,
  settings: PollSettings,
): AgentVerbs {
  const create: AgentVerbs["create"] = (body, options = {}) =>
    dataOf(api.POST("/v1/agents", { ...startInit(options), body }));
  const waitForAgent: AgentVerbs["waitForAgent"] = async (runId, options) => {
    const run = await runs.wait(runId, options);
    if (run.status !== "completed" || run.agent_id === null) throw new LatheRunError(run);
    return run.agent_id;
  };
  return {
    create,
    waitForAgent,
    createAndWait: async (body, options = {}) =>
      waitForAgent((await create(body, options)).run_id, options),
    edit: (agentId, body, options = {}) =>
      dataOf(
        api.POST("/v1/agents/{agent_id}/edits", {
          ...startInit(options),
          params: { path: { agent_id: agentId } },
          body,
        }),
      ),
    async waitForEdit(agentId, runId, options = {}) {
      const path = { agent_id: agentId, run_id: runId };
      const fetch = (signal: AbortSignal | undefined) =>
        dataOf(api.GET("/v1/agents/{agent_id}/edits/{run_id}", { params: { path }, signal }));
      const edit = await poll(
        runId,
        fetch,
        ({ status }) => EDIT_ENDS.includes(status),
        options,
        settings,
      );
      if (edit.status !== "succeeded") throw new LatheRunError(edit);
      return edit;
    },
    export: (agentId, { signal } = {}) =>
      dataOf(
        api.GET("/v1/agents/{agent_id}/export", {
          params: { path: { agent_id: agentId } },
          parseAs: "text",
          signal,
        }),
      ),
    import: (document, { signal } = {}) => {
      const yaml = {
        headers: { "Content-Type": "application/yaml" },
        bodySerializer: () => document,
      };
      // The document says what its YAML holds; what is sent is its text.
      return dataOf(api.POST("/v1/agents/import", { ...yaml, body: EMPTY_DOCUMENT, signal }));
    },
  };
}

const EMPTY_DOCUMENT: Schemas["AgentDocument"] = {
  kind: "agent",
  format: 1,
  name: "",
  skill_content: "",
};

type Api = Client<paths>;

/**
 * Bytes to send: at once, or as they come. A stream of Node.js (`createReadStream`) is an async
 * iterable.
 */
export type Bytes =
  | Blob
  | ArrayBuffer
  | Uint8Array<ArrayBuffer>
  | string
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>;

interface TransferOptions {
  signal?: AbortSignal;
  /** For the whole of an upload, or to the headers of a download; 600,000 by default. */
  timeoutMs?: number;
}

export interface FileTransfers {
  /**
   * Stores `content` at `path` of the workspace; what was there is replaced. Sent once: bytes of a
   * stream are gone after the first try.
   * @throws LatheApiError, LatheConnectionError, the signal's reason
   */
  upload(
    workspaceId: string,
    path: string,
    content: Bytes,
    options?: TransferOptions & { contentType?: string },
  ): Promise<WorkspaceFile>;
  /** The file's bytes as an answer of `fetch`: `blob()`, `text()` or `body`. @throws as `upload` */
  download(
    workspaceId: string,
    fileId: string,
    options?: TransferOptions & { range?: string },
  ): Promise<Response>;
  /** The same of a file that a run has made, by its path. */
  downloadOfRun(
    runId: string,
    path: string,
    options?: TransferOptions & { range?: string },
  ): Promise<Response>;
}

const TRANSFER_TIMEOUT_MS = 600_000;
const FILES = "/v1/workspaces/{workspace_id}/files";

export function createFileTransfers(api: Api, transport: Transport): FileTransfers {
  return {
    upload(
      workspaceId,
      path,
      content,
      { signal, timeoutMs = TRANSFER_TIMEOUT_MS, contentType } = {},
    ) {
      const type = contentType ?? (content instanceof Blob ? content.type : "");
      const init = {
        params: { path: { workspace_id: workspaceId }, query: { path } },
        // Of raw bytes the document says only that they are a string: what is sent is the content.
        body: "",
        bodySerializer: () => toBody(content),
        headers: { "Content-Type": type || "application/octet-stream" },
        // What `fetch` asks for with a body that is a stream.
        duplex: "half",
        fetch: transport.onceWithin(timeoutMs),
        signal,
      };
      return dataOf(api.POST(FILES, init));
    },
    async download(workspaceId, fileId, { signal, timeoutMs = TRANSFER_TIMEOUT_MS, range } = {}) {
      const path = { workspace_id: workspaceId, file_id: fileId };
      const { response, error } = await api.GET(`${FILES}/{file_id}/content`, {
        params: { path, header: { Range: range } },
        parseAs: "stream",
        fetch: transport.onceWithin(timeoutMs),
        signal,
      });
      if (!response.ok) throw new LatheApiError(response, error, Date.now());
      return response;
    },
    async downloadOfRun(runId, path, { signal, timeoutMs = TRANSFER_TIMEOUT_MS, range } = {}) {
      const { response, error } = await api.GET("/v1/runs/{run_id}/files/content", {
        params: { path: { run_id: runId }, query: { path }, header: { Range: range } },
        parseAs: "stream",
        fetch: transport.onceWithin(timeoutMs),
        signal,
      });
      if (!response.ok) throw new LatheApiError(response, error, Date.now());
      return response;
    },
  };
}

export interface EndUserExport {
  /**
   * All that is kept of a person, as an answer of `fetch` whose body is one JSON object a line;
   * without the last one (`end`) it was cut. @throws as `files.download`
   */
  export(endUser: string, options?: TransferOptions): Promise<Response>;
}

function createEndUserExport(api: Api, transport: Transport): EndUserExport {
  return {
    async export(endUser, { signal, timeoutMs = TRANSFER_TIMEOUT_MS } = {}) {
      const { response, error } = await api.GET("/v1/end-users/{end_user}/export", {
        params: { path: { end_user: endUser } },
        parseAs: "stream",
        fetch: transport.onceWithin(timeoutMs),
        signal,
      });
      if (!response.ok) throw new LatheApiError(response, error, Date.now());
      return response;
    },
  };
}

function toBody(
  content: Bytes,
): Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | string | ReadableStream<Uint8Array> {
  return isIterable(content) ? toStream(content) : content;
}

/** Of what is sent as it is, streams may be iterable too. */
function isIterable(content: Bytes): content is AsyncIterable<Uint8Array> {
  return (
    typeof content === "object" &&
    !(content instanceof ReadableStream) &&
    Symbol.asyncIterator in content
  );
}

/** `ReadableStream.from` is not everywhere yet. */
function toStream(content: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = content[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}
