import "server-only";
import { createHmac, randomBytes } from "node:crypto";

const SECRET_PREFIX = "whsec_";
const SECRET_BYTES = 32;

/** A secret in the form of Standard Webhooks: `whsec_` and 32 random bytes in base64. */
export function createWebhookSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString("base64");
}

export type WebhookHeaders = {
  "webhook-id": string;
  "webhook-timestamp": string;
  "webhook-signature": string;
};

/**
 * The headers of one attempt to deliver `body`, which must be sent byte for byte as it was signed.
 * `id` stays the same over all attempts, `at` is this attempt's. Several secrets, during the
 * overlap of a rotation, give as many signatures; any of them will do.
 * By Node's own HMAC: that of `standardwebhooks`, which the tests verify by, is JavaScript and
 * holds the process five times as long.
 *
 * @throws TypeError when there is no secret or one that is not `whsec_…`
 */
export function signWebhook(message: {
  id: string;
  at: Date;
  body: string;
  secrets: readonly string[];
}): WebhookHeaders {
  if (message.secrets.length === 0)
    throw new TypeError("a webhook needs a secret to be signed with");
  // The parts are joined by dots: one within the id would let two messages share a signature.
  if (message.id.includes(".")) throw new TypeError("a webhook's id has no dot");
  const timestamp = String(Math.floor(message.at.getTime() / 1000));
  const content = `${message.id}.${timestamp}.${message.body}`;
  const signatures = message.secrets.map(
    (secret) =>
      `v1,${createHmac("sha256", keyOf(secret)).update(content, "utf8").digest("base64")}`,
  );
  return {
    "webhook-id": message.id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}

function keyOf(secret: string): Buffer {
  const key = Buffer.from(
    secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : "",
    "base64",
  );
  if (key.byteLength === 0) throw new TypeError("a webhook secret begins with whsec_");
  return key;
}
