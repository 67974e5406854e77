import "server-only";
import { command } from "@/lib/admin/command";
import { required, text, UsageError, whole } from "@/lib/admin/flags";
import { rotateEncryptionKey } from "@/lib/domain/admin/rotate-encryption-key";
import { findPrincipalByEmail, operatorActor } from "@/lib/domain/principal";
import { rotateSigningSecret, type SigningSecret, showSigningSecret } from "@/lib/domain/webhooks/signing-secret";

const OVERLAP_DEFAULT_MINUTES = 1_440;
const OVERLAP_MAX_MINUTES = 43_200;
const email = required(text("EMAIL", "Whose account."));

const secretsRotateKey = command({
  name: "secrets rotate-key",
  summary: "Makes a fresh encryption key, seals every stored secret anew with it and retires the older keys, beside running servers.",
  flags: {},
  run: () => rotateEncryptionKey(operatorActor()),
});

const webhookSecretShow = command({
  name: "webhook-secret show",
  summary: "Prints the secret that signs an account's webhooks.",
  flags: { email },
  async run(flags) {
    return toRow(await showSigningSecret(await findPrincipalByEmail(flags.email)));
  },
});

const webhookSecretRotate = command({
  name: "webhook-secret rotate",
  summary: "Gives an account a fresh webhook secret; the one before signs along during the overlap.",
  flags: {
    email,
    "overlap-minutes": whole(`Minutes for which both sign; ${OVERLAP_DEFAULT_MINUTES} by default, 0 ends the old one at once.`),
  },
  async run(flags) {
    const minutes = flags["overlap-minutes"] ?? OVERLAP_DEFAULT_MINUTES;
    if (minutes > OVERLAP_MAX_MINUTES) throw new UsageError(`--overlap-minutes takes 0 to ${OVERLAP_MAX_MINUTES}.`);
    return toRow(await rotateSigningSecret(await findPrincipalByEmail(flags.email), minutes));
  },
});

function toRow({ secret, previousExpiresAt }: SigningSecret): object {
  return { webhook_secret: secret, previous_expires_at: previousExpiresAt };
}

export const SECRET_COMMANDS = [secretsRotateKey, webhookSecretShow, webhookSecretRotate];
