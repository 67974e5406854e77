/** The codes of `error.code` of a run, a stream's `run.failed` and a webhook (contract §2). */
export const RUN_FAILURE_CODES = [
  "EXECUTION_FAILED",
  "MODEL_UNAVAILABLE",
  "MODEL_RATE_LIMITED",
  "MODEL_RETIRED",
  "TIMEOUT",
  "STEP_LIMIT_EXCEEDED",
  "BUDGET_EXCEEDED",
  "INSUFFICIENT_CREDITS",
  "APPROVAL_EXPIRED",
  "INVALID_AGENT_CONFIG",
  "AGENT_BUILD_FAILED",
  "MODEL_CANNOT_ANSWER",
  "OUTPUT_TRUNCATED",
  "CONTENT_FILTERED",
  "EMPTY_ANSWER",
  "ENGINE_LOST",
  "RUN_CANCELLED",
] as const;
export type RunFailureCode = (typeof RUN_FAILURE_CODES)[number];

/** Ends a run as failed; `message` is shown to people, so it holds no internals. */
export class RunFailure extends Error {
  override readonly name = "RunFailure";
  constructor(
    readonly code: RunFailureCode,
    message: string,
  ) {
    super(message);
  }
}
