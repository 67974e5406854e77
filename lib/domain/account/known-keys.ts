import "server-only";
import { type Budget, toBudget } from "@/lib/domain/account/minute-window";
import type { Principal } from "@/lib/domain/principal";
import { eventHub } from "@/lib/engine/events/event-hub";
import { once } from "@/lib/platform/once";

export type BudgetClass = "read" | "run";

/** Requests that were counted beforehand in the account's window, for this process to give out. */
interface Lease {
  limit: number;
  /** Which request of the window the next one is, and the last one that is counted. */
  next: number;
  last: number;
  /** By the process's own clock, in milliseconds; a second before the window's end. */
  endsAt: number;
}

interface Known {
  principal: Principal;
  leases: Map<BudgetClass | "all", Lease>;
  until: number;
}

/** However well the news of a change travel, a key is looked up again after this time. */
export const KNOWN_MS = 5_000;
const KEYS_MAX = 10_000;

/**
 * Keys of accounts with large budgets, as this process last saw them. A change of the key or of its account is news that the database itself sends
 * (`principal_changed`); while this process cannot hear it, nothing is known.
 */
class KnownKeys {
  readonly #keys = new Map<string, Known>();

  find(hash: string, family: "account" | "app", budgetClass: BudgetClass): { principal: Principal; budget: Budget } | null {
    const known = this.#keys.get(hash);
    if (!known || (known.principal.agentId !== null) !== (family === "app") || !eventHub().isListening) return null;
    const now = performance.now();
    const lease = known.leases.get("all") ?? known.leases.get(budgetClass);
    if (known.until < now || !lease || lease.next > lease.last || lease.endsAt < now) return null;
    const count = lease.next++;
    return { principal: known.principal, budget: toBudget(lease.limit, count, Math.max(1, Math.ceil((lease.endsAt - now) / 1_000) + 1)) };
  }

  keep(hash: string, principal: Principal, budgetClass: BudgetClass | "all", lease: Lease): void {
    eventHub().onPrincipalChanged((accountId) => this.forget(accountId));
    const known = this.#keys.get(hash) ?? { principal, leases: new Map(), until: 0 };
    known.principal = principal;
    known.until = performance.now() + KNOWN_MS;
    known.leases.set(budgetClass, lease);
    this.#keys.delete(hash);
    this.#keys.set(hash, known);
    const [oldest] = this.#keys.keys();
    if (this.#keys.size > KEYS_MAX && oldest !== undefined) this.#keys.delete(oldest);
  }

  /** Something about the account, or one of its keys, is otherwise now; null: about any. */
  forget(accountId: string | null): void {
    for (const [hash, { principal }] of this.#keys) if (accountId === null || principal.accountId === accountId) this.#keys.delete(hash);
  }
}

export function knownKeys(): KnownKeys {
  return once("known-keys", () => new KnownKeys());
}
