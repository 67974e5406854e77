import "server-only";
import type { WebhookAttempt, WebhookDelivery } from "@/lib/storage/generated/client";

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
