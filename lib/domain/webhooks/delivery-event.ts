import "server-only";
import type { LatheEvent } from "@/lib/engine/lathe-event";

/** What has the engine deliver a webhook; whose it is and where it goes decide with which others it shares places. */
export function deliveryEvent(
  id: string,
  delivery: { id: string; accountId: string; url: string; round: number },
): Extract<LatheEvent, { name: "webhook/requested" }> {
  const { id: delivery_id, accountId: account_id, round } = delivery;
  const host = URL.canParse(delivery.url) ? new URL(delivery.url).host : "";
  return { id, name: "webhook/requested", data: { delivery_id, round, account_id, host } };
}
