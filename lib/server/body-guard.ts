import "server-only";
import type { IncomingMessage, ServerResponse } from "node:http";
import { ServiceError } from "@/lib/model/errors";
import type { PathRule } from "@/lib/server/path-rules";

/** Calls `work` after so many milliseconds; the result calls it off. */
export type Timer = (ms: number, work: () => void) => () => void;

export const systemTimer: Timer = (ms, work) => {
  const timer = setTimeout(work, ms).unref();
  return () => clearTimeout(timer);
};

const IDLE_MS = 20_000;
/**
 * What a client may still send of a body that was refused, before it loses the connection: most
 * read the answer only when they have sent.
 */
const LATE_MAX_BYTES = 32 * 1024 * 1024;

/**
 * Bounds a request's body by size and by time while somebody else reads it, without taking anything
 * from the reader. The first fault is handed to `onBreak` once: 413 for a byte too many (also in
 * chunks of unsaid number), 408 when no byte came for 20 s, or not all of them in the rule's time.
 * A body that we ourselves do not read is not late. Ends with the response.
 */
export class BodyGuard {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #rule: PathRule;
  readonly #timer: Timer;
  /** Who answers. Set anew by whoever takes the request over. */
  onBreak: (error: ServiceError) => void;
  #stopIdle = () => {};
  #stopTotal = () => {};
  #broken = false;
  #isAnswered = false;
  #lateBytes = 0;
  #bytes = 0;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    rule: PathRule,
    onBreak: (error: ServiceError) => void,
    timer: Timer = systemTimer,
  ) {
    this.#request = request;
    this.#response = response;
    this.#rule = rule;
    this.#timer = timer;
    this.onBreak = onBreak;
    if (!hasBody(request)) return;
    this.#watch();
    this.#startIdle();
    if (rule.bodyWithinMs !== null) this.#startTotal(rule.bodyWithinMs);
    const stop = () => this.#stop();
    request.once("end", stop).once("close", stop);
    response.once("close", stop).once("finish", () => {
      this.#isAnswered = true;
      stop();
    });
  }

  /** Whether the announced length alone is too much. @returns the refusal, or null */
  announcedTooLarge(): ServiceError | null {
    return exceeds(this.#rule, Number(this.#request.headers["content-length"] ?? 0))
      ? tooLarge(this.#rule)
      : null;
  }

  /**
   * Node hands each piece of a body to `push`; standing there takes nothing away, as a listener on
   * `data` would.
   */
  #watch(): void {
    const request = this.#request;
    const push = request.push.bind(request);
    request.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
      if (this.#broken) return this.#dropLate(chunk);
      // What nobody will read any more is drained, by bounds of its own.
      if (this.#isAnswered) return push(chunk, encoding);
      this.#bytes += chunk?.length ?? 0;
      if (exceeds(this.#rule, this.#bytes)) {
        this.#break(tooLarge(this.#rule));
        return this.#dropLate(chunk);
      }
      if (chunk === null) this.#stop();
      else this.#startIdle();
      return push(chunk, encoding);
    };
  }

  /**
   * The reader sees the rest neither as data nor as the body's end: what was cut off must not look
   * whole.
   */
  #dropLate(chunk: Buffer | null): boolean {
    this.#lateBytes += chunk?.length ?? 0;
    if (chunk !== null && this.#lateBytes <= LATE_MAX_BYTES) return true;
    const end = () => this.#request.destroy();
    if (chunk === null && !this.#response.writableFinished) this.#response.once("finish", end);
    else end();
    return false;
  }

  #break(error: ServiceError): void {
    if (this.#broken) return;
    this.#broken = true;
    this.#stop();
    this.onBreak(error);
  }

  #startIdle(): void {
    this.#stopIdle();
    this.#stopIdle = this.#timer(IDLE_MS, () =>
      this.#waitsForUs() ? this.#startIdle() : this.#break(late("no byte came for 20 seconds")),
    );
  }

  #startTotal(ms: number): void {
    this.#stopTotal = this.#timer(ms, () =>
      this.#waitsForUs()
        ? this.#startTotal(IDLE_MS)
        : this.#break(late("it was not whole after a minute")),
    );
  }

  #waitsForUs(): boolean {
    return this.#request.readableLength >= this.#request.readableHighWaterMark;
  }

  #stop(): void {
    this.#stopIdle();
    this.#stopTotal();
  }
}

/** Whether a request announces a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

function exceeds({ bodyMaxBytes }: PathRule, bytes: number): boolean {
  return bodyMaxBytes !== null && bytes > bodyMaxBytes;
}

function tooLarge({ bodyMaxBytes }: PathRule): ServiceError {
  return new ServiceError(
    "PAYLOAD_TOO_LARGE",
    `The body of this request may have at most ${bodyMaxBytes} bytes.`,
  );
}

function late(what: string): ServiceError {
  const next = "Nothing was done; send the request again.";
  const message = `The body did not arrive in time: ${what}. ${next}`;
  return new ServiceError("REQUEST_TIMEOUT", message, {}, { Connection: "close" });
}
