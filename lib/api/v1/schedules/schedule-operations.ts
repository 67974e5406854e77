import "server-only";
import { z } from "zod";
import { type Operation, operation, toList } from "@/lib/api/http/operation";
import { examplePage, idField, listOf, listQuery } from "@/lib/api/schemas/fields";
import { wireOf } from "@/lib/api/schemas/noun-wire";
import {
  acceptedReply,
  EXAMPLE_PENDING_RUN,
  idempotency,
  runSchema,
  toRun,
} from "@/lib/api/schemas/run-schemas";
import { standardCap } from "@/lib/domain/limits/row-caps";
import { createSchedule } from "@/lib/domain/schedules/create-schedule";
import { deleteSchedule } from "@/lib/domain/schedules/delete-schedule";
import { listFirings } from "@/lib/domain/schedules/list-firings";
import { listSchedules } from "@/lib/domain/schedules/list-schedules";
import { runSchedule } from "@/lib/domain/schedules/run-schedule";
import { updateSchedule } from "@/lib/domain/schedules/update-schedule";
import { FIRING_FIELDS, FIRINGS_MAX } from "@/lib/model/schedule/firing-fields";
import { SCHEDULE_FAILURES_MAX, SCHEDULE_FIELDS } from "@/lib/model/schedule/schedule-fields";

const WIRE = wireOf(SCHEDULE_FIELDS);
const FIRING_WIRE = wireOf(FIRING_FIELDS);

const scheduleSchema = z.object(WIRE.shown).meta({
  id: "Schedule",
  description:
    "Each firing starts an ordinary run whose `metadata.schedule_id` names the schedule.",
});

const firingSchema = z
  .object(FIRING_WIRE.shown)
  .meta({ id: "ScheduleFiring", description: "What became of one firing of a schedule." });

/** Only the operator's settings say how far apart firings must lie. */
const cron = WIRE.given.cron.meta({
  description:
    "Five fields: minute, hour, day of month, month, day of week. Two firings must lie at least " +
    `${standardCap("schedule_minutes")} minutes apart, unless the operator allows the account ` +
    "less.",
  example: "0 9 * * mon",
});

const createScheduleBody = z
  .strictObject({ ...WIRE.defaulted, cron })
  .meta({ id: "CreateScheduleRequest" });

