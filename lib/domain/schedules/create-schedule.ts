import "server-only";
import { requireActive, requireAgent } from "@/lib/domain/agents/agent-store";
import { consumeWriteQuota } from "@/lib/domain/limits/hourly-writes";
import { readCap, requireRoom } from "@/lib/domain/limits/row-caps";
import type { Principal } from "@/lib/domain/principal";
import { requireFittingInput } from "@/lib/domain/runs/request-run";
import {
  nextRunAt,
  requireFiringTimes,
  requireSchedule,
  type ScheduleDraft,
  type ScheduleRecord,
} from "@/lib/domain/schedules/schedule-record";
import { newId } from "@/lib/platform/ids";
import { accountTransaction, postgres } from "@/lib/platform/postgres";

/**
 * Has an agent run by the clock. Nothing is stored when it is refused.
 * @throws ServiceError INVALID_INPUT, AGENT_NOT_FOUND, CONFLICT (archived, or too many schedules),
 * RATE_LIMITED
 */
export async function createSchedule(
  principal: Principal,
  agentId: string,
  draft: ScheduleDraft,
): Promise<ScheduleRecord> {
  requireFiringTimes(
    draft.cron,
    draft.timezone,
    await readCap(postgres(), principal.accountId, "schedule_minutes"),
  );
  const agent = await requireAgent(principal, agentId);
  requireFittingInput(agent, draft.input);
  requireActive(agent);
  const id = newId();
  await accountTransaction(principal.accountId, async (tx) => {
    await tx.query(
      `INSERT INTO schedules (id, account_id, agent_id, cron, timezone, input, enabled, next_run_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now())`,
      [
        id,
        principal.accountId,
        agentId,
        draft.cron,
        draft.timezone,
        JSON.stringify(draft.input),
        draft.enabled,
        nextRunAt(draft, new Date()),
      ],
    );
    await requireRoom(tx, principal.accountId, "schedules");
    // The row before the hour's count, as in a patch and a deletion.
    await consumeWriteQuota(tx, principal);
  });
  return requireSchedule(principal, agentId, id);
}
