import "server-only";
import { accountPrincipal } from "@/lib/domain/account/account-principal";
import { requestRun } from "@/lib/domain/runs/request-run";
import { nextRunAt } from "@/lib/domain/schedules/schedule-draft";
import { ServiceError } from "@/lib/model/errors";
import { log } from "@/lib/platform/log";
import { postgres, type Queryable } from "@/lib/platform/postgres";

interface DueSchedule {
  id: string;
  account_id: string;
  agent_id: string;
  cron: string;
  timezone: string;
  input: Record<string, unknown>;
  next_run_at: Date;
}

const BATCH = 100;

// Keyset, so that one that fails and stays due does not keep the others from their turn.
const DUE = `
SELECT id, account_id, agent_id, cron, timezone, input, next_run_at FROM schedules
WHERE enabled AND next_run_at <= $1 AND ($2::timestamptz IS NULL OR (next_run_at, id) > ($2::timestamptz, $3::uuid))
ORDER BY next_run_at, id LIMIT ${BATCH}`;

/**
 * Starts a run for each schedule whose time has come; one that was missed several times fires once. Any number of processes may do this at once: the
 * firing is taken by a compare-and-set on `next_run_at` in the transaction that accepts the run, so a firing starts one run at most.
 * A firing that cannot start (no credits, blocked, archived agent) is skipped and logged.
 * @returns how many runs were started
 */
export async function fireSchedules(now = new Date()): Promise<number> {
  let started = 0;
  let last: DueSchedule | undefined;
  do {
    const { rows } = await postgres().query<DueSchedule>(DUE, [now, last?.next_run_at ?? null, last?.id ?? null]);
    for (const schedule of rows) if (await fire(schedule, now)) started += 1;
    last = rows.length === BATCH ? rows.at(-1) : undefined;
  } while (last);
  return started;
}

/** This firing was taken by another process, or the schedule was changed or deleted meanwhile. */
class FiringTaken extends Error {
  override readonly name = "FiringTaken";
}

async function fire(schedule: DueSchedule, now: Date): Promise<boolean> {
  try {
    await start(schedule, now);
    return true;
  } catch (error) {
    if (error instanceof FiringTaken) return false;
    const about = { schedule_id: schedule.id, account_id: schedule.account_id, due_at: schedule.next_run_at };
    if (!(error instanceof ServiceError)) {
      log.error({ ...about, err: error }, "a schedule could not be fired; it is tried again within a minute");
      return false;
    }
    log.warn({ ...about, code: error.code }, "a schedule's firing was skipped");
    // The run was refused, or taken back; either way this firing is over.
    await takeFiring(postgres(), schedule, now, null);
    return false;
  }
}

async function start(schedule: DueSchedule, now: Date): Promise<void> {
  const principal = await accountPrincipal(schedule.account_id);
  if (!principal) throw new FiringTaken();
  await requestRun(principal, "agent", {
    agentId: schedule.agent_id,
    input: schedule.input,
    conversationId: null,
    workspaceId: null,
    webhookUrl: null,
    shouldNotify: false,
    model: null,
    metadata: { schedule_id: schedule.id },
    maxCreditsMicros: null,
    scheduleId: schedule.id,
    claim: async (tx) => {
      if (!(await takeFiring(tx, schedule, now, now))) throw new FiringTaken();
    },
  });
}

/** Moves the schedule on to its next time after now, if this firing is still the one that is due. `startedAt` null: it was skipped. */
async function takeFiring(on: Queryable, schedule: DueSchedule, now: Date, startedAt: Date | null): Promise<boolean> {
  const { rowCount } = await on.query(
    "UPDATE schedules SET next_run_at = $3, last_run_at = coalesce($4, last_run_at) WHERE id = $1 AND enabled AND next_run_at = $2",
    [schedule.id, schedule.next_run_at, nextRunAt({ ...schedule, enabled: true }, now), startedAt],
  );
  return rowCount === 1;
}
