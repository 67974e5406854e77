import type { AccountUsage, Run } from "@/lib/client/schemas";

/** What a dashboard's sources draw from. `undefined` is still on its way; `null` is not there. */
export interface DashboardData {
  agentId: string;
  /** The agent's newest completed run. */
  lastRun: Run | null | undefined;
  /** The agent's runs, newest first. */
  runs: readonly Run[] | undefined;
  usage: AccountUsage | null | undefined;
}
