import type { Clock } from "./clock";
import {
  LatheApiError,
  LatheConnectionError,
  LatheError,
  LatheRunUnknownError,
  LatheStreamError,
} from "./errors";
import type { LoggedEvent, RunEvent, TerminalEvent } from "./schemas";
import { isRetryable, retryDelay } from "./transport";

type Lines = ReadableStream<Uint8Array>;

const PING = { type: "ping" } as const;

/** Where the events of a run come from. */
export interface EventSource {
  /** Starts the run and opens its stream; absent when the run is there already. */
  start?(): Promise<Lines>;
  /** The events after a sequence number. */
  resume(runId: string, after: number): Promise<Lines>;
  isOver(runId: string): Promise<boolean>;
}

export interface RunStreamSettings {
  signal?: AbortSignal;
  /** A stream that is silent for longer (the service pings every 10 s) counts as broken. */
  stallMs: number;
  /** Tries to go on, one after the other, of which none brings anything. */
  maxReconnects: number;
  maxRetryAfterSeconds: number;
  /** Called when the connection is gone, before the wait for the next try. */
  onReconnect?: () => void;
  clock: Clock;
}

/**
 * The events of one run, in order, each once, none left out, up to the terminal one: `for await
 * (const event of stream)`, once. When the connection breaks, is silent or loses a line, it is
 * resumed after the last event that was given out. Leaving the loop closes the connection; the run
 * goes on.
 *
 * Rejects with `LatheRunUnknownError` when a run to be started broke off before its first event,
 * with `LatheStreamError` when resuming fails again and again or the service no longer keeps the
 * events, with `LatheApiError` when it refuses, and with the signal's reason.
 */
export class RunStream implements AsyncIterable<LoggedEvent> {
  readonly #source: EventSource;
  readonly #settings: RunStreamSettings;
  #taken = false;
  /** Connections in a row that brought nothing. */
  #failures = 0;
  /** Ends the wait for the next try. */
  #wake = new AbortController();

  constructor(
    source: EventSource,
    settings: RunStreamSettings,
    /** Null until the first event of a run that is started here. */
    public runId: string | null = null,
    /** Of the last event that was given out; what to resume after. */
    public lastSequenceNumber = -1,
  ) {
    this.#source = source;
    this.#settings = settings;
  }

  /** Reads to the end. Null when there was nothing left to read of a run that is over. */
  async end(): Promise<TerminalEvent | null> {
    for await (const event of this) if (isTerminal(event)) return event;
    return null;
  }

  /**
   * Ends a wait for the next try, as when the network or the reader is back, and counts failures
   * anew. Does nothing while connected.
   */
  retryNow(): void {
    this.#failures = 0;
    this.#wake.abort();
  }

  [Symbol.asyncIterator](): AsyncGenerator<LoggedEvent, void, undefined> {
    if (this.#taken)
      throw new LatheError("A RunStream is read once; `runs.events` reads the run's events again.");
    this.#taken = true;
    return this.#events();
  }

  async *#events(): AsyncGenerator<LoggedEvent, void, undefined> {
    const first = this.lastSequenceNumber;
    let isOver = false;
    for (;;) {
      const before = this.lastSequenceNumber;
      let cause: unknown = null;
      this.#failures += 1;
      try {
        for await (const event of this.#lines()) {
          this.#failures = 0;
          if (event.type === "ping") continue;
          yield event;
          if (isTerminal(event)) return;
        }
        // Asked before the connection that then brings nothing, so that no event can have come in
        // between.
        if (isOver && this.lastSequenceNumber === before) return this.#endWithoutTerminal(first);
        const wasOver = isOver;
        isOver ||= await this.#source.isOver(this.#id());
        // All that is left is there already.
        if (isOver && !wasOver) continue;
      } catch (error) {
        cause = this.#toRetryable(error);
      }
      await this.#pause(cause);
    }
  }

  /** Nothing left to read is an end; a rest that is gone is not. */
  #endWithoutTerminal(first: number): void {
    if (!this.#source.start && this.lastSequenceNumber === first) return;
    throw this.#giveUp("the service no longer keeps the rest of its events", null);
  }

