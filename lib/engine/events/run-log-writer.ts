import "server-only";
import { engineState } from "@/lib/engine/engine-state";
import { type EventHub, eventHub } from "@/lib/engine/events/event-hub";
import {
  CANCEL_CHANNEL,
  LogTakenOver,
  readBatches,
  toEventLine,
} from "@/lib/engine/events/event-rows";
import { type LogSource, type PendingBatch, toLogBatch } from "@/lib/engine/events/log-committer";
import { isTerminalEvent, type RunEventBody } from "@/lib/model/run/run-event";
import { callSql } from "@/lib/platform/call-sql";
import { postgres, type Queryable } from "@/lib/platform/postgres";
import type { LogBatch } from "@/lib/platform/sql-functions";

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

/** Lines that a transaction of the caller's is to store. */
export interface CheckedOut {
  /** For `append_run_log`; without lines only the fence is looked at. */
  batch: LogBatch;
  /** To be called after the commit: followers have them now. */
  stored(): void;
  /** To be called when nothing was stored: what was pending before is pending again. */
  restore(): void;
}

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
  /** Set while a transaction of somebody else's stores what was pending. */
  #isCheckedOut = false;
  #next: number;
  readonly #leave: () => void;

  constructor(
    readonly hub: EventHub,
    readonly runId: string,
    /** Marks this writer in the database: whoever writes for the run names it. */
    readonly fence: number,
    next: number,
  ) {
    this.#next = next;
    this.#leave = hub.writes(runId);
  }

  /** Aborted when the log is lost: what works for this writer should stop. */
  get signal(): AbortSignal {
    return this.#lost.signal;
  }

  /**
   * Takes an event in; it is numbered, stored and then shown soon. A terminal event is the last
   * that is taken. Never throws: a lost log shows at `flush()`.
   */
  append(body: RunEventBody): void {
    if (this.#error || this.#closed || this.#terminal) return;
    if (isTerminalEvent(body.type)) this.#terminal = true;
    if (!this.#merge(body)) this.#pending.push({ at: Date.now(), body });
    this.hub.committer.request(this, false);
  }

  /**
   * Resolves when all that was appended so far is stored.
   * @throws LogTakenOver when the log has another writer or is closed; the database's error when it
   * stayed away too long
   */
  flush(): Promise<void> {
    if (this.#error) return Promise.reject(this.#error);
    if (this.#pending.length === 0 && !this.#committing && !this.#isCheckedOut)
      return Promise.resolve();
    return new Promise((resolve, reject) => {
      (this.#pending.length === 0 && this.#committing ? this.#committing : this.#waiters).push({
        resolve,
        reject,
      });
      if (this.#pending.length > 0) this.hub.committer.request(this, true);
    });
  }

  /**
   * Numbers what is pending, with `bodies` behind it, for a transaction of the caller's. Until
   * `stored` or `restore` is called nothing else of this writer is stored.
   * @param message the message that stays open: null where the turn is stored whole
   * @throws LogTakenOver
   */
  async checkOut(bodies: readonly RunEventBody[], message?: null): Promise<CheckedOut> {
    while (this.#committing) await this.flush();
    if (this.#error) throw this.#error;
    this.#isCheckedOut = true;
    const before = this.#pending;
    const now = Date.now();
    const events = [...before, ...bodies.map((body) => ({ at: now, body }))];
    this.#pending = [];
    const waiters = this.#waiters;
    this.#waiters = [];
    const batch = this.#number(events);
    const { first, lines, closes } = batch;
    return {
      batch: toLogBatch(batch, message === null),
      stored: () => {
        this.#isCheckedOut = false;
        if (closes) this.#over();
        if (lines.length > 0) this.hub.published(this.runId, batch);
        for (const { resolve } of waiters) resolve();
        this.#goOn();
      },
      restore: () => {
        this.#isCheckedOut = false;
        this.#next = first;
        this.#pending = [...before, ...this.#pending];
        this.#waiters = [...waiters, ...this.#waiters];
        this.#goOn();
      },
    };
  }

  /**
   * Stores what is pending and lets the log go, so that others need not wait for this process's
   * end. Never rejects for a log that is lost already.
   */
  async close(): Promise<void> {
    if (this.#closed) return;
    await this.flush().catch((error: Error) => {
      if (!(error instanceof LogTakenOver)) throw error;
    });
    const isOver = this.#closed || this.#terminal || this.#error;
    this.#over();
    if (isOver) return;
    await this.hub.pool.query({
      name: "engine-log-let-go",
      text: `UPDATE run_logs SET owner = NULL WHERE run_id = $1 AND writer = $2
               AND closed_at IS NULL`,
      values: [this.runId, this.fence],
    });
  }

  /** Whether nothing more can be stored through it. */
  get isOver(): boolean {
    return this.#closed || this.#error !== null;
  }

  /** Another has the log: whoever learned it says so. */
  lose(): void {
    this.refused(null);
  }

  take(): PendingBatch | null {
    if (this.#pending.length === 0 || this.#error || this.#isCheckedOut) return null;
    const events = this.#pending;
    this.#pending = [];
    this.#committing = this.#waiters;
    this.#waiters = [];
    return this.#number(events);
  }

  #number(events: PendingEvent[]): PendingBatch {
    const first = this.#next;
    this.#next += events.length;
    return {
      runId: this.runId,
      fence: this.fence,
      first,
      last: this.#next - 1,
      lines: events.map(({ at, body }, index) => toEventLine(this.runId, first + index, at, body)),
      closes: events.some(({ body }) => isTerminalEvent(body.type)),
      facts: factsOf(events),
    };
  }

  #over(): void {
    if (!this.#closed) this.#leave();
    this.#closed = true;
  }

  #goOn(): void {
    if (this.#pending.length > 0) this.hub.committer.request(this, this.#waiters.length > 0);
  }

  stored(): void {
    if (this.#terminal && this.#pending.length === 0) this.#over();
    const waiters = this.#committing ?? [];
    this.#committing = null;
    for (const { resolve } of waiters) resolve();
  }

  refused(error: Error | null): void {
    if (this.#error || this.#closed) return;
    this.#error = error ?? new LogTakenOver(this.runId);
    const waiters = [...(this.#committing ?? []), ...this.#waiters];
    this.#committing = null;
    this.#waiters = [];
    this.#pending = [];
    for (const { reject } of waiters) reject(this.#error);
    this.#leave();
    this.#lost.abort(this.#error);
    // Somebody else writes it now, or has ended it.
    this.hub.wake(this.runId);
  }

  /** Joins a delta to the one before it when that one has no number yet. */
  #merge(body: RunEventBody): boolean {
    const last = this.#pending.at(-1);
    const joined = last && joinDeltas(last.body, body);
    if (joined) last.body = joined;
    return joined !== undefined && joined !== null;
  }
}

/** What a batch makes true of the log beside its lines. */
function factsOf(events: readonly PendingEvent[]): PendingBatch["facts"] {
  const facts: PendingBatch["facts"] = {};
  for (const { body } of events) {
    if (body.type === "message.created") facts.message = body.message_id;
    else if (
      (body.type === "card.created" || body.type === "card.updated") &&
      body.card.kind === "todo"
    )
      facts.todo = body.card;
  }
  return facts;
}

/** Both as one new event; null when they are not parts of one text. */
function joinDeltas(a: RunEventBody, b: RunEventBody): RunEventBody | null {
  if (!("delta" in a) || !("delta" in b) || a.delta.length + b.delta.length > DELTA_MAX_CHARACTERS)
    return null;
  if (a.type === "output_text.delta" && b.type === a.type && b.message_id === a.message_id)
    return { ...a, delta: a.delta + b.delta };
  if (a.type === "thinking.delta" && b.type === a.type && b.card_id === a.card_id)
    return { ...a, delta: a.delta + b.delta };
  return null;
}

/** How long ago a process may have shown that it lives, for its hold on a log to count. */
const LIVE_SECONDS = 15;

interface OpenOptions {
  /** Only if no living process writes it. */
  abandoned?: boolean;
  hub?: EventHub;
}

/**
 * Becomes the writer of a run's log until `close()`; the one before can store nothing more. Null
 * when the log is closed, not there, or another's.
 */
export async function openRunLog(
  runId: string,
  { abandoned = false, hub = eventHub() }: OpenOptions = {},
): Promise<RunLogWriter | null> {
  const [row] = await callSql(hub.pool, "take_log", {
    run: runId,
    process: engineState().processId,
    abandoned,
    alive_seconds: LIVE_SECONDS,
  });
  return row ? new RunLogWriter(hub, runId, row.writer, row.next) : null;
}

/**
 * Calls back, perhaps more than once, when the run is cancelled from now on. Returns what ends
 * that.
 */
export function onCancel(
  runId: string,
  callback: () => void,
  hub: EventHub = eventHub(),
): () => void {
  return hub.onCancel(runId, callback);
}

/** Up to `limit` stored lines of a run with numbers above `after`, in order. */
export async function readRunEvents(
  runId: string,
  after: number,
  limit: number,
  pool: Queryable = postgres(),
): Promise<string[]> {
  const batches = await readBatches(pool, runId, after + 1, limit);
  return batches
    .flatMap(({ first, lines }) => lines.slice(Math.max(0, after + 1 - first)))
    .slice(0, limit);
}

/**
 * Tells whoever works on a run, in this process or another, that it was cancelled. Commit the run's
 * status first.
 */
export async function notifyCancel(runId: string, hub: EventHub = eventHub()): Promise<void> {
  hub.cancel(runId);
  await hub.pool.query("SELECT pg_notify($1, $2)", [CANCEL_CHANNEL, runId]);
}
