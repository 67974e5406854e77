import "server-only";
import { requireActive, requireAgent } from "@/lib/domain/agents/agent-store";
import { consumeWriteQuota } from "@/lib/domain/limits/hourly-writes";
import { readCap } from "@/lib/domain/limits/row-caps";
import type { Principal } from "@/lib/domain/principal";
import { requireFittingInput } from "@/lib/domain/runs/request-run";
import {
  nextRunAt,
  requireFiringTimes,
  requireSchedule,
  type ScheduleDraft,
  type ScheduleRecord,
  scheduleMissing,
} from "@/lib/domain/schedules/schedule-record";
import { accountTransaction, postgres, type Transaction } from "@/lib/platform/postgres";

/**
 * Replaces what is given. Other times, or switching on, plan the next firing anew from now;
 * otherwise it stays.
 * @throws ServiceError INVALID_INPUT, AGENT_NOT_FOUND, SCHEDULE_NOT_FOUND, CONFLICT (archived),
 * RATE_LIMITED
 */
export async function updateSchedule(
  principal: Principal,
  agentId: string,
  scheduleId: string,
  patch: Partial<ScheduleDraft>,
): Promise<ScheduleRecord> {
  const agent = await requireAgent(principal, agentId);
  const current = await requireSchedule(principal, agentId, scheduleId);
  // One that fires more often than may be by now can still be switched off, or given another input:
  // it is fired at the least distance.
  const leastMinutes =
    patch.cron === undefined
      ? 1
      : await readCap(postgres(), principal.accountId, "schedule_minutes");
  requireFiringTimes(patch.cron ?? current.cron, patch.timezone ?? current.timezone, leastMinutes);
  if (patch.input) requireFittingInput(agent, patch.input);
  requireActive(agent);
  await accountTransaction(principal.accountId, async (tx) => {
    await store(tx, principal, agentId, scheduleId, patch);
    await consumeWriteQuota(tx, principal);
  });
  return requireSchedule(principal, agentId, scheduleId);
}

/**
 * Under the row's lock, so that of two patches at once none is lost and a firing is neither
 * repeated nor skipped.
 */
async function store(
  tx: Transaction,
  principal: Principal,
  agentId: string,
  id: string,
  patch: Partial<ScheduleDraft>,
): Promise<void> {
  const { rows } = await tx.query<ScheduleDraft & { next_run_at: Date | null }>(
    "SELECT cron, timezone, input, enabled, next_run_at FROM schedules WHERE id = $1 AND agent_id = $2 AND account_id = $3 FOR UPDATE",
    [id, agentId, principal.accountId],
  );
  const locked = rows[0];
  if (!locked) throw scheduleMissing(); // deleted meanwhile
  const next = { ...locked, ...patch };
  const same =
    next.cron === locked.cron &&
    next.timezone === locked.timezone &&
    next.enabled === locked.enabled;
  await tx.query(
    "UPDATE schedules SET cron = $2, timezone = $3, input = $4, enabled = $5, next_run_at = $6, updated_at = now() WHERE id = $1 AND account_id = $7",
    [
      id,
      next.cron,
      next.timezone,
      JSON.stringify(next.input),
      next.enabled,
      same ? locked.next_run_at : nextRunAt(next, new Date()),
      principal.accountId,
    ],
  );
}
