import "server-only";
import type { Principal } from "@/lib/domain/principal";
import {
  type DeliveryView,
  deliveryEvent,
  requireDelivery,
} from "@/lib/domain/webhooks/deliveries";
import { dispatch, isEngineReachable } from "@/lib/engine/client";
import { ServiceError } from "@/lib/model/errors";
import { transaction } from "@/lib/platform/postgres";

/**
 * Sends a delivery again, at once and with attempts of its own, whatever became of it; what an
 * earlier round still planned is void. The receiver sees the same `webhook-id`.
 * @throws ServiceError DELIVERY_NOT_FOUND, SERVICE_UNAVAILABLE
 */
export async function redeliver(principal: Principal, deliveryId: string): Promise<DeliveryView> {
  await requireDelivery(principal, deliveryId);
  if (!(await isEngineReachable()))
    throw new ServiceError(
      "SERVICE_UNAVAILABLE",
      "The execution service cannot be reached. Nothing was sent; try again shortly.",
    );
  await transaction(async (tx) => {
    const { rows } = await tx.query<{ round: number; url: string }>(
      "UPDATE webhook_deliveries SET status = 'pending', round = round + 1 WHERE id = $1 AND account_id = $2 RETURNING round, url",
      [deliveryId, principal.accountId],
    );
    const { round = 0, url = "" } = rows[0] ?? {};
    const { accountId } = principal;
    await dispatch(tx, deliveryEvent({ id: deliveryId, accountId, url, round }));
  });
  return requireDelivery(principal, deliveryId);
}
