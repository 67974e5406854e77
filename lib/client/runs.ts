import type { Client } from "openapi-fetch";
import type { EventSource } from "./app-events";
import type { Clock } from "./clock";
import { LatheConnectionError, LatheRunError, LatheTimeoutError } from "./errors";
import type { components, paths } from "./openapi-types";
import { RunStream, type RunStreamSettings } from "./run-stream";
import type { ModelId, Run, RunResult } from "./schemas";
import { isRetryable, type Transport } from "./transport";
import { dataOf } from "./verbs";

type Schemas = components["schemas"];
type Api = Client<paths>;
type Lines = ReadableStream<Uint8Array>;

export interface CallOptions {
  signal?: AbortSignal;
}

export interface StartOptions extends CallOptions {
  /**
   * One of your own makes the same start from anywhere the same run, for 24 hours. Without it each
   * call has a key, the same over its tries.
   */
  idempotencyKey?: string;
}

interface StreamOptions extends CallOptions {
  /**
   * Called when the connection is gone, before the wait for the next try, which
   * `RunStream.retryNow` ends.
   */
  onReconnect?: () => void;
}

interface RunWaitOptions extends WaitOptions {
  /** Also ends the wait when the run waits for a person's decision (`requires_action`). */
  untilAction?: boolean;
}

interface DataOptions<Data> {
  /**
   * Reads `result.data`, as `schema.parse` of zod does; what it returns takes its place. Without it
   * the data is what the service says, unread.
   */
  readData?: (data: unknown) => Data;
}

/** A run that did what it was to do; `Data` is what the output schema of its agent asks for. */
export type CompletedRun<Data = unknown> = Run & {
  status: "completed";
  result: RunResult & { data: Data };
};

/** Runs of one kind: the agents' or the super-agent's. */
export interface Runs<CreateBody, StreamBody> {
  /** Starts a run. Retried safely: one call never starts two. */
  create(body: CreateBody, options?: StartOptions): Promise<Run>;
  /**
   * Starts a run and waits until it is completed; `lathe.runs.createAndWait<Weather>(…)` says what
   * `result.data` is, and `readData` sees to it.
   * @throws LatheRunError when it ends in another way; LatheTimeoutError; what `readData` throws
   */
  createAndWait<Data = unknown>(
    body: CreateBody,
    options?: StartOptions & WaitOptions & DataOptions<Data>,
  ): Promise<CompletedRun<Data>>;
  get(runId: string, options?: CallOptions): Promise<Run>;
  /** Cancels it; a run that has ended is given back unchanged. */
  cancel(runId: string, options?: CallOptions): Promise<Run>;
  /** Polls until the run has ended, however it did. @throws LatheTimeoutError */
  wait(runId: string, options?: RunWaitOptions): Promise<Run>;
  /**
   * Starts a run with the first event asked for, and gives its events until it has ended, over
   * broken connections. See `RunStream`.
   */
  stream(body: StreamBody, options?: StreamOptions): RunStream;
  /**
   * The events of a run that is there, after `startingAfter` (-1, the default, for all), then those
   * to come. Kept for 24 hours after its end.
   */
  events(runId: string, options?: StreamOptions & { startingAfter?: number }): RunStream;
}

type WithModel<Body> = Omit<Body, "model"> & { model?: ModelId };

export type AgentRuns = Runs<
  WithModel<Schemas["CreateRunRequest"]>,
  WithModel<Schemas["RealtimeRunRequest"]>
>;
export type SuperAgentRuns = Runs<
  WithModel<Schemas["CreateSuperAgentRunRequest"]>,
  WithModel<Schemas["SuperAgentRealtimeRunRequest"]>
>;

/** The requests that `createRuns` is made of. */
export interface RunRequests<CreateBody, StreamBody> {
  create(body: CreateBody, options: StartOptions): Promise<Run>;
  get(runId: string, signal: AbortSignal | undefined): Promise<Run>;
  cancel(runId: string, signal: AbortSignal | undefined): Promise<Run>;
  stream(body: StreamBody, signal: AbortSignal | undefined): Promise<ReadableStream<Uint8Array>>;
  /** One try: the stream itself decides when to try again. */
  events(
    runId: string,
    after: number,
    signal: AbortSignal | undefined,
  ): Promise<ReadableStream<Uint8Array>>;
}

