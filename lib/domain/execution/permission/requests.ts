/** An approval that is to be asked for; nobody knows of it yet. */
export interface ApprovalRequest {
  approvalId: string;
  timeoutSeconds: number;
}

/** A wait for credits that is to begin; nobody knows of it yet. */
export interface BudgetRequest {
  waitId: string;
  /** What the run's next call costs at least, in millionths of a credit. */
  leastMicros: string;
  timeoutSeconds: number;
}

/** Calls of client tools that are to be asked for together; nobody knows of them yet. */
export interface ClientCallRequest {
  batchId: string;
  timeoutSeconds: number;
}

/**
 * What came of asking: somebody was asked, or what was to be asked is settled already, or the run
 * has ended meanwhile.
 */
export interface AskOutcome {
  outcome: "asked" | "settled" | "ended";
}
