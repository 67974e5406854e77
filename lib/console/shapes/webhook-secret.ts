/** The secret that signs the account's webhooks. */
export interface WebhookSecret {
  /** `whsec_…` */
  secret: string;
  created_at: string;
  /** Until then the secrets before it sign along. */
  previous_expires_at: string | null;
}