  /** The error, if going on after it may help. @throws it, if not */
  #toRetryable(error: unknown): LatheConnectionError | LatheApiError {
    if (!isRetryable(error)) throw error;
    if (this.runId !== null) return error;
    // A gateway's own answer leaves open what the service behind it did.
    if (
      error instanceof LatheApiError &&
      (error.code !== "UNEXPECTED_ANSWER" || error.status < 502)
    )
      throw error;
    throw new LatheRunUnknownError(
      "The connection broke before the run was known: it may have been started, or not.",
      { cause: error },
    );
  }

  async #pause(cause: unknown): Promise<void> {
    const { maxReconnects, maxRetryAfterSeconds, onReconnect, clock, signal } = this.#settings;
    if (this.#failures >= maxReconnects)
      throw this.#giveUp(`${this.#failures} connections in a row brought nothing`, cause);
    const asked = cause instanceof LatheApiError ? cause.retryAfter : null;
    const delay = retryDelay(this.#failures, asked, maxRetryAfterSeconds, clock);
    if (delay === null) throw this.#giveUp(`the service asks to wait ${asked} s`, cause);
    onReconnect?.();
    const wake = new AbortController();
    this.#wake = wake;
    await clock
      .sleep(delay, signal ? AbortSignal.any([signal, wake.signal]) : wake.signal)
      .catch((reason: unknown) => {
        if (signal?.aborted || !wake.signal.aborted) throw reason;
      });
  }

  #giveUp(why: string, cause: unknown): LatheStreamError {
    const id = this.#id();
    return new LatheStreamError(
      `The events of run ${id} cannot be read on: ${why}.`,
      id,
      this.lastSequenceNumber,
      cause,
    );
  }

  #id(): string {
    if (this.runId === null)
      throw new LatheConnectionError("The stream ended before its first event.");
    return this.runId;
  }

  /** One connection's new events, and its pings as a sign of life. */
  async *#lines(): AsyncGenerator<LoggedEvent | typeof PING> {
    const { signal, stallMs } = this.#settings;
    for await (const line of readLines(await this.#open(), { stallMs, signal })) {
      // What the document says; fields and types of events that it does not know yet pass through.
      const event = line as RunEvent;
      if (event.type === "ping") yield PING;
      else if (event.type === "error")
        throw new LatheConnectionError(`${event.code}: ${event.message}`);
      else if (this.#isNext(event)) yield event;
    }
  }

  async #open(): Promise<Lines> {
    const source = this.#source;
    const runId = this.runId;
    if (runId !== null) return source.resume(runId, this.lastSequenceNumber);
    if (!source.start) throw new LatheError("A stream needs a run.");
    return source.start();
  }

  #isNext({ sequence_number: number, run_id }: LoggedEvent): boolean {
    if (!Number.isInteger(number) || number <= this.lastSequenceNumber) return false;
    if (number > this.lastSequenceNumber + 1)
      throw new LatheConnectionError(`The stream lost what comes before event ${number}.`);
    this.lastSequenceNumber = number;
    this.runId ??= run_id;
    return true;
  }
}

function isTerminal(event: LoggedEvent): event is TerminalEvent {
  return event.type === "run.completed" || event.type === "run.failed";
}

const LINE_MAX_CHARACTERS = 64 * 1024 * 1024;

/**
 * The JSON objects of a stream of newline-delimited JSON, as they arrive and however the bytes were
 * cut. What follows the last newline was cut off and is dropped. Rejects with
 * `LatheConnectionError` when the stream breaks, is silent for `stallMs`, or is no such JSON, and
 * with the signal's reason when it aborts. The connection is let go of at the end, however that
 * comes.
 */
async function* readLines(
  body: ReadableStream<Uint8Array>,
  { stallMs, signal }: { stallMs: number; signal?: AbortSignal },
): AsyncGenerator<object> {
  const reader = body.getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  // The pieces of a line that has no end yet: joined once, so that a long line costs no more than
  // its length.
  let pieces: string[] = [];
  let held = 0;
  try {
    for (;;) {
      const { done, value } = await withinStall(reader.read(), stallMs, signal);
      if (done) return;
      const [first = "", ...more] = decode(decoder, value).split("\n");
      pieces.push(first);
      held += first.length;
      if (held > LINE_MAX_CHARACTERS)
        throw new LatheConnectionError("A line of the stream is too long.");
      for (const next of more) {
        const line = pieces.join("");
        pieces = [next];
        held = next.length;
        if (line.trim() === "") continue;
        signal?.throwIfAborted();
        yield parse(line);
      }
    }
  } finally {
    // Not awaited: a connection that hangs may never say that it is gone.
    reader.cancel().catch(() => undefined);
  }
}

function decode(decoder: TextDecoder, bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes, { stream: true });
  } catch (error) {
    throw new LatheConnectionError("The stream is not UTF-8.", { cause: error });
  }
}

function parse(line: string): object {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === "object" && value !== null) return value;
  } catch {
    // Said below.
  }
  throw new LatheConnectionError("A line of the stream is not a JSON object.");
}

function withinStall<T>(
  read: Promise<T>,
  stallMs: number,
  signal: AbortSignal | undefined,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => settle(() => reject(signal?.reason));
    const timer = setTimeout(
      () =>
        settle(() => reject(new LatheConnectionError(`The stream was silent for ${stallMs} ms.`))),
      stallMs,
    );
    const settle = (end: () => void) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
      end();
    };
    signal?.addEventListener("abort", stop, { once: true });
    if (signal?.aborted) stop();
    read.then(
      (value) => settle(() => resolve(value)),
      (error: unknown) =>
        settle(() =>
          reject(
            signal?.aborted
              ? signal.reason
              : new LatheConnectionError("The stream broke off.", { cause: error }),
          ),
        ),
    );
  });
}
