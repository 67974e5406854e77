import "server-only";
import { z } from "zod";
import { type Operation, operation } from "@/lib/api/http/operation";
import { toList } from "@/lib/api/http/to-list";
import { createScheduleBody, scheduleSchema, toSchedule, updateScheduleBody } from "@/lib/api/v1/schedules/schedule-schema";
import { idField, listOf, listQuery } from "@/lib/api/v1/schemas/fields";
import { createSchedule } from "@/lib/domain/schedules/create-schedule";
import { deleteSchedule } from "@/lib/domain/schedules/delete-schedule";
import { listSchedules } from "@/lib/domain/schedules/list-schedules";
import { updateSchedule } from "@/lib/domain/schedules/update-schedule";

const COLLECTION = "/v1/agents/{agent_id}/schedules";
const ITEM = `${COLLECTION}/{schedule_id}`;
const itemParams = z.object({ agent_id: idField, schedule_id: idField });

const createScheduleOperation = operation({
  method: "POST",
  path: COLLECTION,
  operationId: "createSchedule",
  tag: "Schedules",
  summary: "Create a schedule",
  description:
    "Has the agent run by the clock. Each firing starts one ordinary run at most; what was missed while the service was down is made up for by one run. A firing that cannot start (no credits, a blocked account, an archived agent) is skipped.",
  hourlyWrite: true,
  params: z.object({ agent_id: idField }),
  body: createScheduleBody,
  responses: [{ status: 201, description: "The schedule.", schema: scheduleSchema }],
  errors: ["INVALID_INPUT", "AGENT_NOT_FOUND", "CONFLICT"],
  async handle({ principal, params, body }) {
    return { status: 201, body: toSchedule(await createSchedule(principal, params.agent_id, body)) };
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
  responses: [{ status: 200, description: "A page of schedules.", schema: listOf(scheduleSchema) }],
  errors: ["INVALID_INPUT", "AGENT_NOT_FOUND"],
  async handle({ principal, params, query }) {
    return { status: 200, body: toList(await listSchedules(principal, params.agent_id, query), toSchedule) };
  },
});

const updateScheduleOperation = operation({
  method: "PATCH",
  path: ITEM,
  operationId: "updateSchedule",
  tag: "Schedules",
  summary: "Change a schedule",
  description: "Replaces the fields that are given. Other times, or switching it on, plan the next firing anew from now.",
  hourlyWrite: true,
  params: itemParams,
  body: updateScheduleBody,
  responses: [{ status: 200, description: "The schedule.", schema: scheduleSchema }],
  errors: ["INVALID_INPUT", "AGENT_NOT_FOUND", "SCHEDULE_NOT_FOUND", "CONFLICT"],
  async handle({ principal, params, body }) {
    return { status: 200, body: toSchedule(await updateSchedule(principal, params.agent_id, params.schedule_id, body)) };
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
