import { z } from "zod";
import { endUserField } from "@/lib/model/end-user";
import { ERROR_CODES } from "@/lib/model/errors";
import {
  boolean,
  type DraftOf,
  field,
  type GivenOf,
  givenKeysOf,
  json,
  nullable,
  type RowOf,
  text,
  time,
  unsaidOf,
  uuid,
} from "@/lib/model/fields/field-table";
import { EXAMPLE_IDS, idField, nullableTime, timeField } from "@/lib/model/fields/shared-fields";
import { inputField } from "@/lib/model/run/run-fields";
import { CRON_MAX_CHARACTERS, ZONE_MAX_CHARACTERS } from "@/lib/model/schedule/schedule";

/**
 * Why a firing was skipped. Whatever says that an account may not is one code here, which clients
 * know since the first release.
 */
const FIRING_CODES = ERROR_CODES.filter(
  (code) =>
    code !== "FORBIDDEN" &&
    code !== "ENDPOINT_NOT_FOUND" &&
    code !== "END_USER_NOT_FOUND" &&
    code !== "END_USER_ERASED",
);

/** What a schedule is made of. */
export const SCHEDULE_FIELDS = {
  id: field(uuid, { wire: "schedule_id", shown: idField, example: EXAMPLE_IDS.schedule_id }),
  accountId: field(uuid),
  agentId: field(uuid, { shown: idField, example: EXAMPLE_IDS.agent_id }),
  cron: field(text(), {
    shown: z.string(),
    example: "0 9 * * mon",
    given: z
      .string()
      .min(1, "must have five fields: minute, hour, day of month, month, day of week")
      .max(CRON_MAX_CHARACTERS, `must have at most ${CRON_MAX_CHARACTERS} characters`),
  }),
  timezone: field(text(), {
    shown: z.string(),
    example: "Europe/Berlin",
    given: z.string().max(ZONE_MAX_CHARACTERS).meta({
      description: "An IANA time zone; the default is UTC.",
      example: "Europe/Berlin",
    }),
    absent: "UTC",
  }),
  /** The named inputs of each run. */
  input: field(json<Record<string, unknown>>(), {
    shown: z.record(z.string(), z.unknown()),
    example: { question: "How was last week?" },
    given: inputField,
    absent: {},
  }),
  endUser: field(nullable(text()), {
    shown: z.string().nullable().meta({ description: "The person for whom its runs are." }),
    example: null,
    given: endUserField.nullable(),
    absent: null,
  }),
  enabled: field(boolean, { shown: z.boolean(), example: true, given: z.boolean(), absent: true }),
  nextRunAt: field(nullable(time), {
    shown: nullableTime.meta({ description: "Null while switched off." }),
    example: "2026-02-02T08:00:00.000Z",
  }),
  lastRunAt: field(nullable(time), { shown: nullableTime, example: null }),
  lastError: field(
    nullable(json<{ code: (typeof FIRING_CODES)[number]; message: string; at: string }>()),
    {
      shown: z
        .object({ code: z.enum(FIRING_CODES), message: z.string(), at: timeField })
        .nullable()
        .meta({ description: "Why the last firing has not started; null once one has." }),
      example: null,
    },
  ),
  createdAt: field(time, { shown: timeField, example: "2026-01-31T09:00:00.000Z" }),
  updatedAt: field(time, { shown: timeField, example: "2026-01-31T09:00:00.000Z" }),
};

/**
 * What the run of a firing is given of its schedule, each under the name that it has in a request of
 * a run.
 */
export const FIRED_FIELDS = ["agentId", "input", "endUser"] as const;

/** A schedule as verbs hand it out. */
export type ScheduleRecord = RowOf<typeof SCHEDULE_FIELDS>;
/** What an owner says of a schedule. */
export type ScheduleDraft = GivenOf<typeof SCHEDULE_FIELDS>;
/** The same as it begins. */
export type NewSchedule = DraftOf<typeof SCHEDULE_FIELDS>;
/** What of it a creation need not say. */
export const UNSAID_SCHEDULE = unsaidOf(SCHEDULE_FIELDS);

export const SCHEDULE_DRAFT_KEYS = givenKeysOf(SCHEDULE_FIELDS);
