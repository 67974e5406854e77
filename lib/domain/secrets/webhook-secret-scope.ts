import "server-only";

/** What a webhook secret is bound to beside its account. No account secret has such a name. */
export const WEBHOOK_SECRET_SCOPE = "webhook-signing";
