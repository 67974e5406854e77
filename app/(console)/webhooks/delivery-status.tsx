import { Badge, type BadgeTone } from "@/components/ui/badge";
import type { WebhookDelivery } from "@/lib/client/schemas";

export const DELIVERY_STATUSES = [
  "pending",
  "delivered",
  "failed",
] as const satisfies readonly WebhookDelivery["status"][];

const LOOKS: Record<WebhookDelivery["status"], { label: string; tone: BadgeTone }> = {
  pending: { label: "Pending", tone: "accent" },
  delivered: { label: "Delivered", tone: "success" },
  failed: { label: "Failed", tone: "danger" },
};

export function DeliveryStatusBadge({ status }: { status: WebhookDelivery["status"] }) {
  return <Badge tone={LOOKS[status].tone}>{LOOKS[status].label}</Badge>;
}

/** An attempt in a word or two: the answer's status, or why there was none. */
export function attemptResult({ status_code, error }: WebhookDelivery["attempts"][number]): string {
  return status_code === null ? (error ?? "No answer") : `HTTP ${status_code}`;
}
