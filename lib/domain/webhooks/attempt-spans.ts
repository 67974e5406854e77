import "server-only";
import { NOTHING_MORE, type TraceSpan } from "@/lib/model/run/trace-span";
import { postgres } from "@/lib/platform/postgres";
import { sendTraceSpans } from "@/lib/platform/telemetry/run-spans";
import { telemetry } from "@/lib/platform/telemetry/telemetry";

export interface AttemptRow {
  delivery_id: string;
  delivery_status: "pending" | "delivered" | "failed";
  url: string;
  created_at: Date;
  attempt: number | null;
  at: Date | null;
  duration_ms: number | null;
  status_code: number | null;
  error: string | null;
}
/** The attempts to deliver the webhook of run `$1` of account `$2`. */
export const ATTEMPTS = `SELECT d.id AS delivery_id, d.status AS delivery_status, d.url, d.created_at, a.attempt, a.at, a.duration_ms, a.status_code, a.error
FROM runs r JOIN webhook_deliveries d ON d.run_id = r.id AND d.account_id = r.account_id LEFT JOIN webhook_attempts a ON a.delivery_id = d.id
WHERE r.id = $1 AND r.account_id = $2 ORDER BY a.attempt LIMIT 2000`;

/** One attempt to deliver the webhook; a delivery that nobody has attempted yet is one that runs. */
export function toWebhookSpan(row: AttemptRow): TraceSpan {
  const startedAt = row.at ?? row.created_at;
  const isFailed = row.error !== null || (row.status_code !== null && (row.status_code < 200 || row.status_code > 299));
  return {
    ...NOTHING_MORE,
    ...{ spanId: `webhook-${row.delivery_id}-${row.attempt ?? 0}`, parentId: null, kind: "webhook", name: row.url, startedAt },
    endedAt: row.at && new Date(row.at.getTime() + (row.duration_ms ?? 0)),
    status: row.at === null ? "running" : isFailed ? "failed" : "succeeded",
    attributes: { delivery_id: row.delivery_id, attempt: row.attempt, status_code: row.status_code },
    error: isFailed ? { code: "DELIVERY_FAILED", message: row.error ?? `The receiver answered ${row.status_code}.` } : null,
  };
}

/** Sends the span of an attempt that was just made, where a collector is configured: its run's own were sent at its end. */
export function sendAttemptSpan(deliveryId: string, attempt: number): void {
  telemetry()?.later(async () => {
    const { rows } = await postgres().query<AttemptRow & { run_id: string; trace_parent: string | null }>(
      `SELECT d.id AS delivery_id, d.status AS delivery_status, d.url, d.created_at, a.attempt, a.at, a.duration_ms, a.status_code, a.error, r.id AS run_id, r.trace_parent
       FROM webhook_deliveries d JOIN webhook_attempts a ON a.delivery_id = d.id JOIN runs r ON r.id = d.run_id AND r.account_id = d.account_id
       WHERE d.id = $1 AND a.attempt = $2`,
      [deliveryId, attempt],
    );
    for (const row of rows) sendTraceSpans({ id: row.run_id, traceParent: row.trace_parent }, [toWebhookSpan(row)]);
  });
}
