import "server-only";
import type { Principal } from "@/lib/domain/principal";
import { dispatchAfterCommit, type LatheEvent } from "@/lib/engine/lathe-event";
import { ServiceError } from "@/lib/model/errors";
import { log } from "@/lib/platform/log";
import { postgres } from "@/lib/platform/postgres";
import type { WebhookAttempt, WebhookDelivery } from "@/lib/storage/generated/client";
import { prisma } from "@/lib/storage/prisma";

/** A delivery with its attempts, oldest first. */
export type DeliveryView = WebhookDelivery & { attempts: WebhookAttempt[] };

export const DELIVERY_STATUSES = ["pending", "delivered", "failed"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

const ATTEMPTS_SHOWN = 100;

/** How deliveries are read with their attempts: the latest hundred, newest first (see `toDeliveryView`). */
export const WITH_ATTEMPTS = { attempts: { orderBy: { attempt: "desc" as const }, take: ATTEMPTS_SHOWN } };

export function toDeliveryView(row: DeliveryView): DeliveryView {
  return { ...row, attempts: row.attempts.toReversed() };
}

/** What has the engine deliver a webhook; whose it is and where it goes decide with which others it shares places. */
export function deliveryEvent(
  id: string,
  delivery: { id: string; accountId: string; url: string; round: number },
): Extract<LatheEvent, { name: "webhook/requested" }> {
  const { id: delivery_id, accountId: account_id, round } = delivery;
  const host = URL.canParse(delivery.url) ? new URL(delivery.url).host : "";
  return { id, name: "webhook/requested", data: { delivery_id, round, account_id, host } };
}

/** The account's delivery with its attempts. @throws ServiceError DELIVERY_NOT_FOUND */
export async function requireDelivery(principal: Principal, deliveryId: string): Promise<DeliveryView> {
  const row = await prisma().webhookDelivery.findFirst({
    where: { id: deliveryId, accountId: principal.accountId },
    include: WITH_ATTEMPTS,
  });
  if (!row) throw new ServiceError("DELIVERY_NOT_FOUND", "There is no such delivery.");
  return toDeliveryView(row);
}

/**
 * Sends the events of deliveries again that nobody has attempted in over a minute: the process died between commit and sending. The event's id is the
 * delivery's and an attempt belongs to its round, so sending twice is harmless.
 */
export async function resendPendingDeliveries(): Promise<void> {
  const { rows } = await postgres().query<{ id: string; account_id: string; url: string; round: number }>(
    `SELECT id, account_id, url, round FROM webhook_deliveries d WHERE status = 'pending' AND round = 0 AND created_at < now() - interval '1 minute'
       AND created_at > now() - interval '1 day' AND NOT EXISTS (SELECT 1 FROM webhook_attempts a WHERE a.delivery_id = d.id) ORDER BY id LIMIT 500`,
  );
  for (const { id, account_id: accountId, url, round } of rows) {
    await dispatchAfterCommit(deliveryEvent(id, { id, accountId, url, round })).catch((error: unknown) =>
      log.warn({ err: error, delivery_id: id }, "the engine did not take a pending delivery"),
    );
  }
}
