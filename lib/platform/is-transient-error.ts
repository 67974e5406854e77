import "server-only";
import { setTimeout as delay } from "node:timers/promises";
import { log } from "@/lib/platform/log";

// Lost connections, deadlocks, a server that is full, starting or ending (PostgreSQL, appendix A).
const TRANSIENT_STATES = /^(08|40|53|55|57|25P03)/;
// What Prisma makes of the same.
const PRISMA = /^P(1001|1002|1008|1017|2024|2028|2034)$/;
const NETWORK = /^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|ENOTFOUND)/;
// What the driver itself says carries no code.
const MESSAGES =
  /connection (terminated|error|ended)|not queryable|timeout exceeded when trying to connect|query read timeout|client was closed/i;

/**
 * Whether the same statement may work in a moment: the database was away or busy. What is wrong
 * with a statement or its data stays wrong.
 */
export function isTransientError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isTransientError);
  if (error.cause instanceof Error && isTransientError(error.cause)) return true;
  if (isWithoutSocket(error)) return true;
  if ("code" in error && typeof error.code === "string")
    return [TRANSIENT_STATES, PRISMA, NETWORK].some((states) => states.test(String(error.code)));
  return MESSAGES.test(error.message);
}

/** A server that is stopped takes its Unix socket with it. */
function isWithoutSocket(error: Error): boolean {
  const { code, syscall } = error as NodeJS.ErrnoException; // absent in others
  return code === "ENOENT" && syscall === "connect";
}

/**
 * Whether a statement was given up because no answer came: its connection is of no use any more.
 */
export function isUnanswered(error: unknown): error is Error {
  return error instanceof Error && error.message === "Query read timeout";
}

interface Patience {
  /** Looked at after each failure: true gives up. */
  isOver?: () => boolean;
  /** Given up after this time. */
  giveUpMs?: number;
  /** Said to the operator at the first failure. */
  warning?: string;
}

const PAUSE_MAX_MS = 2_000;

/**
 * Does `attempt` again while the database is away, with growing pauses. After a failure nobody
 * knows whether a write took effect: `attempt` is told how many there were. @throws what will not
 * pass, and the last failure when it gives up
 */
export async function retryTransient<T>(
  attempt: (failures: number) => Promise<T>,
  patience: Patience = {},
): Promise<T> {
  const { isOver, giveUpMs = Number.POSITIVE_INFINITY, warning } = patience;
  const since = performance.now();
  for (let failures = 0; ; failures++) {
    try {
      return await attempt(failures);
    } catch (error) {
      if (!isTransientError(error) || isOver?.() || performance.now() - since > giveUpMs)
        throw error;
      if (failures === 0 && warning)
        log.warn({ err: error instanceof Error ? error.message : String(error) }, warning);
      await delay(Math.min(PAUSE_MAX_MS, 20 * 2 ** failures));
    }
  }
}
