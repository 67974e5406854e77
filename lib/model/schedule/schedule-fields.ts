import { z } from "zod";
import { endUserField } from "@/lib/model/end-user";
import { ERROR_CODES } from "@/lib/model/errors";
import {
  boolean,
  type DraftOf,
  double,
  field,
  type GivenOf,
  givenKeysOf,
  integer,
  json,
  nullable,
  type RowOf,
  text,
  time,
  unsaidOf,
  uuid,
} from "@/lib/model/fields/field-table";
import {
  creditsField,
  EXAMPLE_IDS,
  idField,
  nullableTime,
  timeField,
  type VersionName,
  versionField,
  webhookUrlField,
} from "@/lib/model/fields/shared-fields";
import type { OnBudget } from "@/lib/model/run/on-budget";
import { inputField, onBudgetField } from "@/lib/model/run/run-fields";
import { CRON_MAX_CHARACTERS, ZONE_MAX_CHARACTERS } from "@/lib/model/schedule/schedule";

/** So many firings in a row that fail pause their schedule (`pause_failing_schedule`). */
export const SCHEDULE_FAILURES_MAX = 10;

/**
 * Why a firing was skipped. Whatever says that an account may not is one code here, which clients
 * know since the first release.
 */
const FIRING_CODES = ERROR_CODES.filter(
  (code) =>
    code !== "FORBIDDEN" &&
    code !== "ENDPOINT_NOT_FOUND" &&
    code !== "CASE_NOT_FOUND" &&
    code !== "RUN_NOT_ACTIVE" &&
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
  onBudget: field(nullable(text<OnBudget>()), {
    shown: onBudgetField.nullable().meta({
      description: "As its runs are started with; null: as the agent's config says.",
    }),
    example: null,
    given: onBudgetField.nullable().meta({
      description: "`on_budget` of the runs that it starts; null: as the agent's config says.",
    }),
    absent: null,
  }),
  endUser: field(nullable(text()), {
    shown: z.string().nullable().meta({ description: "The person for whom its runs are." }),
    example: null,
    given: endUserField.nullable(),
    absent: null,
  }),
  enabled: field(boolean, { shown: z.boolean(), example: true, given: z.boolean(), absent: true }),
  version: field(nullable(json<VersionName>()), {
    shown: versionField.nullable().meta({
      description: "The version that its runs keep to, as it was named; null: the current one.",
    }),
    example: "1.0.1",
    given: versionField.nullable(),
    absent: null,
  }),
  agentVersion: field(nullable(integer), {
    shown: z
      .number()
      .int()
      .nullable()
      .meta({
        description:
          "The `number` of that version, found when it was named: a label that a later version " +
          "takes changes nothing.",
      }),
    example: 2,
  }),
  /** In credits: a bound as the owner said it, no money. */
  maxCredits: field(nullable(double), {
    shown: z
      .number()
      .nullable()
      .meta({ description: "The most that each run may cost, in credits." }),
    example: 25,
    given: creditsField.nullable(),
    absent: null,
  }),
  webhookUrl: field(nullable(text()), {
    shown: z.string().nullable().meta({ description: "Is sent the terminal result of each run." }),
    example: "https://example.com/hooks/runs",
    given: webhookUrlField.nullable(),
    absent: null,
  }),
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
  failures: field(integer, {
    shown: z
      .number()
      .int()
      .meta({
        description:
          "How many firings in a row have failed: they could not start, or their run has failed. " +
          `After ${SCHEDULE_FAILURES_MAX} the schedule is paused.`,
      }),
    example: 0,
  }),
  lastFailure: field(nullable(json<{ code: string; message?: string; run_id?: string }>()), {
    inner: true,
  }),
  pausedAt: field(nullable(time), {
    shown: nullableTime.meta({
      description: "Since when it is switched off by its failures; switching it on begins anew.",
    }),
    example: null,
  }),
  pausedReason: field(nullable(text()), {
    shown: z.string().nullable().meta({ description: "What it was paused for." }),
    example: null,
  }),
  createdAt: field(time, { shown: timeField, example: "2026-01-31T09:00:00.000Z" }),
  updatedAt: field(time, { shown: timeField, example: "2026-01-31T09:00:00.000Z" }),
};

/**
 * What the run of a firing is given of its schedule, each under the name that it has in a request
 * of a run. Beside these are the version, by its number, and `maxCredits`, in millionths.
 */
export const FIRED_FIELDS = ["agentId", "input", "webhookUrl", "onBudget", "endUser"] as const;

/** A schedule as verbs hand it out. */
export type ScheduleRecord = RowOf<typeof SCHEDULE_FIELDS>;
/** What an owner says of a schedule. */
export type ScheduleDraft = GivenOf<typeof SCHEDULE_FIELDS>;
/** The same as it begins. */
export type NewSchedule = DraftOf<typeof SCHEDULE_FIELDS>;
/** What of it a creation need not say. */
export const UNSAID_SCHEDULE = unsaidOf(SCHEDULE_FIELDS);

export const SCHEDULE_DRAFT_KEYS = givenKeysOf(SCHEDULE_FIELDS);
