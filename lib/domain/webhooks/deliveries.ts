import "server-only";
import type { Principal } from "@/lib/domain/principal";
import type { LatheEvent } from "@/lib/engine/client";
import { ServiceError } from "@/lib/model/errors";
import { NOTHING_MORE, type TraceSpan } from "@/lib/model/run/trace-span";
import { postgres } from "@/lib/platform/postgres";
import { sendTraceSpans } from "@/lib/platform/telemetry/run-spans";
import { telemetry } from "@/lib/platform/telemetry/telemetry";
import type { WebhookAttempt, WebhookDelivery } from "@/lib/storage/generated/client";
import { prisma } from "@/lib/storage/prisma";

/** A delivery with its attempts, oldest first. */
export type DeliveryView = WebhookDelivery & { attempts: WebhookAttempt[] };

export const DELIVERY_STATUSES = ["pending", "delivered", "failed"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Longer than any pause between two attempts, a receiver's `Retry-After` included. */
export const LOST_HOURS = 3;
/** How long an Inngest server is told of a round again; it knows an event's id for as long. */
export const ROUND_DAYS = 1;

const ATTEMPTS_SHOWN = 100;

/**
 * How deliveries are read with their attempts: the latest hundred, newest first (see
 * `toDeliveryView`).
 */
export const WITH_ATTEMPTS = {
  attempts: { orderBy: { attempt: "desc" as const }, take: ATTEMPTS_SHOWN },
};

export function toDeliveryView(row: DeliveryView): DeliveryView {
  return { ...row, attempts: row.attempts.toReversed() };
}

interface DeliveryRound {
  id: string;
  accountId: string;
  url: string;
  round: number;
}

/**
 * What has the engine deliver a webhook; whose it is and where it goes decide with which others it
 * shares places. One id of a round: whoever tells the engine of it, and how often, it begins once.
 * @param after with so many attempts made, of a round that the engine may have known and lost: it
 * begins once more
 */
export function deliveryEvent(
  delivery: DeliveryRound,
  after: number | null = null,
): Extract<LatheEvent, { name: "webhook/requested" }> {
  const { id: delivery_id, accountId: account_id, round } = delivery;
  const id =
    after !== null
      ? `${delivery_id}:${round}:after-${after}`
      : round === 0
        ? delivery_id
        : `${delivery_id}:${round}`;
  const host = URL.canParse(delivery.url) ? new URL(delivery.url).host : "";
  return { id, name: "webhook/requested", data: { delivery_id, round, account_id, host } };
}

/** The account's delivery with its attempts. @throws ServiceError DELIVERY_NOT_FOUND */
export async function requireDelivery(
  principal: Principal,
  deliveryId: string,
): Promise<DeliveryView> {
  const row = await prisma().webhookDelivery.findFirst({
    where: { id: deliveryId, accountId: principal.accountId },
    include: WITH_ATTEMPTS,
  });
  if (!row) throw new ServiceError("DELIVERY_NOT_FOUND", "There is no such delivery.");
  return toDeliveryView(row);
}

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
export const ATTEMPTS = `SELECT d.id AS delivery_id, d.status AS delivery_status, d.url,
  d.created_at, a.attempt, a.at, a.duration_ms, a.status_code, a.error
FROM runs r JOIN webhook_deliveries d ON d.run_id = r.id AND d.account_id = r.account_id
  AND d.endpoint_id IS NULL LEFT JOIN webhook_attempts a ON a.delivery_id = d.id
WHERE r.id = $1 AND r.account_id = $2 ORDER BY a.attempt LIMIT 2000`;

/**
 * One attempt to deliver the webhook; a delivery that nobody has attempted yet is one that runs.
 */
export function toWebhookSpan(row: AttemptRow): TraceSpan {
  const startedAt = row.at ?? row.created_at;
  const isFailed =
    row.error !== null ||
    (row.status_code !== null && (row.status_code < 200 || row.status_code > 299));
  return {
    ...NOTHING_MORE,
    ...{
      spanId: `webhook-${row.delivery_id}-${row.attempt ?? 0}`,
      parentId: null,
      kind: "webhook",
      name: row.url,
      startedAt,
    },
    endedAt: row.at && new Date(row.at.getTime() + (row.duration_ms ?? 0)),
    status: row.at === null ? "running" : isFailed ? "failed" : "succeeded",
    attributes: {
      delivery_id: row.delivery_id,
      attempt: row.attempt,
      status_code: row.status_code,
    },
    error: isFailed
      ? {
          code: "DELIVERY_FAILED",
          message: row.error ?? `The receiver answered ${row.status_code}.`,
        }
      : null,
  };
}

/**
 * Sends the span of an attempt that was just made, where a collector is configured: its run's own
 * were sent at its end.
 */
export function sendAttemptSpan(deliveryId: string, attempt: number): void {
  telemetry()?.later(async () => {
    const { rows } = await postgres().query<
      AttemptRow & { run_id: string; trace_parent: string | null }
    >(
      `SELECT d.id AS delivery_id, d.status AS delivery_status, d.url, d.created_at, a.attempt,
         a.at, a.duration_ms, a.status_code, a.error, r.id AS run_id, r.trace_parent
       FROM webhook_deliveries d JOIN webhook_attempts a ON a.delivery_id = d.id
       JOIN runs r ON r.id = d.run_id AND r.account_id = d.account_id
       WHERE d.endpoint_id IS NULL AND d.id = $1 AND a.attempt = $2`,
      [deliveryId, attempt],
    );
    for (const row of rows)
      sendTraceSpans({ id: row.run_id, traceParent: row.trace_parent }, [toWebhookSpan(row)]);
  });
}
