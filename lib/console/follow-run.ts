import { ConsoleError } from "@/lib/console/console-error";
import { isRunOver } from "@/lib/console/is-run-over";
import { pause } from "@/lib/console/pause";
import { readRunEvents } from "@/lib/console/read-run-events";
import { requestConsole } from "@/lib/console/request-console";
import { AGENT_RUN_ROUTES, type RunRoutes } from "@/lib/console/run-routes";
import { isTerminalEvent, type RunEvent } from "@/lib/model/run/run-event";

export type FollowState = "connecting" | "live" | "reconnecting" | "ended";

interface Follow {
  /** Null while the run has yet to be accepted by `open`. */
  runId: string | null;
  /** Where the run is read; the agents' routes when left out. */
  routes?: RunRoutes;
  /** The first connection, when it is not the event log: a realtime run's own answer. */
  open?: (signal: AbortSignal) => Promise<Response>;
  signal: AbortSignal;
  onEvent: (event: RunEvent) => void;
  onState?: (state: FollowState) => void;
  /** For tests. */
  request?: (path: string, options: { signal: AbortSignal }) => Promise<Response>;
  isOver?: (path: string) => Promise<boolean>;
  wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

const WAIT_MAX_MILLISECONDS = 10_000;

/**
 * Delivers each event of a run once and in order, until the terminal one. A broken or silent connection is taken up again after
 * the last number seen. Rejects when the service refuses for good (4xx other than 429) or when `open` fails; resolves when the
 * run ended, its log was cleared away, or `signal` aborted.
 */
export async function followRun(follow: Follow): Promise<void> {
  const { signal, onEvent, onState, routes = AGENT_RUN_ROUTES, request = requestConsole, isOver = isRunOver, wait = pause } = follow;
  let { runId, open } = follow;
  let last = -1;
  let failures = 0;
  onState?.("connecting");
  while (!signal.aborted) {
    const connection = linkedTo(signal);
    try {
      const response = open ? await open(connection.signal) : await request(routes.events(known(runId), last), connection);
      open = undefined;
      for await (const event of readRunEvents(response, connection.signal)) {
        runId = event.run_id;
        if (event.sequence_number <= last) continue;
        last = event.sequence_number;
        failures = 0;
        onState?.("live");
        onEvent(event);
        if (isTerminalEvent(event.type)) return onState?.("ended");
      }
      // The log of a run that ended more than a day ago is gone: its stream ends without a terminal line.
      if (!signal.aborted && (await isOver(routes.run(known(runId))))) return onState?.("ended");
    } catch (error) {
      if (signal.aborted) return;
      if (runId === null || (error instanceof ConsoleError && isFinal(error))) throw error;
    } finally {
      connection.abort();
    }
    if (signal.aborted) return;
    failures += 1;
    onState?.("reconnecting");
    await wait(Math.min(WAIT_MAX_MILLISECONDS, 250 * 2 ** Math.min(failures, 6)), signal);
  }
}

function linkedTo(signal: AbortSignal): AbortController {
  const controller = new AbortController();
  if (signal.aborted) controller.abort();
  signal.addEventListener("abort", () => controller.abort(), { once: true, signal: controller.signal });
  return controller;
}

function known(runId: string | null): string {
  if (runId === null) throw new ConsoleError("INTERNAL_ERROR", "The stream ended before the run had an id.", 0);
  return runId;
}

function isFinal(error: ConsoleError): boolean {
  return error.status >= 400 && error.status < 500 && error.status !== 429;
}
