import "server-only";
import { recordAudit } from "@/lib/domain/audit/record-audit";
import { insertNotification } from "@/lib/domain/notifications/insert-notification";
import { systemPrincipal } from "@/lib/domain/principal";
import { sendAttemptSpan } from "@/lib/domain/webhooks/deliveries";
import { runWebhookWriter } from "@/lib/domain/webhooks/run-webhook";
import { endpointSecrets, webhookSecrets } from "@/lib/domain/webhooks/signing-secret";
import { driveScope } from "@/lib/engine/drive";
import { ENDPOINT_FAILING_DAYS } from "@/lib/model/events/event-types";
import { SealBroken } from "@/lib/platform/crypto/seal";
import { signWebhook } from "@/lib/platform/crypto/webhook-signature";
import { egressFetch, operatorReach } from "@/lib/platform/egress/egress-fetch";
import { EgressFailed, EgressRefused } from "@/lib/platform/egress/target";
import { failpoint } from "@/lib/platform/failpoint";
import { type Transaction, transaction } from "@/lib/platform/postgres";
import { publicBaseUrl } from "@/lib/platform/public-base-url";
import { retryAfterMs } from "@/lib/platform/retry-after";
import type { WebhookDelivery } from "@/lib/storage/generated/client";
import { prisma } from "@/lib/storage/prisma";

/** How long a receiver may take to answer. */
export const DELIVERY_TIMEOUT_MS = 10_000;
const ANSWER_MAX_BYTES = 16 * 1024;
const LOGGED_BYTES = 2048;

/** The network and the clock. */
interface Outside {
  fetch: typeof egressFetch;
  now: () => Date;
  /** Milliseconds for the whole answer. */
  timeoutMs: number;
}

export type AttemptOutcome =
  | { outcome: "delivered" | "stop" }
  | { outcome: "retry"; retryAfterSeconds: number | null };

/**
 * Makes one attempt to deliver a run's webhook and logs it: signed by Standard Webhooks, behind the
 * egress guard, redirects not followed.
 * A 2xx marks the delivery and the run; 410 stops; anything else is to be tried again. An attempt
 * of a round that a redelivery has replaced is not made.
 */
export async function attemptDelivery(
  deliveryId: string,
  round: number,
  wanted: Partial<Outside> = {},
): Promise<AttemptOutcome> {
  const delivery = await prisma().webhookDelivery.findUnique({ where: { id: deliveryId } });
  if (delivery?.status !== "pending" || delivery.round !== round) return { outcome: "stop" };
  const outside = {
    fetch: egressFetch,
    now: () => new Date(),
    timeoutMs: DELIVERY_TIMEOUT_MS,
    ...wanted,
  };
  failpoint("delivery.claimed");
  const startedAt = outside.now();
  driveScope()?.begun();
  const answer = await send(delivery, outside);
  failpoint("delivery.sent");
  const delivered = answer.status !== null && answer.status >= 200 && answer.status < 300;
  const attempt = await transaction(async (tx) => {
    const made = await logAttempt(
      tx,
      deliveryId,
      startedAt,
      outside.now().getTime() - startedAt.getTime(),
      answer,
    );
    if (delivered) await markDelivered(tx, deliveryId);
    if (delivery.endpointId) await noteEndpoint(tx, delivery.endpointId, delivered);
    return made;
  });
  failpoint("delivery.stored");
  sendAttemptSpan(deliveryId, attempt);
  if (delivered) return { outcome: "delivered" };
  return answer.status === 410
    ? { outcome: "stop" }
    : { outcome: "retry", retryAfterSeconds: answer.retryAfterSeconds };
}

/** Marks a delivery that no attempt of its round brought home. */
export async function giveUpDelivery(deliveryId: string, round: number): Promise<void> {
  await prisma().webhookDelivery.updateMany({
    where: { id: deliveryId, status: "pending", round },
    data: { status: "failed" },
  });
}

/**
 * Ends a delivery whose attempts fail on our side, not at the receiver: its log says so. A round
 * that a redelivery has replaced is left alone.
 */
export async function failDelivery(deliveryId: string, round: number): Promise<void> {
  await transaction(async (tx) => {
    const { rowCount } = await tx.query(
      `UPDATE webhook_deliveries SET status = 'failed' WHERE id = $1 AND status = 'pending'
         AND round = $2`,
      [deliveryId, round],
    );
    if (rowCount === 0) return;
    const error = "The delivery failed on our side and was given up. Send it again.";
    await logAttempt(tx, deliveryId, new Date(), 0, {
      status: null,
      error,
      body: null,
      retryAfterSeconds: null,
    });
  });
}

/**
 * @returns the attempt's number. The row's lock numbers attempts without gaps, of two rounds at
 * once too.
 */
