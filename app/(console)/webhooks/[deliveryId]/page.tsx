import type { Metadata } from "next";
import { IdChip } from "@/components/ui/id-chip";
import { PageHeader } from "@/components/ui/page-header";
import { consolePaths } from "@/lib/console/console-paths";
import type { WebhookDelivery } from "@/lib/console/shapes/webhook-delivery";
import { Hydrate } from "../../_shared/hydrate";
import { readOrNotFound } from "../../_shared/read-or-not-found";
import { DeliveryView } from "./delivery-view";
import { RedeliverButton } from "./redeliver-button";

export const metadata: Metadata = { title: "Webhook delivery" };

export default async function DeliveryPage({ params }: { params: Promise<{ deliveryId: string }> }) {
  const { deliveryId } = await params;
  const delivery = await readOrNotFound<WebhookDelivery>(consolePaths.delivery(deliveryId));
  return (
    <Hydrate paths={[consolePaths.delivery(delivery.delivery_id)]}>
      <PageHeader
        back={{ href: "/webhooks", label: "Webhooks" }}
        title="Delivery"
        description={<IdChip id={delivery.delivery_id} what="delivery id" />}
      >
        <RedeliverButton deliveryId={delivery.delivery_id} />
      </PageHeader>
      <DeliveryView deliveryId={delivery.delivery_id} />
    </Hydrate>
  );
}
