export const DELIVERY_STATUSES = ["pending", "delivered", "failed"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export interface WebhookAttempt {
  attempt: number;
  at: string;
  status_code: number | null;
  duration_ms: number;
  error: string | null;
  response_body: string | null;
}

/** What was sent to a run's webhook, with its attempts, oldest first (contract §10). */
export interface WebhookDelivery {
  delivery_id: string;
  run_id: string;
  url: string;
  status: DeliveryStatus;
  attempts: WebhookAttempt[];
  created_at: string;
}
