import "server-only";
import { postgres } from "@/lib/platform/postgres";
import { inTransaction, type Transaction } from "@/lib/platform/transaction";

export type { Transaction } from "@/lib/platform/transaction";

/**
 * Runs `work` in one transaction of plain SQL: for the paths whose statements decide money, states or limits.
 * Commits what it returns; rolls back and rethrows what it throws.
 */
export function transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
  return inTransaction(postgres(), work);
}
