import "server-only";
import { reviewWaits } from "@/lib/domain/execution/permission/budget-wait";
import { eventData } from "@/lib/engine/client";
import type { EngineFunction } from "@/lib/engine/functions";

/**
 * Runs that wait for credits go on when the account has what they wait for, or when the limit of
 * the super-agent's run that started them was raised.
 */
export const resumeRuns: EngineFunction = {
  id: "resume-runs",
  retries: 4,
  triggers: [{ event: "budget/changed" }],
  handler: async ({ event, step }) => {
    const { account_id, root_run_id } = eventData("budget/changed", event);
    await step.run("review", () => reviewWaits(account_id, root_run_id ?? null));
  },
};
