import "server-only";
import { attemptDelivery, giveUpDelivery } from "@/lib/domain/webhooks/attempt-delivery";
import { inngest } from "@/lib/engine/client";

/** Seconds between one attempt and the next: attempts at 0 s, 5 s, 30 s, 2 min and 10 min after the end of the run. */
const PAUSES_SECONDS = [5, 25, 90, 480];

/** Brings a run's webhook home: five attempts at most, a receiver's `Retry-After` honoured, 410 stops. */
export const deliverWebhook = inngest.createFunction(
  { id: "deliver-webhook", retries: 4, triggers: [{ event: "webhook/requested" }] },
  async ({ event, step }) => {
    const deliveryId = String(event.data.delivery_id);
    for (let attempt = 1; attempt <= PAUSES_SECONDS.length + 1; attempt++) {
      const result = await step.run(`attempt-${attempt}`, () => attemptDelivery(deliveryId, attempt));
      if (result.outcome === "delivered") return;
      const pause = PAUSES_SECONDS[attempt - 1];
      if (!("retryAfterSeconds" in result) || pause === undefined) break;
      const { retryAfterSeconds } = result;
      const seconds = await step.run(`pause-${attempt}`, () => Math.max(jittered(pause), retryAfterSeconds ?? 0));
      await step.sleep(`wait-${attempt}`, seconds * 1000);
    }
    await step.run("give-up", () => giveUpDelivery(deliveryId));
  },
);

/** Up to a tenth later, so that many failed deliveries do not return at once. */
function jittered(seconds: number): number {
  return seconds * (1 + Math.random() / 10);
}
