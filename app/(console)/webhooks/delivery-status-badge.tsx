import { Badge, type BadgeTone } from "@/components/ui/badge";
import type { WebhookDelivery } from "@/lib/client/schemas";

const LOOKS: Record<WebhookDelivery["status"], { label: string; tone: BadgeTone }> = {
  pending: { label: "Pending", tone: "accent" },
  delivered: { label: "Delivered", tone: "success" },
  failed: { label: "Failed", tone: "danger" },
};

export function DeliveryStatusBadge({ status }: { status: WebhookDelivery["status"] }) {
  return <Badge tone={LOOKS[status].tone}>{LOOKS[status].label}</Badge>;
}
