import { poll, type WaitOptions } from "./poll";
import { RunStream, type RunStreamSettings } from "./run-stream";
import type { Run } from "./schemas";

export interface CallOptions {
  signal?: AbortSignal;
}

export interface StartOptions extends CallOptions {
  /** One of your own makes the same start from anywhere the same run, for 24 hours. Without it each call has a key, the same over its tries. */
  idempotencyKey?: string;
}

export interface RunWaitOptions extends WaitOptions {
  /** Also ends the wait when the run waits for a person's decision (`requires_action`). */
  untilAction?: boolean;
}

/** The runs of one door: the agents' or the super-agent's. */
export interface Runs<CreateBody, StreamBody> {
  /** Starts a run. Retried safely: one call never starts two. */
  create(body: CreateBody, options?: StartOptions): Promise<Run>;
  get(runId: string, options?: CallOptions): Promise<Run>;
  /** Cancels it; a run that has ended is given back unchanged. */
  cancel(runId: string, options?: CallOptions): Promise<Run>;
  /** Polls until the run has ended, however it did. @throws LatheTimeoutError */
  wait(runId: string, options?: RunWaitOptions): Promise<Run>;
  /** Starts a run with the first event asked for, and gives its events until it has ended, over broken connections. See `RunStream`. */
  stream(body: StreamBody, options?: CallOptions): RunStream;
  /** The events of a run that is there, after `startingAfter` (-1, the default, for all), then those to come. Kept for 24 hours after its end. */
  events(runId: string, options?: CallOptions & { startingAfter?: number }): RunStream;
}

/** The requests that `createRuns` is made of. */
export interface RunRequests<CreateBody, StreamBody> {
  create(body: CreateBody, options: StartOptions): Promise<Run>;
  get(runId: string, signal: AbortSignal | undefined): Promise<Run>;
  cancel(runId: string, signal: AbortSignal | undefined): Promise<Run>;
  stream(body: StreamBody, signal: AbortSignal | undefined): Promise<ReadableStream<Uint8Array>>;
  /** One try: the stream itself decides when to try again. */
  events(runId: string, after: number, signal: AbortSignal | undefined): Promise<ReadableStream<Uint8Array>>;
}

export type RunSettings = Omit<RunStreamSettings, "signal">;

export function createRuns<C, S>(requests: RunRequests<C, S>, settings: RunSettings): Runs<C, S> {
  const sourceFor = (signal: AbortSignal | undefined) => ({
    resume: (runId: string, after: number) => requests.events(runId, after, signal),
    isOver: async (runId: string) => hasEnded(await requests.get(runId, signal)),
  });
  return {
    create: (body, options = {}) => requests.create(body, options),
    get: (runId, { signal } = {}) => requests.get(runId, signal),
    cancel: (runId, { signal } = {}) => requests.cancel(runId, signal),
    wait: (runId, options = {}) => {
      const isEnough = (run: Run) => hasEnded(run) || (options.untilAction === true && run.requires_action !== null);
      return poll(runId, (signal) => requests.get(runId, signal), isEnough, options, settings);
    },
    stream: (body, { signal } = {}) => {
      const start = () => requests.stream(body, signal);
      return new RunStream({ ...sourceFor(signal), start }, { ...settings, signal });
    },
    events: (runId, { signal, startingAfter = -1 } = {}) => new RunStream(sourceFor(signal), { ...settings, signal }, runId, startingAfter),
  };
}

function hasEnded({ status }: Run): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}
