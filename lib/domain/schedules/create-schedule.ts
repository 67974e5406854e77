import "server-only";
import { requireActive, requireAgent } from "@/lib/domain/agents/agent-store";
import { admitEndUser } from "@/lib/domain/end-users/admit-end-user";
import { consumeWriteQuota } from "@/lib/domain/limits/hourly-writes";
import { readCap, requireRoom } from "@/lib/domain/limits/row-caps";
import type { Principal } from "@/lib/domain/principal";
import { requireFittingInput, requireWebhookUrl } from "@/lib/domain/runs/request-run";
import {
  nextRunAt,
  requireFiringTimes,
  SCHEDULE_COLUMNS,
  STORED_DRAFT,
  scheduledAgent,
} from "@/lib/domain/schedules/schedule-record";
import {
  type NewSchedule,
  type ScheduleRecord,
  UNSAID_SCHEDULE,
} from "@/lib/model/schedule/schedule-fields";
import { newId } from "@/lib/platform/ids";
import { accountTransaction, postgres } from "@/lib/platform/postgres";

const INSERT = `
INSERT INTO schedules (id, account_id, agent_id, ${STORED_DRAFT.columns}, next_run_at, updated_at)
VALUES ($1, $2, $3, ${STORED_DRAFT.places}, ${STORED_DRAFT.next}, now())
RETURNING ${SCHEDULE_COLUMNS}`;

/**
 * Has an agent run by the clock. Nothing is stored when it is refused.
 * @throws ServiceError INVALID_INPUT, AGENT_NOT_FOUND, VERSION_NOT_FOUND, CONFLICT (archived, or
 * too many schedules), RATE_LIMITED
 */
export async function createSchedule(
  principal: Principal,
  agentId: string,
  said: NewSchedule,
): Promise<ScheduleRecord> {
  const draft = { ...UNSAID_SCHEDULE, ...said };
  requireFiringTimes(
    draft.cron,
    draft.timezone,
    await readCap(postgres(), principal.accountId, "schedule_minutes"),
  );
  if (draft.webhookUrl) await requireWebhookUrl(principal, draft.webhookUrl);
  const { agent, agentVersion } = await scheduledAgent(
    principal,
    await requireAgent(principal, agentId),
    draft.version,
  );
  requireFittingInput(agent, draft.input);
  requireActive(agent);
  return accountTransaction(principal.accountId, async (tx) => {
    await consumeWriteQuota(tx, principal);
    if (draft.endUser !== null) await admitEndUser(tx, principal.accountId, draft.endUser);
    const { rows } = await tx.query<ScheduleRecord>(INSERT, [
      newId(),
      principal.accountId,
      agentId,
      ...STORED_DRAFT.values({ ...draft, agentVersion }),
      nextRunAt(draft, new Date()),
    ]);
    await requireRoom(tx, principal.accountId, "schedules");
    const [schedule] = rows;
    if (!schedule) throw new Error("the schedule that was stored is gone");
    return schedule;
  });
}
