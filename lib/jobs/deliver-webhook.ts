import "server-only";
import { attemptDelivery, DELIVERY_TIMEOUT_MS, giveUpDelivery } from "@/lib/domain/webhooks/attempt-delivery";
import { inngest } from "@/lib/engine/client";
import { env } from "@/lib/env";
import { deliveriesAtOnce } from "@/lib/jobs/places";

/** Milliseconds between one attempt and the next: attempts at 0 s, 5 s, 30 s, 2 min and 10 min after the end of the run. */
const PAUSES_MS = [5_000, 25_000, 90_000, 480_000];

/** Brings a run's webhook home: one attempt more than there are pauses at most, a receiver's `Retry-After` honoured, 410 stops. */
export function createDeliverWebhook(pausesMs: readonly number[], timeoutMs = DELIVERY_TIMEOUT_MS) {
  return inngest.createFunction(
    {
      id: "deliver-webhook",
      retries: 4,
      concurrency: [
        { limit: deliveriesAtOnce(env()), key: "event.data.account_id" },
        { limit: deliveriesAtOnce(env()), key: "event.data.host" },
      ],
      triggers: [{ event: "webhook/requested" }],
    },
    async ({ event, step }) => {
      const deliveryId = String(event.data.delivery_id);
      const round = Number(event.data.round ?? 0);
      for (let attempt = 1; attempt <= pausesMs.length + 1; attempt++) {
        const result = await step.run(`attempt-${attempt}`, () => attemptDelivery(deliveryId, round, timeoutMs));
        if (result.outcome === "delivered") return;
        const pauseMs = pausesMs[attempt - 1];
        if (!("retryAfterSeconds" in result) || pauseMs === undefined) break;
        const { retryAfterSeconds } = result;
        const waitMs = await step.run(`pause-${attempt}`, () => Math.ceil(Math.max(jittered(pauseMs), (retryAfterSeconds ?? 0) * 1000)));
        await step.sleep(`wait-${attempt}`, waitMs);
      }
      await step.run("give-up", () => giveUpDelivery(deliveryId, round));
    },
  );
}

export const deliverWebhook = createDeliverWebhook(PAUSES_MS);

/** Up to a tenth later, so that many failed deliveries do not return at once. */
function jittered(milliseconds: number): number {
  return milliseconds * (1 + Math.random() / 10);
}
