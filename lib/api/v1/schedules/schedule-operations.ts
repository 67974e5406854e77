import "server-only";
import { z } from "zod";
import { type Operation, operation, toList } from "@/lib/api/http/operation";
import {
  EXAMPLE_IDS,
  examplePage,
  idField,
  listOf,
  listQuery,
  nullableTime,
  timeField,
} from "@/lib/api/schemas/fields";
import { inputField } from "@/lib/api/schemas/run-schemas";
import { standardCap } from "@/lib/domain/limits/row-caps";
import { createSchedule } from "@/lib/domain/schedules/create-schedule";
import { deleteSchedule } from "@/lib/domain/schedules/delete-schedule";
import { listSchedules } from "@/lib/domain/schedules/list-schedules";
import type { ScheduleRecord } from "@/lib/domain/schedules/schedule-record";
import { updateSchedule } from "@/lib/domain/schedules/update-schedule";
import { ERROR_CODES } from "@/lib/model/errors";
import { CRON_MAX_CHARACTERS } from "@/lib/model/schedule/schedule";

/**
 * Why a firing was skipped. Whatever says that an account may not is one code here, which clients
 * know since the first release.
 */
const FIRING_CODES = ERROR_CODES.filter(
  (code) => code !== "FORBIDDEN" && code !== "ENDPOINT_NOT_FOUND",
);

const scheduleSchema = z
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
      .object({ code: z.enum(FIRING_CODES), message: z.string(), at: timeField })
      .nullable()
      .meta({ description: "Why the last firing has not started; null once one has." }),
    created_at: timeField,
    updated_at: timeField,
  })
  .meta({
    id: "Schedule",
    description:
      "Each firing starts an ordinary run whose `metadata.schedule_id` names the schedule.",
  });

const cron = z
  .string()
  .min(1, "must have five fields: minute, hour, day of month, month, day of week")
  .max(CRON_MAX_CHARACTERS, `must have at most ${CRON_MAX_CHARACTERS} characters`)
  .meta({
    description: `Five fields: minute, hour, day of month, month, day of week. Two firings must lie at least ${standardCap("schedule_minutes")} minutes apart, unless the operator allows the account less.`,
    example: "0 9 * * mon",
  });
const timezone = z
  .string()
  .max(64)
  .meta({ description: "An IANA time zone; the default is UTC.", example: "Europe/Berlin" });

const createScheduleBody = z
  .strictObject({
    cron,
    timezone: timezone.default("UTC"),
    input: inputField.default({}),
    enabled: z.boolean().default(true),
  })
  .meta({ id: "CreateScheduleRequest" });

const updateScheduleBody = z
  .strictObject({
    cron: cron.optional(),
    timezone: timezone.optional(),
    input: inputField.optional(),
    enabled: z.boolean().optional(),
  })
  .meta({ id: "UpdateScheduleRequest" });

function toSchedule(schedule: ScheduleRecord) {
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

const COLLECTION = "/v1/agents/{agent_id}/schedules";
const ITEM = `${COLLECTION}/{schedule_id}`;
const itemParams = z.object({ agent_id: idField, schedule_id: idField });

const EXAMPLE_SCHEDULE: z.output<typeof scheduleSchema> = {
  schedule_id: EXAMPLE_IDS.schedule_id,
  agent_id: EXAMPLE_IDS.agent_id,
  cron: "0 9 * * mon",
  timezone: "Europe/Berlin",
  input: { question: "How was last week?" },
  enabled: true,
  next_run_at: "2026-02-02T08:00:00.000Z",
  last_run_at: null,
  last_error: null,
  created_at: "2026-01-31T09:00:00.000Z",
  updated_at: "2026-01-31T09:00:00.000Z",
};

const createScheduleOperation = operation({
  method: "POST",
  path: COLLECTION,
  operationId: "createSchedule",
  tag: "Schedules",
  summary: "Create a schedule",
  description:
    "Has the agent run by the clock. Each firing starts one ordinary run at most; what was missed while the service was down is made up for by one run. Firings count against the account's starts of runs a minute; those beyond wait. A firing that cannot start (no credits, a blocked account, an archived agent) is skipped, and `last_error` says why.",
  hourlyWrite: true,
  params: z.object({ agent_id: idField }),
  body: createScheduleBody,
  examples: {
    weekly: {
      cron: "0 9 * * mon",
      timezone: "Europe/Berlin",
      input: { question: "How was last week?" },
    },
  },
  creates: ["schedules"],
  responses: [
    {
      status: 201,
      description: "The schedule.",
      schema: scheduleSchema,
      examples: { schedule: EXAMPLE_SCHEDULE },
    },
  ],
  errors: ["INVALID_INPUT", "AGENT_NOT_FOUND", "CONFLICT"],
  async handle({ principal, params, body }) {
    return {
      status: 201,
      body: toSchedule(await createSchedule(principal, params.agent_id, body)),
    };
  },
});

const listSchedulesOperation = operation({
  method: "GET",
  path: COLLECTION,
  operationId: "listSchedules",
  tag: "Schedules",
  summary: "List an agent's schedules",
  description: "Newest first.",
  params: z.object({ agent_id: idField }),
  query: z.object(listQuery),
  responses: [
    {
      status: 200,
      description: "A page of schedules.",
      schema: listOf(scheduleSchema),
      examples: examplePage(EXAMPLE_SCHEDULE),
    },
  ],
  errors: ["INVALID_INPUT", "AGENT_NOT_FOUND"],
  async handle({ principal, params, query }) {
    return {
      status: 200,
      body: toList(await listSchedules(principal, params.agent_id, query), toSchedule),
    };
  },
});

const updateScheduleOperation = operation({
  method: "PATCH",
  path: ITEM,
  operationId: "updateSchedule",
  tag: "Schedules",
  summary: "Change a schedule",
  description:
    "Replaces the fields that are given. Other times, or switching it on, plan the next firing anew from now.",
  hourlyWrite: true,
  params: itemParams,
  body: updateScheduleBody,
  examples: { pause: { enabled: false } },
  responses: [
    {
      status: 200,
      description: "The schedule.",
      schema: scheduleSchema,
      examples: { schedule: EXAMPLE_SCHEDULE },
    },
  ],
  errors: ["INVALID_INPUT", "AGENT_NOT_FOUND", "SCHEDULE_NOT_FOUND", "CONFLICT"],
  async handle({ principal, params, body }) {
    return {
      status: 200,
      body: toSchedule(await updateSchedule(principal, params.agent_id, params.schedule_id, body)),
    };
  },
});

const deleteScheduleOperation = operation({
  method: "DELETE",
  path: ITEM,
  operationId: "deleteSchedule",
  tag: "Schedules",
  summary: "Delete a schedule",
  description: "Ends it. Runs that it started stay.",
  hourlyWrite: true,
  params: itemParams,
  responses: [{ status: 204, description: "Deleted." }],
  errors: ["INVALID_INPUT", "AGENT_NOT_FOUND", "SCHEDULE_NOT_FOUND"],
  async handle({ principal, params }) {
    await deleteSchedule(principal, params.agent_id, params.schedule_id);
    return { status: 204 };
  },
});

export const SCHEDULE_OPERATIONS: Operation[] = [
  createScheduleOperation,
  listSchedulesOperation,
  updateScheduleOperation,
  deleteScheduleOperation,
];
