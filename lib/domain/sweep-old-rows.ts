import "server-only";
import { removeOldAuditEvents } from "@/lib/domain/audit/remove-audit-events";
import { fileStore } from "@/lib/domain/blobs/stored-bytes";
import { closeEndedRun } from "@/lib/domain/runs/settle-run";
import { deleteOldRunEvents } from "@/lib/engine/events/event-rows";
import { openRunLog } from "@/lib/engine/events/run-log-writer";
import { env } from "@/lib/env";
import { EVENTS_KEPT_HOURS, IDEMPOTENCY_KEPT_HOURS } from "@/lib/model/limits";
import { postgres } from "@/lib/platform/postgres";

const UNFINISHED_UPLOAD_MS = 6 * 3600 * 1000;

/**
 * Closes the logs of ended runs that their process did not live to close, and removes what has
 * served its time: events 24 hours after the end, idempotency keys, the audit log beyond its days,
 * reservations of uploads that were killed, sign-ups that nobody confirmed, what MCP servers told
 * of themselves, ended windows of limits. What is kept for days has a job of its own
 * (`lib/domain/retention`). Bounded, so that one call stays short.
 */
export async function sweepOldRows(): Promise<void> {
  const open = await postgres().query<{ run_id: string; is_late: boolean }>(
    `SELECT l.run_id, r.completed_at < now() - interval '3 minutes' AS is_late FROM run_logs l
     JOIN runs r ON r.id = l.run_id
     WHERE l.closed_at IS NULL AND r.completed_at < now() - interval '5 seconds' LIMIT 200`,
  );
  for (const { run_id, is_late } of open.rows) await closeLeft(run_id, is_late);
  await deleteOldRunEvents(EVENTS_KEPT_HOURS);
  await postgres().query(
    "DELETE FROM idempotency_keys WHERE created_at < now() - make_interval(hours => $1)",
    [IDEMPOTENCY_KEPT_HOURS],
  );
  await fileStore().sweepUnfinished(new Date(Date.now() - UNFINISHED_UPLOAD_MS));
  await postgres().query("DELETE FROM uploads WHERE expires_at < now()");
  await postgres().query("DELETE FROM passkey_challenges WHERE expires_at < now()");
  await postgres().query("DELETE FROM pending_sign_ups WHERE expires_at < now()");
  await postgres().query("DELETE FROM mcp_revisions WHERE until < now()");
  await postgres().query("DELETE FROM mcp_listings WHERE listed_at < now() - interval '7 days'");
  await removeOldAuditEvents(env().AUDIT_DAYS);
  await postgres().query(
    "DELETE FROM minute_buckets WHERE window_started_at < now() - interval '5 minutes'",
  );
  await postgres().query(
    "DELETE FROM hour_buckets WHERE window_started_at < now() - interval '2 hours'",
  );
}

/**
 * @param isLate whoever holds the log has had his time to close it, and is not waited for any
 * longer
 */
async function closeLeft(runId: string, isLate: boolean): Promise<void> {
  const writer = isLate ? await openRunLog(runId) : null;
  await closeEndedRun(runId, writer);
  await writer?.close();
}
