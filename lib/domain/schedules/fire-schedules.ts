import "server-only";
import { takeRunBudget } from "@/lib/domain/limits/request-budgets";
import { standardCap } from "@/lib/domain/limits/row-caps";
import { accountPrincipal } from "@/lib/domain/principal";
import { requestRun } from "@/lib/domain/runs/request-run";
import {
  admitFired,
  type Became,
  CHANGE_PLACE,
  firedRun,
  firingStatement,
  storeFiring,
} from "@/lib/domain/schedules/firing";
import { DUE_COLUMNS, type DUE_FIELDS, nextRunAt } from "@/lib/domain/schedules/schedule-record";
import { type ErrorCode, ServiceError } from "@/lib/model/errors";
import type { ScheduleRecord } from "@/lib/model/schedule/schedule-fields";
import { log } from "@/lib/platform/log";
import { postgres, type Queryable } from "@/lib/platform/postgres";

type DueSchedule = Pick<ScheduleRecord, (typeof DUE_FIELDS)[number]> & {
  nextRunAt: Date;
  /** The account's own least distance between firings. */
  leastMinutes: number | null;
};

const BATCH = 100;

// Account by account in turns: an account's first firing comes before anybody's second. What stays
// due after its turn is left out by the two lists.
const DUE = `
SELECT ${DUE_COLUMNS},
  (a.row_caps ->> 'schedule_minutes')::int AS "leastMinutes"
FROM (
  SELECT *, row_number() OVER (PARTITION BY account_id ORDER BY next_run_at, id) AS turn
  FROM schedules
  WHERE enabled AND next_run_at <= $1 AND account_id <> ALL ($2::uuid[]) AND id <> ALL ($3::uuid[])
) due JOIN accounts a ON a.id = due.account_id
ORDER BY due.turn, due.next_run_at, due.id LIMIT ${BATCH}`;

type Fired = "started" | "skipped" | "stays-due" | "out-of-budget" | "engine-away";

/**
 * Starts a run for each schedule whose time has come; one that was missed several times fires once.
 * Any number of processes may do this at once: the firing is taken by a compare-and-set on
 * `next_run_at` in the transaction that accepts the run, so a firing starts one run at most.
 * Firings count against their account's starts a minute; those beyond wait for the next minute. A
 * firing that cannot start (no credits, blocked, archived agent) is skipped, its schedule says why,
 * and it counts as a failure; after ten in a row, runs that failed included, the schedule is
 * paused. While the service takes no runs at all (it drains, its engine is away) everything stays
 * due: the rest would only wait for the same answer, and is tried a minute later.
 * @returns how many runs were started
 */
export async function fireSchedules(now = new Date()): Promise<number> {
  const outOfBudget = new Set<string>();
  const stayDue = new Set<string>();
  let started = 0;
  for (;;) {
    const { rows } = await postgres().query<DueSchedule>(DUE, [
      now,
      [...outOfBudget],
      [...stayDue],
    ]);
    if (rows.length === 0) return started;
    for (const schedule of rows) {
      if (outOfBudget.has(schedule.accountId)) continue;
      const fired = await fire(schedule, now);
      if (fired === "engine-away") return started;
      if (fired === "started") started += 1;
      if (fired === "stays-due") stayDue.add(schedule.id);
      if (fired === "out-of-budget") outOfBudget.add(schedule.accountId);
    }
  }
}

/** This firing was taken by another process, or the schedule was changed or deleted meanwhile. */
class FiringTaken extends Error {
  override readonly name = "FiringTaken";
}

/** The account has used up its starts of this minute. */
class OutOfBudget extends Error {
  override readonly name = "OutOfBudget";
}

