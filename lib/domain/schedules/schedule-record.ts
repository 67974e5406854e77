import "server-only";
import type { Principal } from "@/lib/domain/principal";
import { ServiceError } from "@/lib/model/errors";
import { checkSchedule, nextFirings } from "@/lib/model/schedule/schedule";
import type { Schedule } from "@/lib/storage/generated/client";
import { prisma } from "@/lib/storage/prisma";

/** A schedule's row, for the surfaces: they do not reach the database. */
export type ScheduleRecord = Schedule;

/** The schedule of the account's agent. @throws ServiceError SCHEDULE_NOT_FOUND */
export async function requireSchedule(
  principal: Principal,
  agentId: string,
  scheduleId: string,
): Promise<ScheduleRecord> {
  const schedule = await prisma().schedule.findFirst({
    where: { id: scheduleId, agentId, accountId: principal.accountId },
  });
  if (!schedule) throw scheduleMissing();
  return schedule;
}

export function scheduleMissing(): ServiceError {
  return new ServiceError("SCHEDULE_NOT_FOUND", "There is no such schedule.");
}

/** What an owner says of a schedule. */
export interface ScheduleDraft {
  cron: string;
  timezone: string;
  /** The named inputs of each run. */
  input: Record<string, unknown>;
  enabled: boolean;
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
