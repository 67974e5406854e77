import "server-only";
import { admitEndUser } from "@/lib/domain/end-users/admit-end-user";
import type { RunInput } from "@/lib/domain/runs/request-run";
import type { ErrorCode } from "@/lib/model/errors";
import { pickFields, selectList } from "@/lib/model/fields/field-table";
import { toMicros } from "@/lib/model/run/run-result";
import { FIRING_FIELDS, FIRINGS_MAX, type FiringRecord } from "@/lib/model/schedule/firing-fields";
import { FIRED_FIELDS, type ScheduleRecord } from "@/lib/model/schedule/schedule-fields";
import { newId } from "@/lib/platform/ids";
import type { Queryable, Transaction } from "@/lib/platform/postgres";

/** The columns of a firing `f` and its run `r` under the names of `FiringRecord`. */
export const FIRING_COLUMNS = selectList(FIRING_FIELDS, "f", {
  runStatus: "r.status",
  error: "coalesce(f.refusal, r.error)",
});

/** What a firing's run is made of. */
export type FiredSchedule = Pick<
  ScheduleRecord,
  "id" | "accountId" | "agentVersion" | "maxCredits" | (typeof FIRED_FIELDS)[number]
>;

/** The run that a firing of a schedule asks for, by the clock or by hand. */
export function firedRun(schedule: FiredSchedule): RunInput {
  return {
    ...pickFields(schedule, FIRED_FIELDS),
    version: schedule.agentVersion,
    maxCreditsMicros: schedule.maxCredits === null ? null : toMicros(schedule.maxCredits),
    metadata: { schedule_id: schedule.id },
    scheduleId: schedule.id,
  };
}

/**
 * Has a firing begin with the row of the person whom it is for, before its schedule's: whoever has
 * them erased holds them in that order.
 * @throws ServiceError CONFLICT while they are being erased
 */
export async function admitFired(tx: Transaction, schedule: FiredSchedule): Promise<void> {
  // Alone: their run, which the same transaction accepts, may want it so.
  if (schedule.endUser !== null)
    await admitEndUser(tx, schedule.accountId, schedule.endUser, "alone");
}

/** What became of a firing: the run that it started, or why it could not. */
export type Became = { runId: string } | { refusal: { code: ErrorCode; message: string } };

/** One firing of a schedule, as it is stored. */
interface Firing extends Pick<FiringRecord, "at" | "firedAt" | "trigger"> {
  schedule: Pick<ScheduleRecord, "id" | "accountId">;
  became: Became;
}

/** The first place of a change of the schedule's row that is not the firing's. */
export const CHANGE_PLACE = 10;

/**
 * A firing is stored by the statement that changes its schedule's row, if it does: `$1` is the
 * schedule and `$2` its account. What is beyond the newest that are kept goes with it.
 * @param change an UPDATE of `schedules` with places from `CHANGE_PLACE` on
 */
export function firingStatement(change: string): string {
  return `
WITH taken AS (${change} RETURNING id, account_id),
forgotten AS (DELETE FROM schedule_firings f USING taken WHERE f.schedule_id = taken.id
    AND f.account_id = taken.account_id
  AND f.id <= (SELECT o.id FROM schedule_firings o WHERE o.schedule_id = $1 AND o.account_id = $2
    ORDER BY o.id DESC OFFSET ${FIRINGS_MAX - 1} LIMIT 1))
INSERT INTO schedule_firings (id, account_id, schedule_id, at, fired_at, trigger, outcome, run_id,
  refusal)
SELECT $3, account_id, id, $4, $5, $6, $7, $8, $9 FROM taken`;
}

/**
 * Changes a schedule's row and stores the firing that it is for, both or neither.
 * @param statement of `firingStatement`
 * @param values of the places from `CHANGE_PLACE` on
 * @returns whether the row was there to be changed
 */
export async function storeFiring(
  on: Queryable,
  statement: string,
  { schedule, at, firedAt, trigger, became }: Firing,
  values: readonly unknown[],
): Promise<boolean> {
  const started = "runId" in became;
  const { rowCount } = await on.query(statement, [
    schedule.id,
    schedule.accountId,
    newId(),
    at,
    firedAt,
    trigger,
    started ? "started" : "skipped",
    started ? became.runId : null,
    started ? null : JSON.stringify(became.refusal),
    ...values,
  ]);
  return rowCount === 1;
}