async function logAttempt(
  tx: Transaction,
  deliveryId: string,
  at: Date,
  durationMs: number,
  answer: Answer,
): Promise<number> {
  await tx.query("SELECT 1 FROM webhook_deliveries WHERE id = $1 FOR UPDATE", [deliveryId]);
  const { rows } = await tx.query<{ attempt: number }>(
    `INSERT INTO webhook_attempts (delivery_id, attempt, at, status_code, duration_ms, error,
       response_body)
     SELECT $1, coalesce(max(attempt), 0) + 1, $2, $3, $4, $5, $6 FROM webhook_attempts
     WHERE delivery_id = $1 RETURNING attempt`,
    [deliveryId, at, answer.status, durationMs, answer.error, answer.body],
  );
  return rows[0]?.attempt ?? 0;
}

async function markDelivered(tx: Transaction, deliveryId: string): Promise<void> {
  await tx.query(
    `WITH done AS (UPDATE webhook_deliveries SET status = 'delivered' WHERE id = $1
       RETURNING run_id, endpoint_id)
     UPDATE runs r SET webhook_delivered_at = coalesce(r.webhook_delivered_at, now()) FROM done
     WHERE r.id = done.run_id AND done.endpoint_id IS NULL`,
    [deliveryId],
  );
}

/**
 * Keeps since when nothing has arrived at an endpoint, and switches it off when that is too long:
 * its owners are told.
 */
async function noteEndpoint(tx: Transaction, endpointId: string, arrived: boolean): Promise<void> {
  if (arrived) {
    await tx.query(
      `UPDATE webhook_endpoints SET failing_since = NULL
       WHERE id = $1 AND failing_since IS NOT NULL`,
      [endpointId],
    );
    return;
  }
  const { rows } = await tx.query<{ account_id: string; url: string; disabled_at: Date | null }>(
    `UPDATE webhook_endpoints SET failing_since = coalesce(failing_since, now()),
       enabled = enabled AND coalesce(failing_since, now()) > now() - make_interval(days => $2),
       disabled_at = CASE WHEN enabled
       AND failing_since <= now() - make_interval(days => $2) THEN now() END
     WHERE id = $1 AND enabled RETURNING account_id, url, disabled_at`,
    [endpointId, ENDPOINT_FAILING_DAYS],
  );
  const [disabled] = rows;
  if (!disabled?.disabled_at) return;
  const host = new URL(disabled.url).host;
  await insertNotification(tx, {
    accountId: disabled.account_id,
    key: `endpoint:${endpointId}:${disabled.disabled_at.toISOString()}`,
    path: "/webhooks",
    title: "A webhook endpoint was switched off",
    body:
      `Nothing could be delivered to ${host} for ${ENDPOINT_FAILING_DAYS} days, so no more ` +
      "events are sent there. Mend the receiver, then switch the endpoint on again.",
  });
  await recordAudit(tx, systemPrincipal(disabled.account_id), {
    action: "webhook_endpoint.disabled",
    object: { kind: "webhook_endpoint", id: endpointId, label: host },
  });
}

interface Answer {
  status: number | null;
  error: string | null;
  body: string | null;
  retryAfterSeconds: number | null;
}

async function send(
  { id, runId, eventId, endpointId, accountId, url, payload }: WebhookDelivery,
  { fetch, now, timeoutMs }: Outside,
): Promise<Answer> {
  const body = endpointId
    ? payload
    : runWebhookWriter().withLinks(payload, { accountId, baseUrl: publicBaseUrl() });
  try {
    const signature = signWebhook({
      id: (endpointId ? eventId : runId) ?? id,
      at: now(),
      body,
      secrets: endpointId
        ? await endpointSecrets(accountId, endpointId)
        : await webhookSecrets(accountId),
    });
    const answer = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "user-agent": "Lathe-Webhooks/1.0",
        ...signature,
      },
      body,
      timeoutMs,
      maxResponseBytes: ANSWER_MAX_BYTES,
      ...operatorReach(accountId),
    });
    return {
      status: answer.status,
      error: null,
      body: toLoggedText(answer.body),
      retryAfterSeconds: readRetryAfter(answer.headers.get("retry-after"), now()),
    };
  } catch (error) {
    const unsigned = error instanceof SealBroken;
    if (!(unsigned || error instanceof EgressFailed || error instanceof EgressRefused)) throw error;
    return {
      status: null,
      error: unsigned ? UNSIGNED : error.message,
      body: null,
      retryAfterSeconds: null,
    };
  }
}

/** For the delivery's log: what is wrong, and what its owner can do. */
const UNSIGNED =
  "Nothing was sent: the account's webhook secret cannot be opened on this server, so the " +
  "call could not be signed. Rotate the webhook secret, or ask the operator for the " +
  "encryption key that it was stored with.";

/**
 * Whole characters only (a stream's decoder keeps back what the cut would break), and none that
 * Postgres refuses.
 */
function toLoggedText(body: Uint8Array): string {
  return new TextDecoder()
    .decode(body.subarray(0, LOGGED_BYTES), { stream: true })
    .replaceAll("\u0000", "\ufffd");
}

const RETRY_AFTER_MAX_SECONDS = 3600;

/** Whole seconds; a receiver cannot put a delivery off for longer than an hour. */
function readRetryAfter(header: string | null, now: Date): number | null {
  const ms = retryAfterMs(header, now);
  return ms ? Math.min(Math.ceil(ms / 1000), RETRY_AFTER_MAX_SECONDS) : null;
}
