import { type AppEvent, readAppEvents } from "./app-events";
import { AppRequests, type BrowserOptions } from "./app-requests";
import { type Clock, SYSTEM_CLOCK } from "./clock";
import type { components } from "./openapi-types";

// The package's entry for browsers: no secret, nothing of Node.js, and nothing but the app-scoped
// path. Whatever a page needs is had from this file, and nothing else of the folder is promised.
export type { AppEvent } from "./app-events";
export type { BrowserOptions, ClientToken } from "./app-requests";
export { LatheApiError, LatheConnectionError, LatheError } from "./errors";
export { newReading, type RunReading, readEvent } from "./run-reading";

type Schemas = components["schemas"];
export type AppRun = Schemas["AppRun"];
export type AppApproval = Schemas["AppApproval"];
export type AppAcceptedMessage = Schemas["AppAcceptedMessage"];
type ToolResults = Schemas["AppToolResultsRequest"]["results"];
type Inputs = Schemas["CreateAppRunRequest"]["inputs"];

/** A page of rows; `nextCursor` leads to the next. */
export interface AppPage<Row> {
  data: Row[];
  hasMore: boolean;
  nextCursor: string | null;
}

export interface CallSignal {
  signal?: AbortSignal;
}

export interface StartOptions extends CallSignal {
  /** Goes on with this conversation. */
  conversationId?: string;
  metadata?: Record<string, string>;
  maxCredits?: number;
  /** What becomes of it where a run of the conversation has not ended; absent: it is refused. */
  ifBusy?: Schemas["CreateAppRunRequest"]["ifBusy"];
  /** Of your own, so that two starts under it are one; absent: each call is a start of its own. */
  idempotencyKey?: string;
}

export interface ListOptions extends CallSignal {
  limit?: number;
  cursor?: string;
  conversationId?: string;
  /** A comma list. */
  status?: string;
}

/** What a page may do with the agent that its token is for. */
export interface BrowserClient {
  runs: {
    /** Starts a run; again after a broken connection, without a second start. */
    start(inputs: Inputs, options?: StartOptions): Promise<AppRun>;
    get(runId: string, options?: CallSignal): Promise<AppRun>;
    list(options?: ListOptions): Promise<AppPage<AppRun>>;
    /**
     * The run's events, in order, each once, to the terminal one, over broken connections and new
     * tokens. Leaving the loop closes the connection; the run goes on.
     */
    events(
      runId: string,
      options?: CallSignal & { startingAfter?: number },
    ): AsyncGenerator<AppEvent, void, undefined>;
    cancel(runId: string, options?: CallSignal): Promise<AppRun>;
    submitToolResults(runId: string, results: ToolResults, options?: CallSignal): Promise<AppRun>;
    /**
     * Says something to a run at work, or answers its question; once, also over a broken
     * connection.
     */
    sendMessage(
      runId: string,
      input: Schemas["AppSendMessageRequest"]["input"],
      options?: CallSignal & { when?: "next_step" | "after"; idempotencyKey?: string },
    ): Promise<AppAcceptedMessage>;
  };
  approvals: {
    get(approvalId: string, options?: CallSignal): Promise<AppApproval>;
    list(
      options?: CallSignal & { runId?: string; status?: string; limit?: number; cursor?: string },
    ): Promise<AppPage<AppApproval>>;
    /** With the approval as it was shown: another one by now is answered with 409. */
    resolve(
      approval: Pick<AppApproval, "approvalId" | "digest">,
      decision: "approve" | "reject",
      message?: string,
      options?: CallSignal,
    ): Promise<AppApproval>;
  };
}

/**
 * A client for a page, with tokens that your own backend makes for the person who is signed in
 * there. Rejects with `LatheApiError` when the service refuses, and with `LatheConnectionError`
 * when it cannot be reached, also after some tries.
 */
export function createBrowserClient(
  options: BrowserOptions,
  clock: Clock = SYSTEM_CLOCK,
): BrowserClient {
  const requests = new AppRequests(options, clock);
  const run = (runId: string, more = "") => `/runs/${encodeURIComponent(runId)}${more}`;
  const approval = (id: string, more = "") => `/approvals/${encodeURIComponent(id)}${more}`;
  return {
    runs: {
      start: (inputs, { signal, idempotencyKey = newKey(), ...more } = {}) =>
        requests.json("POST", "/runs", { body: { inputs, ...more }, signal, idempotencyKey }),
      get: (runId, { signal } = {}) => requests.json("GET", run(runId), { signal }),
      list: ({ signal, ...query } = {}) => requests.json("GET", "/runs", { query, signal }),
      events: (runId, { signal, startingAfter = -1 } = {}) =>
        readAppEvents(
          {
            open: (after) =>
              requests.stream(run(runId, "/events"), { query: { startingAfter: after }, signal }),
            isOver: async () => {
              const { status } = await requests.json<AppRun>("GET", run(runId), { signal });
              return status !== "pending" && status !== "running";
            },
          },
          { after: startingAfter, clock, signal },
        ),
      cancel: (runId, { signal } = {}) =>
        requests.json("POST", run(runId, "/cancel"), { signal, isRepeatable: true }),
      submitToolResults: (runId, results, { signal } = {}) =>
        requests.json("POST", run(runId, "/tool-results"), { body: { results }, signal }),
      sendMessage: (runId, input, { signal, idempotencyKey = newKey(), ...more } = {}) =>
        requests.json("POST", run(runId, "/messages"), {
          body: { input, ...more },
          signal,
          idempotencyKey,
        }),
    },
    approvals: {
      get: (id, { signal } = {}) => requests.json("GET", approval(id), { signal }),
      list: ({ signal, ...query } = {}) => requests.json("GET", "/approvals", { query, signal }),
      resolve: ({ approvalId, digest }, decision, message, { signal } = {}) =>
        requests.json("POST", approval(approvalId, "/resolve"), {
          body: { decision, digest, ...(message !== undefined && { message }) },
          signal,
          isRepeatable: true,
        }),
    },
  };
}

/**
 * `crypto.randomUUID` is for secure contexts alone; a page on a name of one's own machine is none.
 */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
