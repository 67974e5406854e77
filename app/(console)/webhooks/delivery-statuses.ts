import type { WebhookDelivery } from "@/lib/client/schemas";

export const DELIVERY_STATUSES = ["pending", "delivered", "failed"] as const satisfies readonly WebhookDelivery["status"][];
