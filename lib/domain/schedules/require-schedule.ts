import "server-only";
import type { Principal } from "@/lib/domain/principal";
import type { ScheduleRecord } from "@/lib/domain/schedules/schedule-record";
import { ServiceError } from "@/lib/model/errors";
import { prisma } from "@/lib/storage/prisma";

/** The schedule of the account's agent. @throws ServiceError SCHEDULE_NOT_FOUND */
export async function requireSchedule(principal: Principal, agentId: string, scheduleId: string): Promise<ScheduleRecord> {
  const schedule = await prisma().schedule.findFirst({ where: { id: scheduleId, agentId, accountId: principal.accountId } });
  if (!schedule) throw scheduleMissing();
  return schedule;
}

export function scheduleMissing(): ServiceError {
  return new ServiceError("SCHEDULE_NOT_FOUND", "There is no such schedule.");
}
