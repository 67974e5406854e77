import type { Metadata } from "next";
import { IdChip } from "@/components/ui/id-chip";
import { PageHeader } from "@/components/ui/page-header";
import { reads } from "@/lib/console/reads";
import { Hydrate, readOrNotFound } from "../../_shared/first-paint";
import { DeliveryView, RedeliverButton } from "./delivery-view";
export const metadata: Metadata = { title: "Webhook delivery" };

export default async function DeliveryPage({
  params,
}: {
  params: Promise<{ deliveryId: string }>;
}) {
  const { deliveryId } = await params;
  const delivery = await readOrNotFound(reads.delivery(deliveryId));
  return (
    <Hydrate reads={[reads.delivery(delivery.delivery_id)]}>
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
