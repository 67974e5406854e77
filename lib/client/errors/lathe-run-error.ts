import type { EditRun, Run } from "../schemas";
import { LatheError } from "./lathe-error";

/** The run ended, and not well: it failed (`code` is the run's failure code) or was cancelled (`RUN_CANCELLED`). `run` is its last state. */
export class LatheRunError extends LatheError {
  override readonly name: string = "LatheRunError";
  readonly code: string;

  constructor(readonly run: Run | EditRun) {
    const code = run.error?.code ?? (run.status === "cancelled" ? "RUN_CANCELLED" : "EXECUTION_FAILED");
    super(`Run ${run.run_id} ended as ${run.status}: ${run.error?.message ?? code}`);
    this.code = code;
  }
}
