import { ConsoleError } from "@/lib/console/console-error";
import { requestConsole } from "@/lib/console/request-console";
import { requestConsoleJson } from "@/lib/console/request-console-json";
import { AGENT_RUN_ROUTES, type RunRoutes } from "@/lib/console/run-routes";
import type { Run } from "@/lib/console/shapes/run";
import { isTerminalEvent, type RunEvent } from "@/lib/model/run/run-event";
import { isTerminal } from "@/lib/model/run/run-status";

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

/** Whether the run at this path has come to its end, asked of the service. */
async function isRunOver(path: string): Promise<boolean> {
  return isTerminal((await requestConsoleJson<Run>(path)).status);
}

/** Waits; shorter when `signal` aborts or the browser comes back online. Never rejects. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", finish);
      globalThis.removeEventListener?.("online", finish);
      resolve();
    };
    const timer = setTimeout(finish, milliseconds);
    signal.addEventListener("abort", finish);
    globalThis.addEventListener?.("online", finish);
  });
}

/** Three pings missed and more: nothing will come any longer. */
const SILENT_MAX_MILLISECONDS = 45_000;

/**
 * The numbered lines of one connection. `ping` only proves that it lives; `error` ends it, as the end of the stream does. Throws
 * when the connection breaks, stays silent for 45 s, or `signal` aborts (which must also abort the request itself).
 */
async function* readRunEvents(response: Response, signal: AbortSignal): AsyncGenerator<RunEvent, void, undefined> {
  if (!response.body) return;
  const lines = readNdjson(response.body);
  try {
    for (;;) {
      const next = await withDeadline(lines.next(), signal);
      if (next.done) return;
      const line = next.value;
      if (!isRecord(line) || line.type === "ping") continue;
      if (line.type === "error") return;
      if (isNumbered(line)) yield line;
    }
  } finally {
    // Not awaited: it stands behind a read that may hang until the request is aborted.
    void lines.return();
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** Lines fit the contract; a type that is not known here is passed over by whoever shows it. */
function isNumbered(line: Record<string, unknown>): line is Record<string, unknown> & RunEvent {
  return typeof line.sequence_number === "number" && typeof line.run_id === "string" && typeof line.type === "string";
}

function withDeadline<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Error("The stream went silent."));
    const timer = setTimeout(fail, SILENT_MAX_MILLISECONDS);
    signal.addEventListener("abort", fail, { once: true });
    const settle = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", fail);
    };
    if (signal.aborted) fail();
    promise.then(resolve, reject).finally(settle);
  });
}

/** A line longer than this is no line of ours: the stream is given up before it fills the memory. */
const LINE_MAX_CHARACTERS = 4_000_000;

/** The JSON values of a stream of lines, as they arrive. Throws on a line that is no JSON; a last line without its end is dropped. */
export async function* readNdjson(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      if (rest.length > LINE_MAX_CHARACTERS) throw new Error("The stream sent a line without an end.");
      for (const line of lines) if (line.trim() !== "") yield JSON.parse(line);
    }
  } finally {
    // Leaving early must also end the connection, or the server keeps writing to nobody.
    await reader.cancel().catch(() => undefined);
  }
}
