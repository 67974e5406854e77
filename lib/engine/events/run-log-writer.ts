import "server-only";
import type { EventHub } from "@/lib/engine/events/event-hub";
import { toEventLine } from "@/lib/engine/events/event-line";
import type { LogSource, PendingBatch } from "@/lib/engine/events/log-committer";
import { LogTakenOver } from "@/lib/engine/events/log-taken-over";
import { isTerminalEvent, type RunEventBody } from "@/lib/model/run/run-event";
import { log } from "@/lib/platform/log";

interface Waiter {
  resolve: () => void;
  reject: (error: Error) => void;
}

interface PendingEvent {
  at: number;
  body: RunEventBody;
}

/** Deltas that wait together become one event up to this size. */
const DELTA_MAX_CHARACTERS = 16_384;

/** The one writer of a run's log, until another takes it over. */
export class RunLogWriter implements LogSource {
  readonly #lost = new AbortController();
  #pending: PendingEvent[] = [];
  #waiters: Waiter[] = [];
  /** Those who wait for the batch that is being stored. */
  #committing: Waiter[] | null = null;
  #error: Error | null = null;
  #closed = false;
  #terminal = false;
  #next: number;
  readonly #renewal: NodeJS.Timeout;

  constructor(
    readonly hub: EventHub,
    readonly runId: string,
    /** Marks this writer in the database; whoever closes the log within a transaction names it. */
    readonly fence: number,
    next: number,
    readonly leaseSeconds: number,
  ) {
    this.#next = next;
    this.#renewal = setInterval(() => void this.#renew(), (leaseSeconds * 1_000) / 3).unref();
  }

  /** Aborted when the log is lost: what works for this writer should stop. */
  get signal(): AbortSignal {
    return this.#lost.signal;
  }

  /** Takes an event in; it is numbered, stored and then shown soon. A terminal event is the last that is taken. Never throws: a lost log shows at `flush()`. */
  append(body: RunEventBody): void {
    if (this.#error || this.#closed || this.#terminal) return;
    if (isTerminalEvent(body.type)) this.#terminal = true;
    if (!this.#merge(body)) this.#pending.push({ at: Date.now(), body });
    this.hub.committer.request(this, false);
  }

  /**
   * Resolves when all that was appended so far is stored.
   * @throws LogTakenOver when the log has another writer or is closed; the database's error when it stayed away too long
   */
  flush(): Promise<void> {
    if (this.#error) return Promise.reject(this.#error);
    if (this.#pending.length === 0 && !this.#committing) return Promise.resolve();
    return new Promise((resolve, reject) => {
      (this.#pending.length === 0 && this.#committing ? this.#committing : this.#waiters).push({ resolve, reject });
      if (this.#pending.length > 0) this.hub.committer.request(this, true);
    });
  }

  /** Stores what is pending and gives the lease back, so that others need not wait for its end. Never rejects for a log that is lost already. */
  async close(): Promise<void> {
    if (this.#closed) return;
    clearInterval(this.#renewal);
    await this.flush().catch((error: Error) => {
      if (!(error instanceof LogTakenOver)) throw error;
    });
    this.#closed = true;
    await this.hub.pool.query("update run_logs set lease_until = null where run_id = $1 and writer = $2 and closed_at is null", [
      this.runId,
      this.fence,
    ]);
  }

  take(): PendingBatch | null {
    if (this.#pending.length === 0 || this.#error) return null;
    const events = this.#pending;
    this.#pending = [];
    this.#committing = this.#waiters;
    this.#waiters = [];
    const first = this.#next;
    this.#next += events.length;
    const lines = events.map(({ at, body }, index) => toEventLine(this.runId, first + index, at, body));
    return {
      runId: this.runId,
      fence: this.fence,
      leaseSeconds: this.leaseSeconds,
      first,
      last: this.#next - 1,
      lines,
      closes: this.#terminal,
    };
  }

  stored(): void {
    const waiters = this.#committing ?? [];
    this.#committing = null;
    for (const { resolve } of waiters) resolve();
  }

  refused(error: Error | null): void {
    this.#error = error ?? new LogTakenOver(this.runId);
    clearInterval(this.#renewal);
    const waiters = [...(this.#committing ?? []), ...this.#waiters];
    this.#committing = null;
    this.#waiters = [];
    this.#pending = [];
    for (const { reject } of waiters) reject(this.#error);
    this.#lost.abort(this.#error);
  }

  /** Joins a delta to the one before it when that one has no number yet. */
  #merge(body: RunEventBody): boolean {
    const last = this.#pending.at(-1);
    const joined = last && joinDeltas(last.body, body);
    if (joined) last.body = joined;
    return joined !== undefined && joined !== null;
  }

  async #renew(): Promise<void> {
    try {
      const { rows } = await this.hub.pool.query<{ closed: boolean }>(
        `update run_logs set lease_until = case when closed_at is null then now() + make_interval(secs => $3) end
         where run_id = $1 and writer = $2 returning closed_at is not null as closed`,
        [this.runId, this.fence, this.leaseSeconds],
      );
      if (rows[0]?.closed) clearInterval(this.#renewal);
      else if (!rows[0] && !this.#error) this.refused(null);
    } catch (error) {
      log.warn({ err: error instanceof Error ? error.message : String(error), run_id: this.runId }, "a log's lease was not renewed");
    }
  }
}

/** Both as one new event; null when they are not parts of one text. */
function joinDeltas(a: RunEventBody, b: RunEventBody): RunEventBody | null {
  if (!("delta" in a) || !("delta" in b) || a.delta.length + b.delta.length > DELTA_MAX_CHARACTERS) return null;
  if (a.type === "output_text.delta" && b.type === a.type && b.message_id === a.message_id) return { ...a, delta: a.delta + b.delta };
  if (a.type === "thinking.delta" && b.type === a.type && b.card_id === a.card_id) return { ...a, delta: a.delta + b.delta };
  return null;
}
