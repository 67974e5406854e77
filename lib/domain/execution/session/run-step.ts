import type { RunLogWriter } from "@/lib/engine/events/run-log-writer";

/** What a step writes to, and hears a cancel by. */
export interface RunStep {
  runId: string;
  log: RunLogWriter;
  /** Aborted when the run is cancelled or another process has it. */
  signal: AbortSignal;
  /** Waits for something that accounts share; the run's time limit stands still meanwhile. */
  untimed?<T>(wait: Promise<T>): Promise<T>;
}
