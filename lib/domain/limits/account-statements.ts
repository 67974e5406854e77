import "server-only";
import { KeyedLimit } from "@/lib/platform/keyed-limit";
import { processSingleton } from "@/lib/platform/process-singleton";

/** Statements of an account's runs that lock its row, or another that they share, at once in this process. */
const AT_ONCE = 4;

/**
 * Does what locks an account's row, for its runs. While somebody holds that row (a frozen process, an operator's session), all of the account's runs wait for it:
 * without a bound they would wait on every connection that the process has, and everybody else with them. Never within itself: four that wait for a
 * fifth would wait for ever.
 */
export function withinAccount<T>(accountId: string, work: () => Promise<T>): Promise<T> {
  return processSingleton("account-statements", () => new KeyedLimit(AT_ONCE)).run(accountId, work);
}
