import { isTransient, pause } from "./app-requests";
import type { Clock } from "./clock";
import { LatheConnectionError } from "./errors";
import type { components } from "./openapi-types";
import { readLines } from "./read-lines";

/** Something that happened in the account, as webhook endpoints are sent it. */
export type AccountEvent = components["schemas"]["AccountEvent"];
/** Pings and errors of the stream itself are no events. */
type Line = AccountEvent | { type: "ping" } | { type: "error"; code: string; message: string };

interface FollowOptions {
  /** The `sequence` to go on after. */
  after: number;
  /** Connections in a row that bring nothing before it gives up. */
  maxReconnects: number;
  clock: Clock;
  signal?: AbortSignal;
}

/**
 * The account's events after a number, in order, each once, without an end. A connection that
 * breaks, is silent or ends is opened again where it was.
 * @param open the stream of what comes after a number
 */
export async function* followAccountEvents(
  open: (after: number) => Promise<ReadableStream<Uint8Array>>,
  { after, maxReconnects, clock, signal }: FollowOptions,
): AsyncGenerator<AccountEvent, void, undefined> {
  let last = after;
  for (let failures = 1; ; failures += 1) {
    let cause: unknown = null;
    try {
      for await (const line of readLines<Line>(await open(last), signal)) {
        if (isFault(line)) throw new LatheConnectionError(`${line.code}: ${line.message}`);
        failures = 0;
        if (!isEvent(line) || line.sequence <= last) continue;
        last = line.sequence;
        yield line;
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!isTransient(error)) throw error;
      cause = error;
    }
    signal?.throwIfAborted();
    if (failures >= maxReconnects)
      throw cause ?? new LatheConnectionError("The account's events cannot be read on.");
    await clock.sleep(pause(Math.max(1, failures), cause, clock), signal);
  }
}

function isFault(line: Line): line is Extract<Line, { type: "error" }> {
  return line.type === "error";
}

function isEvent(line: Line): line is AccountEvent {
  return "sequence" in line;
}
