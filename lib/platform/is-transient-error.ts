import "server-only";

// Lost connections, deadlocks, a server that is full, starting or ending (PostgreSQL, appendix A).
const TRANSIENT_STATES = /^(08|40|53|55|57|25P03)/;
// What Prisma makes of the same.
const PRISMA = /^P(1001|1002|1008|1017|2024|2028|2034)$/;
const NETWORK = /^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|ENOTFOUND)/;
// What the driver itself says carries no code.
const MESSAGES =
  /connection (terminated|error|ended)|not queryable|timeout exceeded when trying to connect|query read timeout|client was closed/i;

/** Whether the same statement may work in a moment: the database was away or busy. What is wrong with a statement or its data stays wrong. */
export function isTransientError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isTransientError);
  if (error.cause instanceof Error && isTransientError(error.cause)) return true;
  if ("code" in error && typeof error.code === "string")
    return [TRANSIENT_STATES, PRISMA, NETWORK].some((states) => states.test(String(error.code)));
  return MESSAGES.test(error.message);
}

/** Whether a statement was given up because no answer came: its connection is of no use any more. */
export function isUnanswered(error: unknown): error is Error {
  return error instanceof Error && error.message === "Query read timeout";
}
