import "server-only";
import type { EventBatch } from "@/lib/engine/events/event-batch";

const RUN_MAX_CHARACTERS = 262_144;
const ALL_MAX_CHARACTERS = 16_777_216;
/** Readers that come just after the end still find the lines here. */
const ENDED_MS = 5_000;

interface Recent {
  batches: EventBatch[];
  characters: number;
}

/** The lines of runs that this process began and writes, from the first on, while they are few. */
export class RecentLines {
  readonly #runs = new Map<string, Recent>();
  #characters = 0;

  begin(runId: string, line: string): void {
    this.#runs.set(runId, { batches: [{ first: 0, last: 0, lines: [line] }], characters: line.length });
    this.#characters += line.length;
    // The oldest go first.
    for (const id of this.#runs.keys()) {
      if (this.#characters <= ALL_MAX_CHARACTERS) break;
      this.drop(id);
    }
  }

  add(runId: string, batch: EventBatch): void {
    const run = this.#runs.get(runId);
    if (!run) return;
    const size = batch.lines.reduce((sum, line) => sum + line.length, 0);
    // Another process has written in between, or it is more than is worth keeping.
    if (batch.first !== (run.batches.at(-1)?.last ?? -1) + 1 || run.characters + size > RUN_MAX_CHARACTERS) {
      this.drop(runId);
      return;
    }
    run.batches.push(batch);
    run.characters += size;
    this.#characters += size;
  }

  end(runId: string): void {
    if (this.#runs.has(runId)) setTimeout(() => this.drop(runId), ENDED_MS).unref();
  }

  drop(runId: string): void {
    this.#characters -= this.#runs.get(runId)?.characters ?? 0;
    this.#runs.delete(runId);
  }

  /** All lines from number `next` on; null where they are not all here. */
  from(runId: string, next: number): EventBatch[] | null {
    const batches = this.#runs.get(runId)?.batches;
    return batches ? batches.filter(({ last }) => last >= next) : null;
  }
}
