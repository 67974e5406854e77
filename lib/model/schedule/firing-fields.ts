import { z } from "zod";
import type { ErrorCode } from "@/lib/model/errors";
import {
  computed,
  field,
  json,
  nullable,
  type RowOf,
  text,
  time,
  uuid,
} from "@/lib/model/fields/field-table";
import { EXAMPLE_IDS, idField, timeField } from "@/lib/model/fields/shared-fields";
import { RUN_STATUSES, type RunStatus } from "@/lib/model/run/run-status";

/** The newest firings of a schedule that are kept. */
export const FIRINGS_MAX = 1_000;

/** What a firing of a schedule is made of. */
export const FIRING_FIELDS = {
  id: field(uuid, { wire: "firing_id", shown: idField, example: EXAMPLE_IDS.firing_id }),
  accountId: field(uuid),
  scheduleId: field(uuid, { shown: idField, example: EXAMPLE_IDS.schedule_id }),
  at: field(time, {
    shown: timeField.meta({ description: "When it was due; by hand: when it was asked for." }),
    example: "2026-02-02T08:00:00.000Z",
  }),
  firedAt: field(time, {
    shown: timeField.meta({ description: "When it took place." }),
    example: "2026-02-02T08:00:00.412Z",
  }),
  trigger: field(text<"time" | "manual">(), {
    shown: z.enum(["time", "manual"]),
    example: "time",
  }),
  outcome: field(text<"started" | "skipped">(), {
    shown: z
      .enum(["started", "skipped"])
      .meta({ description: "`skipped`: it could not start a run; `error` says why." }),
    example: "started",
  }),
  runId: field(nullable(uuid), {
    shown: idField
      .nullable()
      .meta({ description: "The run that it started; it may have been deleted since." }),
    example: EXAMPLE_IDS.run_id,
  }),
  runStatus: field(computed<RunStatus | null>(), {
    shown: z
      .enum(RUN_STATUSES)
      .nullable()
      .meta({ description: "Of that run, as it stands; null without one." }),
    example: "completed",
  }),
  error: field(computed<{ code: string; message: string } | null>(), {
    shown: z
      .object({ code: z.string(), message: z.string() })
      .nullable()
      .meta({ description: "Why it was skipped, or why its run has failed." }),
    example: null,
  }),
  /** Why it was skipped. */
  refusal: field(nullable(json<{ code: ErrorCode; message: string }>()), { inner: true }),
};

/** A firing as verbs hand it out. */
export type FiringRecord = RowOf<typeof FIRING_FIELDS>;
