import "server-only";
import type pg from "pg";
import type { EventBatch } from "@/lib/engine/events/event-rows";
import { callSql } from "@/lib/platform/call-sql";
import { failpoint } from "@/lib/platform/failpoint";
import { isTransientError, retryTransient } from "@/lib/platform/is-transient-error";
import type { LogBatch } from "@/lib/platform/sql-functions";
import { Wakeable } from "@/lib/platform/wakeable";

/** The lines of one writer that are to be stored next. */
export interface PendingBatch extends EventBatch {
  runId: string;
  fence: number;
  closes: boolean;
  /**
   * What it makes true of the log beside its lines: the message that was begun last, the todo card
   * as it is shown now.
   */
  facts: { message?: string; todo?: object };
}

/** Who has lines to store. */
export interface LogSource {
  /** Numbers and hands over what is pending; null when nothing is. */
  take(): PendingBatch | null;
  /** The batch is stored, and its followers have it. */
  stored(): void;
  /**
   * The batch is not stored and never will be by this writer; an error where that is not even
   * known.
   */
  refused(error: Error | null): void;
}

interface Taken {
  source: LogSource;
  batch: PendingBatch;
}

/**
 * The more runs had lines for the last statement, the longer the next one waits for company; a few
 * runs are shown at once.
 */
const GROUP_MAX_MS = 40;
const GROUP_MS_A_RUN = 1;
const GIVE_UP_MS = 30_000;
const FIND_STORED = `
  SELECT place::int FROM run_events
  JOIN unnest($1::uuid[], $2::int[], $3::text[]) WITH ORDINALITY AS batch(id, first, text, place)
    ON run_id = batch.id AND first_sequence = batch.first AND lines = batch.text`;

/**
 * Stores the lines of all runs of this process together, one statement at a time, and publishes
 * them after that.
 */
export class LogCommitter {
  readonly #waiting = new Set<LogSource>();
  #running = false;
  readonly #rest = new Wakeable();
  #isUrgent = false;
  #lastStart = 0;
  #lastRuns = 0;

  constructor(
    readonly pool: pg.Pool,
    readonly publish: (runId: string, batch: EventBatch) => void,
  ) {}

  /** Has `source` stored soon; `urgent`: with the next statement, without waiting for company. */
  request(source: LogSource, urgent: boolean): void {
    this.#waiting.add(source);
    if (urgent) {
      this.#isUrgent = true;
      this.#rest.wake();
    }
    if (!this.#running) void this.#run();
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#waiting.size > 0) {
      await this.#pause();
      this.#isUrgent = false;
      this.#lastStart = performance.now();
      const sources = [...this.#waiting];
      this.#waiting.clear();
      const taken = sources.flatMap((source) => {
        const batch = source.take();
        return batch ? [{ source, batch }] : [];
      });
      // In one order in all processes, so that two statements cannot lock each other out.
      taken.sort((a, b) => (a.batch.runId < b.batch.runId ? -1 : 1));
      this.#lastRuns = taken.length;
      if (taken.length > 0) await this.#commit(taken);
      if (
        taken.some(({ batch }) =>
          batch.lines.some((line) => line.startsWith('{"type":"output_text.delta"')),
        )
      )
        failpoint("turn.words-stored");
    }
    this.#running = false;
  }

  /**
   * At least to the end of this turn of the event loop, so that what is appended together is stored
   * together.
   */
  async #pause(): Promise<void> {
    const rest =
      this.#lastStart +
      Math.min(GROUP_MAX_MS, (this.#lastRuns - 1) * GROUP_MS_A_RUN) -
      performance.now();
    if (rest <= 0 || this.#isUrgent) return new Promise((resolve) => setImmediate(resolve));
    await this.#rest.rest(rest);
  }

  async #commit(taken: Taken[]): Promise<void> {
    let stored: Set<number>;
    try {
      stored = await this.#store(taken.map(({ batch }) => batch));
    } catch (error) {
      // One run's fault must not be the others'.
      if (taken.length > 1 && !isTransientError(error))
        for (const one of taken) await this.#commit([one]);
      else
        for (const { source } of taken)
          source.refused(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    for (const [index, { source, batch }] of taken.entries()) {
      if (!stored.has(index)) source.refused(null);
      else {
        this.publish(batch.runId, batch);
        source.stored();
      }
    }
  }

  /** The indices of the batches that are stored. Goes on trying while the database is away. */
  #store(batches: PendingBatch[]): Promise<Set<number>> {
    const store = async (failures: number) => {
      const rows = await callSql(this.pool, "append_run_logs", {
        batches: batches.map((batch) => toLogBatch(batch, false)),
      });
      const stored = new Set(rows.map(({ place }) => place - 1));
      // After an error nobody knows whether the statement before took effect.
      if (failures > 0 && stored.size < batches.length)
        for (const index of await this.#findStored(batches)) stored.add(index);
      return stored;
    };
    return retryTransient(store, {
      giveUpMs: GIVE_UP_MS,
      warning: "run events cannot be stored; trying again",
    });
  }

  async #findStored(batches: PendingBatch[]): Promise<number[]> {
    const values = [
      batches.map(({ runId }) => runId),
      batches.map(({ first }) => first),
      batches.map(({ lines }) => lines.join("\n")),
    ];
    return (await this.pool.query<{ place: number }>(FIND_STORED, values)).rows.map(
      ({ place }) => place - 1,
    );
  }
}

/**
 * A batch as the database takes it.
 * @param isWhole no message stands open behind it
 */
export function toLogBatch(batch: PendingBatch, isWhole: boolean): LogBatch {
  const { runId, fence, first, last, lines, closes, facts } = batch;
  return {
    run: runId,
    writer: fence,
    first,
    last,
    closes,
    message: facts.message ?? null,
    is_whole: isWhole,
    todo: facts.todo === undefined ? null : JSON.stringify(facts.todo),
    lines: lines.length > 0 ? lines.join("\n") : null,
  };
}