const updateScheduleBody = z
  .strictObject({ ...WIRE.changes, cron: cron.optional() })
  .meta({ id: "UpdateScheduleRequest" });

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
    "Has the agent run by the clock. Each firing starts one ordinary run at most; what was " +
    "missed while the service was down is made up for by one run. Firings count against the " +
    "account's starts of runs a minute; those beyond wait. A firing that cannot start (no " +
    "credits, a blocked account, an archived agent) is skipped, and `last_error` says why. Each " +
    "run keeps to `version`, costs `max_credits` at most and is sent to `webhook_url`. After " +
    `${SCHEDULE_FAILURES_MAX} failures in a row, firings that were skipped and runs that failed, ` +
    "the schedule is paused: `enabled` is false, and `paused_reason` says why.",
  hourlyWrite: true,
  params: z.object({ agent_id: idField }),
  body: createScheduleBody,
  examples: {
    weekly: {
      cron: "0 9 * * mon",
      timezone: "Europe/Berlin",
      input: { question: "How was last week?" },
    },
    pinned: {
      cron: "0 9 * * mon",
      input: { question: "How was last week?" },
      version: 1,
      max_credits: 25,
      webhook_url: "https://example.com/hooks/runs",
    },
  },
  creates: ["schedules"],
  responses: [
    {
      status: 201,
      description: "The schedule.",
      schema: scheduleSchema,
      examples: { schedule: WIRE.example },
    },
  ],
  errors: ["INVALID_INPUT", "AGENT_NOT_FOUND", "VERSION_NOT_FOUND", "CONFLICT"],
  async handle({ principal, params, body }) {
    return {
      status: 201,
      body: WIRE.toWire(await createSchedule(principal, params.agent_id, WIRE.fromBody(body))),
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
      examples: examplePage(WIRE.example),
    },
  ],
  errors: ["INVALID_INPUT", "AGENT_NOT_FOUND"],
  async handle({ principal, params, query }) {
    return {
      status: 200,
      body: toList(await listSchedules(principal, params.agent_id, query), WIRE.toWire),
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
    "Replaces the fields that are given; null takes `version`, `max_credits` and " +
    "`webhook_url` away. Other times, or switching it on, plan the next firing anew from " +
    "now; switching it on begins the count of its failures anew.",
  hourlyWrite: true,
  params: itemParams,
  body: updateScheduleBody,
  examples: {
    pause: { enabled: false },
    bounded: { version: 1, max_credits: 25, webhook_url: "https://example.com/hooks/runs" },
    current: { version: null },
  },
  responses: [
    {
      status: 200,
      description: "The schedule.",
      schema: scheduleSchema,
      examples: { schedule: WIRE.example },
    },
  ],
  errors: [
    "INVALID_INPUT",
    "AGENT_NOT_FOUND",
    "SCHEDULE_NOT_FOUND",
    "VERSION_NOT_FOUND",
    "CONFLICT",
  ],
  async handle({ principal, params, body }) {
    const change = WIRE.fromChanges(body);
    const schedule = await updateSchedule(principal, params.agent_id, params.schedule_id, change);
    return { status: 200, body: WIRE.toWire(schedule) };
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

const runScheduleOperation = operation({
  method: "POST",
  path: `${ITEM}/run`,
  operationId: "runSchedule",
  tag: "Schedules",
  summary: "Fire a schedule now",
  description:
    "Starts the run that a firing would start, now, also of a schedule that is switched off " +
    "or paused. It is a firing like those of the clock, whose next time stays: it is listed, " +
    "and its failure or success counts. A request that is refused is no firing.",
  budget: "run",
  idempotent: true,
  params: itemParams,
  creates: ["conversations"],
  responses: [
    {
      status: 202,
      description: "The run, pending.",
      schema: runSchema,
      headers: ["Location"],
      examples: { pending: EXAMPLE_PENDING_RUN },
    },
  ],
  errors: [
    "INVALID_INPUT",
    "AGENT_NOT_FOUND",
    "SCHEDULE_NOT_FOUND",
    "CONFLICT",
    "IDEMPOTENCY_CONFLICT",
    "ACCOUNT_BLOCKED",
    "INSUFFICIENT_CREDITS",
    "SERVICE_UNAVAILABLE",
  ],
  async handle(call) {
    const { agent_id, schedule_id } = call.params;
    const answer = (run: Parameters<typeof toRun>[0]) => toRun(run, call.baseUrl);
    const accepted = await runSchedule(
      call.principal,
      agent_id,
      schedule_id,
      idempotency(call, "runSchedule", answer),
    );
    return acceptedReply(accepted, answer);
  },
});

const listFiringsOperation = operation({
  method: "GET",
  path: `${ITEM}/firings`,
  operationId: "listScheduleFirings",
  tag: "Schedules",
  summary: "List a schedule's firings",
  description:
    "What became of each firing, newest first: the run that it started and how that stands, or " +
    `why it was skipped. The newest ${FIRINGS_MAX} are kept, for 90 days. A firing that still ` +
    "waits for its turn is not listed.",
  params: itemParams,
  query: z.object(listQuery),
  responses: [
    {
      status: 200,
      description: "A page of firings.",
      schema: listOf(firingSchema),
      examples: examplePage(FIRING_WIRE.example),
    },
  ],
  errors: ["INVALID_INPUT", "AGENT_NOT_FOUND", "SCHEDULE_NOT_FOUND"],
  async handle({ principal, params, query }) {
    const page = await listFirings(principal, params.agent_id, params.schedule_id, query);
    return { status: 200, body: toList(page, FIRING_WIRE.toWire) };
  },
});

export const SCHEDULE_OPERATIONS: Operation[] = [
  createScheduleOperation,
  listSchedulesOperation,
  updateScheduleOperation,
  deleteScheduleOperation,
  runScheduleOperation,
  listFiringsOperation,
];