export type RunSettings = Omit<RunStreamSettings, "signal" | "onReconnect">;

export function createRuns<C, S>(requests: RunRequests<C, S>, settings: RunSettings): Runs<C, S> {
  const sourceFor = (signal: AbortSignal | undefined) => ({
    resume: (runId: string, after: number) => requests.events(runId, after, signal),
    isOver: async (runId: string) => hasEnded(await requests.get(runId, signal)),
  });
  const wait: Runs<C, S>["wait"] = (runId, options = {}) => {
    const isEnough = (run: Run) =>
      hasEnded(run) || (options.untilAction === true && run.requires_action !== null);
    return poll(runId, (signal) => requests.get(runId, signal), isEnough, options, settings);
  };
  return {
    create: (body, options = {}) => requests.create(body, options),
    async createAndWait(body, options = {}) {
      const { run_id } = await requests.create(body, options);
      return toCompleted(await wait(run_id, options), options);
    },
    get: (runId, { signal } = {}) => requests.get(runId, signal),
    cancel: (runId, { signal } = {}) => requests.cancel(runId, signal),
    wait,
    stream: (body, { signal, onReconnect } = {}) => {
      const start = () => requests.stream(body, signal);
      return new RunStream({ ...sourceFor(signal), start }, { ...settings, signal, onReconnect });
    },
    events: (runId, { signal, onReconnect, startingAfter = -1 } = {}) =>
      new RunStream(sourceFor(signal), { ...settings, signal, onReconnect }, runId, startingAfter),
  };
}

function toCompleted<Data>(run: Run, { readData }: DataOptions<Data>): CompletedRun<Data> {
  const { status, result } = run;
  if (status !== "completed" || result === null) throw new LatheRunError(run);
  // Whoever gives no reader says by the type what the agent's own output schema promises.
  const data = readData ? readData(result.data) : (result.data as Data);
  return { ...run, status, result: { ...result, data } };
}

function hasEnded({ status }: Run): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}

export interface WaitOptions {
  signal?: AbortSignal;
  /**
   * Gives up waiting, not the run, after so many milliseconds. Without it, waits as long as the run
   * takes.
   */
  timeoutMs?: number;
  /**
   * Milliseconds before the second look, growing to twenty times as many; 250 by default, so that
   * in the end a minute has twelve looks.
   */
  pollMs?: number;
}

export interface PollSettings {
  clock: Clock;
  /** Looks that may fail, one after the other. */
  maxReconnects: number;
}

const POLL_MS = 250;
const GROWTH = 1.6;
const MAX_GROWTH = 20;

/**
 * Fetches a run again and again, ever more slowly, until `isEnough`, and returns it. Outages of the
 * service are waited through.
 * @throws LatheTimeoutError after `timeoutMs`; the signal's reason; whatever `fetch` rejects with
 * that will not pass
 */
export async function poll<T>(
  runId: string,
  fetch: (signal: AbortSignal | undefined) => Promise<T>,
  isEnough: (found: T) => boolean,
  { signal, timeoutMs = Number.POSITIVE_INFINITY, pollMs = POLL_MS }: WaitOptions,
  { clock, maxReconnects }: PollSettings,
): Promise<T> {
  const end = clock.now() + timeoutMs;
  let failures = 0;
  for (let delay = pollMs; ; delay = Math.min(pollMs * MAX_GROWTH, delay * GROWTH)) {
    try {
      const found = await fetch(signal);
      if (isEnough(found)) return found;
      failures = 0;
    } catch (error) {
      failures += 1;
      if (!isRetryable(error) || failures > maxReconnects) throw error;
    }
    // A little chance keeps many waiters from asking in step.
    const pause = delay * (0.8 + 0.4 * clock.random());
    if (clock.now() + pause > end)
      throw new LatheTimeoutError(
        `Run ${runId} did not end within ${timeoutMs} ms; it goes on.`,
        runId,
      );
    await clock.sleep(pause, signal);
  }
}

