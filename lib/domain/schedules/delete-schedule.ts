import "server-only";
import { requireAgent } from "@/lib/domain/agents/agent-store";
import { consumeWriteQuota } from "@/lib/domain/limits/hourly-writes";
import type { Principal } from "@/lib/domain/principal";
import { requireSchedule } from "@/lib/domain/schedules/schedule-record";
import { accountTransaction } from "@/lib/platform/postgres";

/**
 * Ends a schedule; runs that it started stay. @throws ServiceError AGENT_NOT_FOUND,
 * SCHEDULE_NOT_FOUND, RATE_LIMITED
 */
export async function deleteSchedule(
  principal: Principal,
  agentId: string,
  scheduleId: string,
): Promise<void> {
  await requireAgent(principal, agentId);
  await requireSchedule(principal, agentId, scheduleId);
  await accountTransaction(principal.accountId, async (tx) => {
    await consumeWriteQuota(tx, principal);
    await tx.query("DELETE FROM schedules WHERE id = $1 AND agent_id = $2 AND account_id = $3", [
      scheduleId,
      agentId,
      principal.accountId,
    ]);
  });
}
