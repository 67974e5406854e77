import "server-only";

// Lost connections, deadlocks, a server that is full, starting or ending (PostgreSQL, appendix A).
const PASSING_STATES = /^(08|40|53|55|57)/;
const NETWORK = /^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|ENOTFOUND)/;
// What the driver itself says carries no code.
const MESSAGES =
  /connection (terminated|error|ended)|not queryable|timeout exceeded when trying to connect|query read timeout|client was closed/i;

/** Whether the same statement may work in a moment: the database was away or busy. What is wrong with a statement or its data stays wrong. */
export function isPassingError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isPassingError);
  if ("code" in error && typeof error.code === "string") return PASSING_STATES.test(error.code) || NETWORK.test(error.code);
  return MESSAGES.test(error.message);
}
