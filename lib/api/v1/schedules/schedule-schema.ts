import "server-only";
import { z } from "zod";
import { idField, nullableTime, timeField } from "@/lib/api/v1/schemas/fields";
import { inputField } from "@/lib/api/v1/schemas/run-schemas";
import { standardCap } from "@/lib/domain/caps/account-caps";
import type { ScheduleRecord } from "@/lib/domain/schedules/schedule-record";
import { ERROR_CODES } from "@/lib/model/errors";
import { CRON_MAX_CHARACTERS } from "@/lib/model/schedule/parse-cron";

export const scheduleSchema = z
  .object({
    schedule_id: idField,
    agent_id: idField,
    cron: z.string(),
    timezone: z.string(),
    input: z.record(z.string(), z.unknown()),
    enabled: z.boolean(),
    next_run_at: nullableTime.meta({ description: "Null while switched off." }),
    last_run_at: nullableTime,
    last_error: z
      .object({ code: z.enum(ERROR_CODES), message: z.string(), at: timeField })
      .nullable()
      .meta({ description: "Why the last firing has not started; null once one has." }),
    created_at: timeField,
    updated_at: timeField,
  })
  .meta({ id: "Schedule", description: "Each firing starts an ordinary run whose `metadata.schedule_id` names the schedule." });

const cron = z
  .string()
  .min(1, "must have five fields: minute, hour, day of month, month, day of week")
  .max(CRON_MAX_CHARACTERS, `must have at most ${CRON_MAX_CHARACTERS} characters`)
  .meta({
    description: `Five fields: minute, hour, day of month, month, day of week. Two firings must lie at least ${standardCap("schedule_minutes")} minutes apart, unless the operator allows the account less.`,
    example: "0 9 * * mon",
  });
const timezone = z.string().max(64).meta({ description: "An IANA time zone; the default is UTC.", example: "Europe/Berlin" });

export const createScheduleBody = z
  .strictObject({ cron, timezone: timezone.default("UTC"), input: inputField.default({}), enabled: z.boolean().default(true) })
  .meta({ id: "CreateScheduleRequest" });

export const updateScheduleBody = z
  .strictObject({ cron: cron.optional(), timezone: timezone.optional(), input: inputField.optional(), enabled: z.boolean().optional() })
  .meta({ id: "UpdateScheduleRequest" });

export function toSchedule(schedule: ScheduleRecord) {
  return {
    schedule_id: schedule.id,
    agent_id: schedule.agentId,
    cron: schedule.cron,
    timezone: schedule.timezone,
    input: schedule.input,
    enabled: schedule.enabled,
    next_run_at: schedule.nextRunAt?.toISOString() ?? null,
    last_run_at: schedule.lastRunAt?.toISOString() ?? null,
    last_error: schedule.lastError,
    created_at: schedule.createdAt.toISOString(),
    updated_at: schedule.updatedAt.toISOString(),
  };
}
