import "server-only";
import { type ArtifactLinks, signEventLine } from "@/lib/domain/artifacts/sign-artifacts";
import { followRunLog } from "@/lib/engine/events/follow-run-log";
import { STREAM_PING_SECONDS } from "@/lib/model/limits";
import { log } from "@/lib/platform/log";

/** A run whose log is read, and the account that owns it and what it made. */
export interface LoggedRun {
  id: string;
  accountId: string;
}

const SILENCE = Symbol("silence");

/**
 * A run's event log as NDJSON, as many lines at a time as are there: what is stored after sequence
 * number `after`, then live, up to the terminal line, with a `ping` after 10 s of silence. The run
 * goes on when the reader goes away. If the log cannot be followed any further, the last line is an
 * `error`.
 * @param signal ends it, also while it waits for a line, as `return` does
 */
export function streamRun(
  run: LoggedRun,
  after: number,
  baseUrl: string,
  signal: AbortSignal,
): RunStream {
  return new RunStream(run, after, baseUrl, signal);
}

/** No generator: those end only when the line that they wait for has come. */
class RunStream implements AsyncIterableIterator<string> {
  readonly #run: LoggedRun;
  readonly #signal: AbortSignal;
  readonly #links: ArtifactLinks;
  readonly #lines: AsyncIterableIterator<string[]>;
  readonly #ended = new AbortController();
  readonly #idle: NodeJS.Timeout;
  readonly #stop = () => this.#finish();
  #last: number;
  #coming: Promise<IteratorResult<string[]>> | null = null;
  /** Ends a wait with a ping. */
  #ping: (() => void) | null = null;
  #owesPing = false;
  #isOver = false;

  constructor(run: LoggedRun, after: number, baseUrl: string, signal: AbortSignal) {
    this.#run = run;
    this.#signal = signal;
    this.#links = { accountId: run.accountId, baseUrl };
    this.#last = after;
    this.#lines = followRunLog(run.id, { after, signal: this.#ended.signal });
    this.#idle = setInterval(() => this.#fillSilence(), STREAM_PING_SECONDS * 1000);
    if (signal.aborted) this.#finish();
    else signal.addEventListener("abort", this.#stop);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<string>> {
    if (this.#isOver) return DONE;
    if (this.#owesPing) return this.#pingNow();
    try {
      const next = await this.#orSilence();
      if (next === SILENCE) return this.#pingNow();
      this.#coming = null;
      if (next.done || this.#isOver) return this.return();
      this.#idle.refresh();
      this.#owesPing = false;
      this.#last += next.value.length;
      return { done: false, value: toText(next.value, this.#links) };
    } catch (error) {
      if (this.#isOver) return DONE;
      log.warn({ err: error, run_id: this.#run.id }, "a run's stream broke off");
      this.#finish();
      return { done: false, value: errorLine(this.#run.id, this.#last + 1) };
    }
  }

  async return(): Promise<IteratorResult<string>> {
    this.#finish();
    return DONE;
  }

  #orSilence(): Promise<IteratorResult<string[]> | typeof SILENCE> {
    this.#coming ??= this.#lines.next();
    const coming = this.#coming;
    return new Promise((resolve, reject) => {
      this.#ping = () => resolve(SILENCE);
      coming.then(resolve, reject);
    });
  }

  #fillSilence(): void {
    this.#owesPing = true;
    this.#ping?.();
  }

  #pingNow(): IteratorResult<string> {
    this.#owesPing = false;
    this.#ping = null;
    return { done: false, value: pingLine(this.#run.id) };
  }

  #finish(): void {
    this.#isOver = true;
    clearInterval(this.#idle);
    this.#signal.removeEventListener("abort", this.#stop);
    this.#ended.abort(DONE);
  }
}

const DONE = { done: true, value: undefined } as const;

function toText(lines: string[], links: ArtifactLinks): string {
  let text = "";
  for (const line of lines) text += `${signEventLine(line, links)}\n`;
  return text;
}

function pingLine(runId: string): string {
  return (
    `${JSON.stringify({ type: "ping", run_id: runId, created_at: new Date().toISOString() })}` +
    "\n"
  );
}

function errorLine(runId: string, sequence: number): string {
  const line = {
    type: "error",
    sequence_number: sequence,
    run_id: runId,
    created_at: new Date().toISOString(),
    code: "STREAM_INTERRUPTED",
    message:
      "The stream cannot go on, the run may. Fetch the run, or its events from the last " +
      "number that you saw.",
  };
  return `${JSON.stringify(line)}\n`;
}
