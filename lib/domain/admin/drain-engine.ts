import "server-only";
import { setTimeout as pause } from "node:timers/promises";
import { ACCEPTING_KNOWN_MS } from "@/lib/domain/runs/request-run";
import { SettingsError } from "@/lib/env";
import { ServiceError } from "@/lib/model/errors";
import { postgres } from "@/lib/platform/postgres";

const POLL_MS = 500;

/** What the embedded executor still has to do, but for its own clockwork. */
export interface EngineWork {
  /** Runs, deliveries, mails and what else was begun and has not ended. */
  at_work: number;
  /** Events that nobody has taken up yet. */
  unrouted: number;
  /**
   * Of the runs those that wait for a person: they end when the person has decided, or the approval
   * has expired.
   */
  waiting_for_people: number;
}

// Events for one function are the clock's, which begin anew each minute and hold nothing.
const WORK = `
SELECT (SELECT count(*)::int FROM engine_runs r JOIN engine_events e ON e.id = r.event_id
  WHERE r.status = 'active' AND e.function_id IS NULL) AS at_work,
  (SELECT count(*)::int FROM engine_events WHERE routed_at IS NULL
     AND function_id IS NULL) AS unrouted,
  (SELECT count(*)::int FROM runs WHERE completed_at IS NULL
     AND requires_action IS NOT NULL) AS waiting_for_people`;

async function readWork(): Promise<EngineWork> {
  const { rows } = await postgres().query<EngineWork>(WORK);
  return rows[0] ?? { at_work: 0, unrouted: 0, waiting_for_people: 0 };
}

/**
 * Has every process refuse new runs with 503, beside the running service, and waits until the
 * embedded executor has nothing left to do. Then another engine may take over: nothing is stranded.
 * New runs stay refused until `resumeStarts`, or until a server is started with an Inngest server.
 * @param waitMs how long; what is left then is told
 */
export async function drainEngine(
  waitMs: number,
): Promise<EngineWork & { status: "drained" | "draining" }> {
  const { rowCount } = await postgres().query(
    "UPDATE service_identity SET draining_since = coalesce(draining_since, now()) WHERE id = 1",
  );
  if (rowCount === 0)
    throw new ServiceError(
      "CONFLICT",
      "No service has been started on this database yet: there is nothing to drain.",
    );
  const giveUpAt = Date.now() + waitMs;
  // Until all know it, one may still start.
  await pause(Math.min(waitMs, 2 * ACCEPTING_KNOWN_MS));
  for (;;) {
    const work = await readWork();
    if (work.at_work + work.unrouted === 0) return { status: "drained", ...work };
    if (Date.now() >= giveUpAt) return { status: "draining", ...work };
    await pause(POLL_MS);
  }
}

/** Lets runs start again. */
export async function resumeStarts(): Promise<void> {
  await postgres().query("UPDATE service_identity SET draining_since = NULL WHERE id = 1");
}

/**
 * Before a process works with an Inngest server, which is sent what nobody has taken up yet.
 * @throws SettingsError while the embedded executor has work, which nobody would go on with
 */
export async function requireDrained(): Promise<void> {
  const { at_work } = await readWork();
  if (at_work > 0)
    throw new SettingsError(
      `The embedded executor has not finished ${at_work} of its runs, which an Inngest server ` +
        'does not know; start without INNGEST_EVENT_KEY and INNGEST_SIGNING_KEY, run "npm run ' +
        '-s admin -- engine drain", and start with them again.',
    );
  await resumeStarts();
}