/** How an event stream is asked for: its bytes as they come. */
const STREAM = { headers: { Accept: "application/x-ndjson" }, parseAs: "stream" } as const;

/** The requests of the account's runs: of agents, creations and edits. */
export function agentRunRequests(
  api: Api,
  { sendOnce }: Transport,
): RunRequests<Schemas["CreateRunRequest"], Schemas["RealtimeRunRequest"]> {
  return {
    create: (body, options) => dataOf(api.POST("/v1/runs", { ...startInit(options), body })),
    get: (runId, signal) =>
      dataOf(api.GET("/v1/runs/{run_id}", { params: { path: { run_id: runId } }, signal })),
    cancel: (runId, signal) =>
      dataOf(api.POST("/v1/runs/{run_id}/cancel", { params: { path: { run_id: runId } }, signal })),
    stream: (body, signal) => linesOf(api.POST("/v1/realtime/runs", { ...STREAM, body, signal })),
    events: (runId, after, signal) => {
      const params = { path: { run_id: runId }, query: { starting_after: after } };
      return linesOf(
        api.GET("/v1/runs/{run_id}/events", { ...STREAM, params, signal, fetch: sendOnce }),
      );
    },
  };
}

/** The same of the super-agent's runs. */
export function superAgentRunRequests(
  api: Api,
  { sendOnce }: Transport,
): RunRequests<Schemas["CreateSuperAgentRunRequest"], Schemas["SuperAgentRealtimeRunRequest"]> {
  return {
    create: (body, options) =>
      dataOf(api.POST("/v1/super-agent/runs", { ...startInit(options), body })),
    get: (runId, signal) =>
      dataOf(
        api.GET("/v1/super-agent/runs/{run_id}", { params: { path: { run_id: runId } }, signal }),
      ),
    cancel: (runId, signal) =>
      dataOf(
        api.POST("/v1/super-agent/runs/{run_id}/cancel", {
          params: { path: { run_id: runId } },
          signal,
        }),
      ),
    stream: (body, signal) =>
      linesOf(api.POST("/v1/super-agent/realtime/runs", { ...STREAM, body, signal })),
    events: (runId, after, signal) => {
      const params = { path: { run_id: runId }, query: { starting_after: after } };
      return linesOf(
        api.GET("/v1/super-agent/runs/{run_id}/events", {
          ...STREAM,
          params,
          signal,
          fetch: sendOnce,
        }),
      );
    },
  };
}

/** Where the events of a run of the app-scoped path are read. */
export function appEventSource(
  api: Api,
  { sendOnce }: Transport,
  path: { appId: string; runId: string },
  signal: AbortSignal | undefined,
): EventSource {
  return {
    open: (startingAfter) => {
      const params = { path, query: { startingAfter } };
      return linesOf(
        api.GET("/api/v1/apps/{appId}/runs/{runId}/events", {
          ...STREAM,
          params,
          signal,
          fetch: sendOnce,
        }),
      );
    },
    isOver: async () => {
      const run = await dataOf(
        api.GET("/api/v1/apps/{appId}/runs/{runId}", { params: { path }, signal }),
      );
      return run.completedAt !== null;
    },
  };
}

/** Where the account's events are read, from behind a number. */
export function accountEventSource(
  api: Api,
  { sendOnce }: Transport,
  types: readonly string[] | undefined,
  signal: AbortSignal | undefined,
): (after: number) => Promise<Lines> {
  return (starting_after) => {
    const params = { query: { starting_after, ...(types && { types: types.join(",") }) } };
    return linesOf(api.GET("/v1/events", { ...STREAM, params, signal, fetch: sendOnce }));
  };
}

async function linesOf(
  answering: Promise<{ data?: Lines | null; error?: unknown; response: Response }>,
): Promise<Lines> {
  const lines = await dataOf(answering);
  if (!lines) throw new LatheConnectionError("The answer is no stream.");
  return lines;
}

/** A start's options in the words of a request. */
export function startInit({ signal, idempotencyKey }: StartOptions): {
  signal?: AbortSignal;
  headers?: Record<string, string>;
} {
  return {
    signal,
    ...(idempotencyKey !== undefined && { headers: { "Idempotency-Key": idempotencyKey } }),
  };
}
