import "server-only";
import type { AgentRecord } from "@/lib/domain/agents/agent-store";
import { requireVersion } from "@/lib/domain/agents/get-agent-version";
import type { Principal } from "@/lib/domain/principal";
import { atVersion } from "@/lib/domain/runs/request-run";
import { ServiceError } from "@/lib/model/errors";
import { columnList, selectList, storeList } from "@/lib/model/fields/field-table";
import type { VersionName } from "@/lib/model/fields/shared-fields";
import { checkSchedule, nextFirings } from "@/lib/model/schedule/schedule";
import {
  FIRED_FIELDS,
  SCHEDULE_DRAFT_KEYS,
  SCHEDULE_FIELDS,
  type ScheduleDraft,
  type ScheduleRecord,
} from "@/lib/model/schedule/schedule-fields";
import { postgres } from "@/lib/platform/postgres";

/** The columns of a schedule under the names of `ScheduleRecord`. */
export const SCHEDULE_COLUMNS = selectList(SCHEDULE_FIELDS);
/** What a firing reads of its schedule, which the statement calls `due`. */
export const DUE_FIELDS = [
  "id",
  "accountId",
  "cron",
  "timezone",
  "nextRunAt",
  "agentVersion",
  "maxCredits",
  ...FIRED_FIELDS,
] as const;
export const DUE_COLUMNS = columnList(SCHEDULE_FIELDS, DUE_FIELDS, "due");
/**
 * What an owner says of a schedule, and which version that is, as it is stored: from the fourth
 * place on.
 */
export const STORED_DRAFT = storeList(SCHEDULE_FIELDS, [...SCHEDULE_DRAFT_KEYS, "agentVersion"], 4);

/** Whether an UPDATE of a draft switches its schedule on. */
export const SWITCHES_ON = `(${STORED_DRAFT.at.enabled} AND NOT enabled)`;

/** The schedule of the account's agent. @throws ServiceError SCHEDULE_NOT_FOUND */
export async function requireSchedule(
  principal: Principal,
  agentId: string,
  scheduleId: string,
): Promise<ScheduleRecord> {
  const { rows } = await postgres().query<ScheduleRecord>(
    `SELECT ${SCHEDULE_COLUMNS} FROM schedules WHERE id = $1 AND agent_id = $2 AND account_id = $3`,
    [scheduleId, agentId, principal.accountId],
  );
  const [schedule] = rows;
  if (!schedule) throw scheduleMissing();
  return schedule;
}

/**
 * The agent as the runs of a schedule find it that names this version, and the version's number;
 * the agent as it is, and null, of one that names none.
 * @throws ServiceError VERSION_NOT_FOUND
 */
export async function scheduledAgent(
  principal: Principal,
  agent: AgentRecord,
  name: VersionName | null,
): Promise<{ agent: AgentRecord; agentVersion: number | null }> {
  if (name === null) return { agent, agentVersion: null };
  const version = await requireVersion(principal, agent.id, name);
  return { agent: atVersion(agent, version), agentVersion: version.number };
}

export function scheduleMissing(): ServiceError {
  return new ServiceError("SCHEDULE_NOT_FOUND", "There is no such schedule.");
}

/**
 * @throws ServiceError INVALID_INPUT for a `cron` or `timezone` that is not understood, never
 * fires, or fires less than `leastMinutes` apart
 */
export function requireFiringTimes(cron: string, timezone: string, leastMinutes: number): void {
  const details = checkSchedule(cron, timezone, new Date(), leastMinutes).map(
    ({ path, message }) => ({ path: path.join("."), message }),
  );
  if (details.length === 0) return;
  throw new ServiceError(
    "INVALID_INPUT",
    details.map((detail) => `${detail.path}: ${detail.message}`).join("; "),
    { details },
  );
}

/** The first firing after `after`; null while switched off, or when there is none any more. */
export function nextRunAt(
  schedule: Pick<ScheduleDraft, "cron" | "timezone" | "enabled">,
  after: Date,
): Date | null {
  if (!schedule.enabled) return null;
  try {
    return nextFirings(schedule.cron, schedule.timezone, after, 1)[0] ?? null;
  } catch (error) {
    if (error instanceof RangeError) return null; // a zone that the runtime no longer knows
    throw error;
  }
}
