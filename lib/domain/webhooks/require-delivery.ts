import "server-only";
import type { Principal } from "@/lib/domain/principal";
import { type DeliveryView, toDeliveryView, WITH_ATTEMPTS } from "@/lib/domain/webhooks/delivery-view";
import { ServiceError } from "@/lib/model/errors";
import { prisma } from "@/lib/storage/prisma";

/** The account's delivery with its attempts. @throws ServiceError DELIVERY_NOT_FOUND */
export async function requireDelivery(principal: Principal, deliveryId: string): Promise<DeliveryView> {
  const row = await prisma().webhookDelivery.findFirst({
    where: { id: deliveryId, accountId: principal.accountId },
    include: WITH_ATTEMPTS,
  });
  if (!row) throw new ServiceError("DELIVERY_NOT_FOUND", "There is no such delivery.");
  return toDeliveryView(row);
}
