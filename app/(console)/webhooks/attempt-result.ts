import type { WebhookAttempt } from "@/lib/console/shapes/webhook-delivery";

/** An attempt in a word or two: the answer's status, or why there was none. */
export function attemptResult({ status_code, error }: WebhookAttempt): string {
  return status_code === null ? (error ?? "No answer") : `HTTP ${status_code}`;
}
