import "server-only";
import { isMailConfigured } from "@/lib/domain/mail/mailer";
import { deliveryEvent, LOST_HOURS, ROUND_DAYS } from "@/lib/domain/webhooks/deliveries";
import { dispatchAgain, type LatheEvent } from "@/lib/engine/client";
import { log } from "@/lib/platform/log";
import { postgres } from "@/lib/platform/postgres";

/**
 * What an Inngest server has lost of what it had taken. `forgotten`: all of it, for it knows the
 * functions no more. `stalled`: nobody knows; what has not gone on for its time is taken for lost.
 */
export type Lost = "forgotten" | "stalled";

const BATCH = 500;
const STALLED_MINUTES = 10;

const PENDING = `
SELECT id, account_id FROM runs WHERE status = 'pending'
  AND created_at < now() - interval '1 minute' AND id > $1
  AND ($2 OR created_at >= now() - interval '${STALLED_MINUTES} minutes')
  AND NOT EXISTS (SELECT 1 FROM queued_runs q WHERE q.run_id = runs.id) ORDER BY id LIMIT ${BATCH}`;

// A server that found nobody to begin a run has given it up, and knows the run's own id for a day.
// One that waits for a place at the server is begun when there is one, so that no more are sent
// than have places now. Who waits for such a one holds no place at the server.
const GIVEN_UP = `
SELECT id, account_id, floor(extract(epoch FROM now()) / ${STALLED_MINUTES * 60})::text AS round
FROM (
  SELECT r.id, r.account_id, row_number() OVER (PARTITION BY r.account_id ORDER BY r.id) AS place
  FROM runs r
  WHERE r.status = 'pending' AND r.created_at < now() - interval '${STALLED_MINUTES} minutes'
    AND NOT EXISTS (SELECT 1 FROM queued_runs q WHERE q.run_id = r.id)
) w
WHERE w.id > $1 AND w.place <= $2 - (
  SELECT count(*) FROM runs a WHERE a.account_id = w.account_id AND a.status = 'running'
    AND a.requires_action IS NULL
    AND NOT EXISTS (SELECT 1 FROM runs c WHERE c.parent_run_id = a.id
        AND c.account_id = a.account_id
      AND c.status = 'pending' AND c.created_at < now() - interval '${STALLED_MINUTES} minutes'))
ORDER BY id LIMIT ${BATCH}`;

// A step that is at work comes to its end; its run is found when it has gone on no further.
const BEGUN = `
SELECT r.id, r.account_id, floor(extract(epoch FROM now()) / ${STALLED_MINUTES * 60})::text AS round
FROM runs r JOIN run_logs l ON l.run_id = r.id
WHERE r.status = 'running' AND l.closed_at IS NULL AND r.id > $1
  AND NOT EXISTS (SELECT 1 FROM engine_processes p WHERE p.id = l.owner
      AND p.seen_at > clock_timestamp() - interval '15 seconds')
  AND ($2 OR (r.requires_action IS NULL
        AND r.started_at < now() - interval '${STALLED_MINUTES} minutes'
    AND NOT EXISTS (SELECT 1 FROM run_events e WHERE e.run_id = r.id
        AND e.created_at > now() - interval '${STALLED_MINUTES} minutes')))
ORDER BY r.id LIMIT ${BATCH}`;

// A row is never younger than its round: `created_at` is what the index of pending ones has.
const DELIVERIES = `
SELECT d.id, d.account_id AS "accountId", d.url, d.round, made.attempts,
  made.last IS NOT NULL OR d.requested_at < now() - interval '${STALLED_MINUTES} minutes' AS begun
FROM webhook_deliveries d CROSS JOIN LATERAL (
  SELECT count(*)::int AS attempts, max(at) FILTER (WHERE at >= d.requested_at) AS last
  FROM webhook_attempts WHERE delivery_id = d.id
) made
WHERE d.status = 'pending' AND d.created_at < now() - interval '1 minute'
  AND d.requested_at < now() - interval '1 minute' AND d.id > $1
  AND d.requested_at > now() - interval '${ROUND_DAYS} days'
  AND ($2 OR made.last IS NULL OR made.last < now() - interval '${LOST_HOURS} hours')
ORDER BY d.id LIMIT ${BATCH}`;

const NOTIFICATIONS = `
SELECT id FROM notifications WHERE emailed_at IS NULL AND created_at < now() - interval '1 minute'
  AND created_at > now() - interval '1 day' AND id > $1
ORDER BY id LIMIT ${BATCH}`;

/**
 * With an Inngest server: has the work that it has lost begun again. What was never begun, under
 * the id that it has: the server takes that once, if it knows it. What was begun, or has had ten
 * minutes to be, under another one: of a run once in ten minutes, of a delivery once after each
 * attempt. The steps of a run find what is stored, also what became of an approval or of a client's
 * tools; the fence of its log leaves one of two that work on it; a delivery has its round, a mail
 * its claim. So beginning twice does no harm. Nothing else is unfinished: mails about accounts are
 * asked for anew, children of ended runs and accounts to be deleted are looked for each minute.
 * @param places runs of one account that the server has work at once
 */
export async function sendUnfinishedAgain(lost: Lost, places: number): Promise<void> {
  const all = lost === "forgotten";
  await sendAgain<{ id: string; account_id: string }>(PENDING, [all], ({ id, account_id }) => ({
    id,
    name: "run/accepted",
    data: { run_id: id, account_id },
  }));
  if (!all) await sendAgain<LostRun>(GIVEN_UP, [places], toAgain);
  await sendAgain<LostRun>(BEGUN, [all], toAgain);
  await sendAgain<Parameters<typeof deliveryEvent>[0] & { attempts: number; begun: boolean }>(
    DELIVERIES,
    [all],
    ({ attempts, begun, ...delivery }) => deliveryEvent(delivery, begun ? attempts : null),
  );
  if (isMailConfigured())
    await sendAgain<{ id: string }>(NOTIFICATIONS, [], ({ id }) => ({
      id,
      name: "notification/created",
      data: { notification_id: id },
    }));
}

interface LostRun {
  id: string;
  account_id: string;
  /** The ten minutes in which it was found. */
  round: string;
}

function toAgain({ id, account_id, round }: LostRun): LatheEvent {
  log.warn({ run_id: id }, "a run that nobody works on is sent to the engine again");
  return { id: `${id}:again:${round}`, name: "run/accepted", data: { run_id: id, account_id } };
}

const FIRST_ID = "00000000-0000-0000-0000-000000000000";

/** Page by page, however much there is. */
async function sendAgain<Row extends { id: string }>(
  text: string,
  values: unknown[],
  toEvent: (row: Row) => LatheEvent,
): Promise<void> {
  for (let after = FIRST_ID; ; ) {
    const { rows } = await postgres().query<Row>(text, [after, ...values]);
    await dispatchAgain(postgres(), rows.map(toEvent));
    const last = rows.at(-1);
    if (!last || rows.length < BATCH) return;
    after = last.id;
  }
}
