import "server-only";
import { requireActive, requireAgent } from "@/lib/domain/agents/agent-store";
import { admitEndUser } from "@/lib/domain/end-users/admit-end-user";
import { consumeWriteQuota } from "@/lib/domain/limits/hourly-writes";
import { readCap } from "@/lib/domain/limits/row-caps";
import type { Principal } from "@/lib/domain/principal";
import { requireFittingInput, requireWebhookUrl } from "@/lib/domain/runs/request-run";
import {
  nextRunAt,
  requireFiringTimes,
  requireSchedule,
  SCHEDULE_COLUMNS,
  STORED_DRAFT,
  SWITCHES_ON,
  scheduledAgent,
  scheduleMissing,
} from "@/lib/domain/schedules/schedule-record";
import type { ScheduleDraft, ScheduleRecord } from "@/lib/model/schedule/schedule-fields";
import { accountTransaction, postgres, type Transaction } from "@/lib/platform/postgres";

// Switched on, it begins anew.
const UPDATE = `
UPDATE schedules SET ${STORED_DRAFT.changes}, next_run_at = ${STORED_DRAFT.next},
  updated_at = now(),
  failures = CASE WHEN ${SWITCHES_ON} THEN 0 ELSE failures END,
  paused_at = CASE WHEN ${SWITCHES_ON} THEN NULL ELSE paused_at END,
  paused_reason = CASE WHEN ${SWITCHES_ON} THEN NULL ELSE paused_reason END
WHERE id = $1 AND account_id = $2 AND agent_id = $3 RETURNING ${SCHEDULE_COLUMNS}`;

/**
 * Replaces what is given. Other times, or switching on, plan the next firing anew from now;
 * otherwise it stays. Switching on forgets the failures that it was paused for.
 * @throws ServiceError INVALID_INPUT, AGENT_NOT_FOUND, SCHEDULE_NOT_FOUND, VERSION_NOT_FOUND,
 * CONFLICT (archived), RATE_LIMITED
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
  if (patch.webhookUrl) await requireWebhookUrl(principal, patch.webhookUrl);
  const renamed = patch.version !== undefined;
  const named = renamed ? (patch.version ?? null) : current.agentVersion;
  let agentVersion: number | null | undefined;
  // Of what it was checked for before, each firing looks anew.
  if (renamed || patch.input) {
    const scheduled = await scheduledAgent(principal, agent, named);
    requireFittingInput(scheduled.agent, patch.input ?? current.input);
    if (renamed) agentVersion = scheduled.agentVersion;
  }
  requireActive(agent);
  return accountTransaction(principal.accountId, async (tx) => {
    await consumeWriteQuota(tx, principal);
    if (patch.endUser) await admitEndUser(tx, principal.accountId, patch.endUser);
    const changes = { ...patch, ...(agentVersion !== undefined && { agentVersion }) };
    return store(tx, principal, agentId, scheduleId, changes);
  });
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
  patch: Partial<ScheduleDraft & Pick<ScheduleRecord, "agentVersion">>,
): Promise<ScheduleRecord> {
  const { rows } = await tx.query<ScheduleRecord>(
    `SELECT ${SCHEDULE_COLUMNS} FROM schedules WHERE id = $1 AND agent_id = $2 AND account_id = $3
     FOR UPDATE`,
    [id, agentId, principal.accountId],
  );
  const locked = rows[0];
  if (!locked) throw scheduleMissing(); // deleted meanwhile
  const next = { ...locked, ...patch };
  const same =
    next.cron === locked.cron &&
    next.timezone === locked.timezone &&
    next.enabled === locked.enabled;
  const stored = await tx.query<ScheduleRecord>(UPDATE, [
    id,
    principal.accountId,
    agentId,
    ...STORED_DRAFT.values(next),
    same ? locked.nextRunAt : nextRunAt(next, new Date()),
  ]);
  const [schedule] = stored.rows;
  if (!schedule) throw new Error("the schedule that was locked is gone");
  return schedule;
}
