import type { WebhookDelivery } from "@/lib/client/schemas";

/** An attempt in a word or two: the answer's status, or why there was none. */
export function attemptResult({ status_code, error }: WebhookDelivery["attempts"][number]): string {
  return status_code === null ? (error ?? "No answer") : `HTTP ${status_code}`;
}
