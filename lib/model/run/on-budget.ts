/**
 * What becomes of a run whose next call costs more than its limit, or its account, has left: it
 * fails, or waits until somebody raises the limit or tops the account up.
 */
export const ON_BUDGET = ["fail", "wait"] as const;
export type OnBudget = (typeof ON_BUDGET)[number];

/** What a run requires that waits so. */
export const BUDGET_ACTIONS = ["budget", "credits"] as const;

export interface BudgetAction {
  type: (typeof BUDGET_ACTIONS)[number];
  spent: number;
  required: number;
  max_credits: number | null;
  run_id?: string;
}

/** What a run requires that waits for credits, if that is it. */
export function budgetActionOf(action: { type: string } | null): BudgetAction | null {
  // It alone has that field.
  return action !== null && "required" in action ? (action as BudgetAction) : null;
}

/**
 * A limit to offer in place of the one that a run has reached, in credits: twice as much, or what
 * it requires and half of that, as a round number.
 */
export function suggestedLimit({ required, max_credits }: BudgetAction): number {
  const least = Math.max(required * 1.5, (max_credits ?? 0) * 2);
  const step = 10 ** Math.max(-6, Math.floor(Math.log10(least)) - 1);
  const rounded = Math.ceil(least / step) * step;
  return Number(rounded.toFixed(6));
}
