import { Badge, type BadgeTone } from "@/components/ui/badge";
import type { DeliveryStatus } from "@/lib/console/shapes/webhook-delivery";

const LOOKS: Record<DeliveryStatus, { label: string; tone: BadgeTone }> = {
  pending: { label: "Pending", tone: "accent" },
  delivered: { label: "Delivered", tone: "success" },
  failed: { label: "Failed", tone: "danger" },
};

export function DeliveryStatusBadge({ status }: { status: DeliveryStatus }) {
  return <Badge tone={LOOKS[status].tone}>{LOOKS[status].label}</Badge>;
}
