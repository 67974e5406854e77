"use client";
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { type FollowState, followRun } from "@/lib/console/follow-run";
import { requestConsole } from "@/lib/console/request-console";
import { AGENT_RUN_ROUTES, type RunRoutes } from "@/lib/console/run-routes";
import { EMPTY_TRANSCRIPT, type Transcript } from "@/lib/console/transcript/transcript";
import { TranscriptStore } from "@/lib/console/transcript/transcript-store";

export interface RunStream {
  routes: RunRoutes;
  transcript: Transcript;
  /** Null before anything was followed. */
  state: FollowState | null;
  /** The refusal that ended the following, not the run's own failure. */
  error: Error | null;
  /** Accepts a run on the realtime route and follows it. Throws nothing: look at `error`. */
  start: (body: unknown) => void;
  follow: (runId: string) => void;
  reset: () => void;
}

/** One run's transcript at a time, live. What was followed before is let go of; unmounting lets go too (the run itself goes on). */
export function useRunStream(routes: RunRoutes = AGENT_RUN_ROUTES): RunStream {
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
    (runId: string | null, open?: (signal: AbortSignal) => Promise<Response>) => {
      reset();
      const own = new AbortController();
      controller.current = own;
      const current = () => controller.current === own;
      followRun({
        runId,
        routes,
        open,
        signal: own.signal,
        onEvent: (event) => current() && store.push(event),
        onState: (next) => current() && setState(next),
      }).catch((failure: unknown) => {
        if (!current()) return;
        setState("ended");
        setError(failure instanceof Error ? failure : new Error("The stream could not be read."));
      });
    },
    [reset, routes, store],
  );

  const start = useCallback(
    (body: unknown) => attach(null, (signal) => requestConsole(routes.realtime, { method: "POST", body, signal })),
    [attach, routes],
  );
  const follow = useCallback((runId: string) => attach(runId), [attach]);
  useEffect(() => () => controller.current?.abort(), []);
  return { routes, transcript, state, error, start, follow, reset };
}

function emptySnapshot(): Transcript {
  return EMPTY_TRANSCRIPT;
}
