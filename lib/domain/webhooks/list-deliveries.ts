import "server-only";
import { type Page, type PageRequest, readCursor, rowsToRead, toPage } from "@/lib/domain/page";
import type { Principal } from "@/lib/domain/principal";
import {
  type DeliveryStatus,
  type DeliveryView,
  toDeliveryView,
  WITH_ATTEMPTS,
} from "@/lib/domain/webhooks/deliveries";
import { prisma } from "@/lib/storage/prisma";

export interface DeliveryFilter {
  runId: string | null;
  endpointId: string | null;
  status: DeliveryStatus | null;
}

/** The account's webhook deliveries, newest first. */
export async function listDeliveries(
  principal: Principal,
  page: PageRequest,
  filter: DeliveryFilter,
): Promise<Page<DeliveryView>> {
  const before = readCursor(page.cursor);
  const rows = await prisma().webhookDelivery.findMany({
    where: {
      accountId: principal.accountId,
      ...(before && { id: { lt: before } }),
      ...(filter.runId && { runId: filter.runId }),
      // Without one, those of runs' own webhooks: that is what this list was before there were
      // others.
      endpointId: filter.endpointId,
      ...(filter.status && { status: filter.status }),
    },
    include: WITH_ATTEMPTS,
    orderBy: { id: "desc" },
    take: rowsToRead(page),
  });
  return toPage(rows.map(toDeliveryView), page.limit, (delivery) => delivery.id);
}
