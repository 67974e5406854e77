import { isTransient, pause } from "./app-requests";
import type { Clock } from "./clock";
import { LatheConnectionError } from "./errors";
import type { components } from "./openapi-types";
import { readLines } from "./read-lines";

type Line = components["schemas"]["AppRunEvent"];

/** An event of a run's log, in camelCase: pings and errors of the stream itself are none. */
export type AppEvent = Exclude<Line, { type: "ping" | "error" }>;

/** Where the lines of one run are read. */
export interface EventSource {
  open(after: number): Promise<ReadableStream<Uint8Array>>;
  isOver(): Promise<boolean>;
}

const FAILURES_MAX = 8;

/**
 * The events after a number, in order, each once, to the terminal one. A connection that breaks, is
 * silent or ends with its token is opened again where it was.
 */
export async function* readAppEvents(
  source: EventSource,
  { after, clock, signal }: { after: number; clock: Clock; signal?: AbortSignal },
): AsyncGenerator<AppEvent, void, undefined> {
  let last = after;
  let failures = 0;
  for (let wasOver = false; ; ) {
    let cause: unknown = null;
    const before = last;
    try {
      for await (const line of readLines<Line>(await source.open(last), signal)) {
        if (line.type === "error") throw new LatheConnectionError(`${line.code}: ${line.message}`);
        if (line.type === "ping" || line.sequenceNumber <= last) continue;
        if (line.sequenceNumber > last + 1 && last >= 0)
          throw new LatheConnectionError(
            `The stream lost what comes before ${line.sequenceNumber}.`,
          );
        last = line.sequenceNumber;
        failures = 0;
        yield line;
        if (line.type === "run.completed" || line.type === "run.failed") return;
      }
      // Of a run that had ended before the stream was opened there is no more to come.
      if (wasOver && last === before) return;
      wasOver = await source.isOver();
      if (last > before || wasOver) continue;
    } catch (error) {
      signal?.throwIfAborted();
      if (!isTransient(error)) throw error;
      cause = error;
    }
    failures += 1;
    if (failures > FAILURES_MAX)
      throw cause ?? new LatheConnectionError("The run's events cannot be read on.");
    await clock.sleep(pause(failures, cause, clock), signal);
  }
}
