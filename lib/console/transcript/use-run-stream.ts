"use client";

import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { LatheStreamError } from "@/lib/client/errors";
import type { RunStream as EventStream } from "@/lib/client/run-stream";
import type { Runs } from "@/lib/client/runs";
import type {
  LoggedEvent,
  RealtimeRunRequest,
  SuperAgentRealtimeRunRequest,
} from "@/lib/client/schemas";
import { consoleApi } from "@/lib/console/api";
import {
  applyEvents,
  EMPTY_TRANSCRIPT,
  type Transcript,
} from "@/lib/console/transcript/transcript";

export type FollowState = "connecting" | "live" | "reconnecting" | "ended";

/** Runs of one kind: where they are started, followed and stopped. */
interface RunSurface<Body> {
  runs: Pick<Runs<never, Body>, "stream" | "events" | "cancel">;
  /** The console's page of such a run; null where it has none. */
  page: ((runId: string) => string) | null;
  /** Where something is said to such a run, and what was said is listed. */
  messages: MessagePath;
}

export type MessagePath = "/v1/runs/{run_id}/messages" | "/v1/super-agent/runs/{run_id}/messages";

const AGENT_RUNS: RunSurface<RealtimeRunRequest> = {
  runs: consoleApi.runs,
  page: (runId) => `/runs/${runId}`,
  messages: "/v1/runs/{run_id}/messages",
};

/** The super-agent's runs live on routes of their own; the others answer as if there were none. */
export const SUPER_AGENT_RUNS: RunSurface<SuperAgentRealtimeRunRequest> = {
  runs: consoleApi.superAgentRuns,
  page: null,
  messages: "/v1/super-agent/runs/{run_id}/messages",
};

export interface RunStream<Body = RealtimeRunRequest> {
  surface: RunSurface<Body>;
  transcript: Transcript;
  /** Null before anything was followed. */
  state: FollowState | null;
  /** The refusal that ended the following, not the run's own failure. */
  error: Error | null;
  /** Accepts a run on the realtime route and follows it. Throws nothing: look at `error`. */
  start: (body: Body) => void;
  follow: (runId: string) => void;
  reset: () => void;
}

type Open = (options: { signal: AbortSignal; onReconnect: () => void }) => EventStream;

/**
 * One run's transcript at a time, live. What was followed before is let go of; unmounting lets go
 * too (the run itself goes on). A broken connection is tried again at once when the network or the
 * reader is back.
 */
export function useRunStream(): RunStream;
export function useRunStream<Body>(surface: RunSurface<Body>): RunStream<Body>;
export function useRunStream(surface: RunSurface<RealtimeRunRequest> = AGENT_RUNS): RunStream {
  const [store] = useState(() => new TranscriptStore());
  const [state, setState] = useState<FollowState | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const controller = useRef<AbortController | null>(null);
  const transcript = useSyncExternalStore(store.subscribe, store.snapshot, emptySnapshot);

  const reset = useCallback(() => {
    controller.current?.abort();
    controller.current = null;
    store.reset();
    setState(null);
    setError(null);
  }, [store]);

  const attach = useCallback(
    (open: Open) => {
      reset();
      const own = new AbortController();
      controller.current = own;
      const ifCurrent = (act: () => void) =>
        controller.current === own && !own.signal.aborted && act();
      setState("connecting");
      const stream = open({
        signal: own.signal,
        onReconnect: () => ifCurrent(() => setState("reconnecting")),
      });
      retryWhenBack(stream, own.signal);
      const read = async () => {
        for await (const event of stream)
          ifCurrent(() => {
            setState("live");
            store.push(event);
          });
      };
      read()
        // The log of a run that ended more than a day ago is gone: what was not read of it by then
        // is in the run's result.
        .catch(
          (failure: unknown) =>
            failure instanceof LatheStreamError || ifCurrent(() => setError(toError(failure))),
        )
        .finally(() => ifCurrent(() => setState("ended")));
    },
    [reset, store],
  );

  const start = useCallback(
    (body: RealtimeRunRequest) => attach((options) => surface.runs.stream(body, options)),
    [attach, surface],
  );
  const follow = useCallback(
    (runId: string) => attach((options) => surface.runs.events(runId, options)),
    [attach, surface],
  );
  useEffect(() => () => controller.current?.abort(), []);
  return { surface, transcript, state, error, start, follow, reset };
}

function toError(failure: unknown): Error {
  return failure instanceof Error ? failure : new Error("The stream could not be read.");
}

/**
 * Until `signal` aborts: when the browser is online again, or its page in view again, a wait for
 * the next try ends.
 */
function retryWhenBack(stream: EventStream, signal: AbortSignal): void {
  window.addEventListener("online", () => stream.retryNow(), { signal });
  document.addEventListener("visibilitychange", () => document.hidden || stream.retryNow(), {
    signal,
  });
}

function emptySnapshot(): Transcript {
  return EMPTY_TRANSCRIPT;
}

/** Calls back once, soon; an animation frame in the browser. */
type Schedule = (callback: () => void) => void;

/** A hidden page gets no frames at all, and its events must not pile up unread. */
const nextFrame: Schedule = (callback) => {
  if (typeof document === "undefined" || document.hidden) setTimeout(callback, 250);
  else requestAnimationFrame(callback);
};

/**
 * Gathers events and folds them in once a frame, so that a fast model costs one drawing a frame and
 * not one a token.
 */
export class TranscriptStore {
  #transcript = EMPTY_TRANSCRIPT;
  #waiting: LoggedEvent[] = [];
  readonly #listeners = new Set<() => void>();
  readonly #schedule: Schedule;

  constructor(schedule: Schedule = nextFrame) {
    this.#schedule = schedule;
  }

  readonly push = (event: LoggedEvent): void => {
    this.#waiting.push(event);
    if (this.#waiting.length === 1) this.#schedule(this.#flush);
  };

  /** Back to nothing, for another run. */
  readonly reset = (): void => {
    this.#waiting = [];
    this.#set(EMPTY_TRANSCRIPT);
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly snapshot = (): Transcript => this.#transcript;

  readonly #flush = (): void => {
    const events = this.#waiting;
    this.#waiting = [];
    this.#set(applyEvents(this.#transcript, events));
  };

  #set(transcript: Transcript): void {
    if (transcript === this.#transcript) return;
    this.#transcript = transcript;
    for (const listener of this.#listeners) listener();
  }
}

/** Follows the run of this id from mount on. */
export function useFollowRun(runId: string): RunStream {
  const stream = useRunStream();
  const { follow } = stream;
  useEffect(() => follow(runId), [follow, runId]);
  return stream;
}
