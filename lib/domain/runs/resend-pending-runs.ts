import "server-only";
import { dispatchAfterCommit, type LatheEvent } from "@/lib/engine/client";
import { log } from "@/lib/platform/log";
import { postgres } from "@/lib/platform/postgres";

/**
 * Sends the events of runs again that have been pending for over a minute: the process died between
 * commit and sending. The event's id is the run's, and starting is a guarded update, so sending
 * twice is harmless.
 */
export async function resendPendingRuns(): Promise<void> {
  const { rows } = await postgres().query<{ id: string; account_id: string }>(
    "SELECT id, account_id FROM runs WHERE status = 'pending' AND created_at < now() - interval '1 minute' ORDER BY id LIMIT 500",
  );
  for (const { id, account_id } of rows) {
    await dispatchAfterCommit({ id, name: "run/accepted", data: { run_id: id, account_id } }).catch(
      (error: unknown) =>
        log.warn({ err: error, run_id: id }, "the engine did not take a pending run"),
    );
  }
}

const STRANDED_MINUTES = 10;
const STRANDED = `
SELECT r.id, r.account_id, floor(extract(epoch FROM now()) / ${STRANDED_MINUTES * 60})::text AS round FROM runs r JOIN run_logs l ON l.run_id = r.id
WHERE r.status = 'running' AND r.requires_action IS NULL AND r.started_at < now() - interval '${STRANDED_MINUTES} minutes' AND l.closed_at IS NULL
  AND NOT EXISTS (SELECT 1 FROM engine_processes p WHERE p.id = l.owner AND p.seen_at > clock_timestamp() - interval '15 seconds')
  AND NOT EXISTS (SELECT 1 FROM run_events e WHERE e.run_id = r.id AND e.created_at > now() - interval '${STRANDED_MINUTES} minutes')
ORDER BY r.id LIMIT 500`;

/**
 * Sends the events of runs again that are at work and that nobody works on: their Inngest server
 * has lost them, or has given them up while the service was away. Under another id, for it may know
 * the first; one id for all that look within the same ten minutes. Steps find what is stored, and
 * the fence of a log leaves one of two that work on a run.
 */
export async function resendStrandedRuns(
  send: (event: LatheEvent) => Promise<void> = dispatchAfterCommit,
): Promise<void> {
  const { rows } = await postgres().query<{ id: string; account_id: string; round: string }>(
    STRANDED,
  );
  for (const { id, account_id, round } of rows) {
    log.warn({ run_id: id }, "a run that nobody works on is sent to the engine again");
    await send({
      id: `${id}:again:${round}`,
      name: "run/accepted",
      data: { run_id: id, account_id },
    }).catch((error: unknown) =>
      log.warn({ err: error, run_id: id }, "the engine did not take a stranded run"),
    );
  }
}
