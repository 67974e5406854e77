import "server-only";
import {
  type AttemptOutcome,
  attemptDelivery,
  DELIVERY_TIMEOUT_MS,
  failDelivery,
  giveUpDelivery,
} from "@/lib/domain/webhooks/attempt-delivery";
import { eventData } from "@/lib/engine/client";
import type { EngineFunction, Steps } from "@/lib/engine/functions";
import { env } from "@/lib/env";
import { deliveriesAtOnce } from "@/lib/jobs/places";

/**
 * Milliseconds between one attempt and the next: attempts at 0 s, 5 s, 30 s, 2 min and 10 min after
 * the end of the run.
 */
const PAUSES_MS = [5_000, 25_000, 90_000, 480_000];

/** What a delivery needs of the engine. */
export type DeliverySteps = Pick<Steps, "run" | "sleep">;

/**
 * Brings a run's webhook home: one attempt more than there are pauses at most, a receiver's
 * `Retry-After` honoured, 410 stops.
 */
export async function deliver(
  step: DeliverySteps,
  attempt: () => Promise<AttemptOutcome>,
  giveUp: () => Promise<void>,
  pausesMs: readonly number[] = PAUSES_MS,
): Promise<void> {
  for (let count = 1; count <= pausesMs.length + 1; count++) {
    const result = await step.run(`attempt-${count}`, attempt);
    if (result.outcome === "delivered") return;
    const pauseMs = pausesMs[count - 1];
    if (result.outcome !== "retry" || pauseMs === undefined) break;
    const { retryAfterSeconds } = result;
    const waitMs = await step.run(`pause-${count}`, () =>
      Math.ceil(Math.max(jittered(pauseMs), (retryAfterSeconds ?? 0) * 1000)),
    );
    await step.sleep(`wait-${count}`, waitMs);
  }
  await step.run("give-up", giveUp);
}

/** The function behind each delivery; tests give it shorter times. */
export function createDeliverWebhook(
  pausesMs?: readonly number[],
  timeoutMs = DELIVERY_TIMEOUT_MS,
): EngineFunction {
  return {
    id: "deliver-webhook",
    retries: 4,
    get limits() {
      const limit = deliveriesAtOnce(env());
      return [
        { limit, field: "account_id" },
        { limit, field: "host" },
      ] as const;
    },
    triggers: [{ event: "webhook/requested" }],
    onFailure: async ({ event }) => {
      const { delivery_id, round } = eventData("webhook/requested", event);
      await failDelivery(delivery_id, round);
    },
    handler: async ({ event, step }) => {
      const { delivery_id: deliveryId, round } = eventData("webhook/requested", event);
      await deliver(
        step,
        () => attemptDelivery(deliveryId, round, { timeoutMs }),
        () => giveUpDelivery(deliveryId, round),
        pausesMs,
      );
    },
  };
}

export const deliverWebhook = createDeliverWebhook();

/** Up to a tenth later, so that many failed deliveries do not return at once. */
function jittered(milliseconds: number): number {
  return milliseconds * (1 + Math.random() / 10);
}
