import "server-only";
import type { Principal } from "@/lib/domain/principal";
import {
  type DeliveryView,
  deliveryEvent,
  requireDelivery,
} from "@/lib/domain/webhooks/deliveries";
import { dispatch, isEngineReachable } from "@/lib/engine/client";
import { ServiceError } from "@/lib/model/errors";
import { type Transaction, transaction } from "@/lib/platform/postgres";

/**
 * Sends a delivery again, at once and with attempts of its own, whatever became of it; what an
 * earlier round still planned is void. The receiver sees the same `webhook-id`.
 * @throws ServiceError DELIVERY_NOT_FOUND; ENDPOINT_NOT_FOUND where its endpoint is deleted, with
 * the secret that it would be signed with; SERVICE_UNAVAILABLE. Nothing changes then.
 */
export async function redeliver(principal: Principal, deliveryId: string): Promise<DeliveryView> {
  const { endpointId } = await requireDelivery(principal, deliveryId);
  if (!(await isEngineReachable()))
    throw new ServiceError(
      "SERVICE_UNAVAILABLE",
      "The execution service cannot be reached. Nothing was sent; try again shortly.",
    );
  await transaction(async (tx) => {
    if (endpointId) await holdEndpoint(tx, principal, endpointId);
    const { rows } = await tx.query<{ round: number; url: string }>(
      `UPDATE webhook_deliveries SET status = 'pending', round = round + 1
       WHERE id = $1 AND account_id = $2 RETURNING round, url`,
      [deliveryId, principal.accountId],
    );
    const { round = 0, url = "" } = rows[0] ?? {};
    const { accountId } = principal;
    await dispatch(tx, deliveryEvent({ id: deliveryId, accountId, url, round }));
  });
  return requireDelivery(principal, deliveryId);
}

/**
 * It is there until the end of the transaction: whoever deletes it then ends this round too.
 * @throws ServiceError ENDPOINT_NOT_FOUND
 */
async function holdEndpoint(
  tx: Transaction,
  { accountId }: Principal,
  endpointId: string,
): Promise<void> {
  const { rowCount } = await tx.query(
    "SELECT 1 FROM webhook_endpoints WHERE id = $1 AND account_id = $2 FOR KEY SHARE",
    [endpointId, accountId],
  );
  if (rowCount === 0)
    throw new ServiceError(
      "ENDPOINT_NOT_FOUND",
      "The webhook endpoint of this delivery was deleted, and its secret with it. Nothing " +
        "was sent. What happened in the account stays in GET /v1/events.",
    );
}