async function fire(schedule: DueSchedule, now: Date): Promise<Fired> {
  const about = {
    schedule_id: schedule.id,
    account_id: schedule.accountId,
    due_at: schedule.nextRunAt,
  };
  try {
    await start(schedule, now);
    return "started";
  } catch (error) {
    // If it does: who took it, or changed it, has moved it on.
    if (error instanceof FiringTaken) return "stays-due";
    if (error instanceof OutOfBudget) {
      await noteError(
        schedule,
        now,
        "RATE_LIMITED",
        "The account has used up its starts of runs for this minute. The firing waits for " +
          "the next.",
      );
      return "out-of-budget";
    }
    if (!(error instanceof ServiceError)) {
      log.error(
        { ...about, err: error },
        "a schedule could not be fired; it is tried again within a minute",
      );
      await noteError(
        schedule,
        now,
        "INTERNAL_ERROR",
        "The run could not be started by a failure of the service. It is tried again within " +
          "a minute.",
      );
      return "stays-due";
    }
    if (error.code === "SERVICE_UNAVAILABLE") {
      log.warn({ ...about, err: error }, "no schedule can be fired at the moment; they stay due");
      await noteError(
        schedule,
        now,
        error.code,
        "The service starts no runs at the moment. The firing waits until it does.",
      );
      return "engine-away";
    }
    log.warn({ ...about, code: error.code }, "a schedule's firing was skipped");
    // The run was refused: this firing is over.
    await takeFiring(postgres(), schedule, now, {
      refusal: { code: error.code, message: error.message },
    });
    return "skipped";
  }
}

async function start(schedule: DueSchedule, now: Date): Promise<void> {
  const principal = await accountPrincipal(schedule.accountId);
  if (!principal) throw new FiringTaken();
  if (principal.unproven)
    throw new ServiceError(
      "ACCOUNT_BLOCKED",
      "The account's e-mail address is not confirmed: until it is, no run is started.",
    );
  await requestRun(principal, "agent", {
    ...firedRun(schedule),
    claim: async (tx, runId) => {
      await admitFired(tx, schedule);
      if (!(await takeFiring(tx, schedule, now, { runId }))) throw new FiringTaken();
      if (!(await takeRunBudget(tx, schedule.accountId))) throw new OutOfBudget();
    },
  });
}

/** The time that the schedule is moved on to: at least its distance after this firing's. */
function timeAfter(schedule: DueSchedule, now: Date): Date | null {
  const leastMs = (schedule.leastMinutes ?? standardCap("schedule_minutes")) * 60_000;
  const after = new Date(Math.max(now.getTime(), schedule.nextRunAt.getTime() + leastMs - 1));
  return nextRunAt({ ...schedule, enabled: true }, after);
}

const [DUE_AT, NEXT, LAST_RUN, LAST_ERROR, FAILURE] = [0, 1, 2, 3, 4].map(
  (place) => `$${CHANGE_PLACE + place}`,
);
// The triggers of the table count on: they tell of a failure, and pause the schedule.
const TAKE = firingStatement(`
  UPDATE schedules SET next_run_at = ${NEXT}, last_run_at = coalesce(${LAST_RUN}, last_run_at),
    last_error = ${LAST_ERROR},
    failures = failures + CASE WHEN ${FAILURE}::jsonb IS NULL THEN 0 ELSE 1 END,
    last_failure = coalesce(${FAILURE}, last_failure)
  WHERE id = $1 AND account_id = $2 AND enabled AND next_run_at = ${DUE_AT}`);

/**
 * Moves the schedule on to its next time and stores what became of this firing, if it is still the
 * one that is due.
 */
async function takeFiring(
  on: Queryable,
  schedule: DueSchedule,
  now: Date,
  became: Became,
): Promise<boolean> {
  const refusal = "refusal" in became ? became.refusal : null;
  const firing = {
    schedule,
    at: schedule.nextRunAt,
    firedAt: now,
    trigger: "time",
    became,
  } as const;
  return storeFiring(on, TAKE, firing, [
    schedule.nextRunAt,
    timeAfter(schedule, now),
    refusal ? null : now,
    refusal && JSON.stringify({ ...refusal, at: now.toISOString() }),
    refusal && JSON.stringify(refusal),
  ]);
}

/**
 * Says on the schedule why its firing, which stays due, has not started. Never throws: the firing
 * itself is tried again anyway.
 */
async function noteError(
  schedule: DueSchedule,
  now: Date,
  code: ErrorCode,
  message: string,
): Promise<void> {
  const values = [
    schedule.id,
    schedule.nextRunAt,
    JSON.stringify({ code, message, at: now.toISOString() }),
  ];
  await postgres()
    .query(
      "UPDATE schedules SET last_error = $3 WHERE id = $1 AND enabled AND next_run_at = $2",
      values,
    )
    .catch((error: unknown) =>
      log.warn({ err: error, schedule_id: schedule.id }, "a schedule's error could not be noted"),
    );
}
