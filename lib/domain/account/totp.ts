import "server-only";
import { Secret, TOTP } from "otpauth";
import type { Principal } from "@/lib/domain/principal";
import { keyRing, sealingRing, TOTP_SCOPE } from "@/lib/domain/secrets/key-ring";
import { openSealed, seal } from "@/lib/platform/crypto/seal";
import { newId } from "@/lib/platform/ids";
import type { Queryable, Transaction } from "@/lib/platform/postgres";

const ISSUER = "Lathe";
const SECRET_BYTES = 20;
/** A code is good in its own half minute, and in the one before and after: clocks differ. */
const WINDOW_STEPS = 1;
const CODE = /^\d{6}$/;

/** What an authenticator app is told, as a link and as the secret alone. */
export interface TotpSetUp {
  uri: string;
  secret: string;
}

function totpOf(secret: Secret, label: string): TOTP {
  return new TOTP({ issuer: ISSUER, label, secret, algorithm: "SHA1", digits: 6, period: 30 });
}

/**
 * Makes a secret for the user's app, in place of one that was never confirmed. It counts for
 * nothing until a code of it comes back.
 */
export async function storeTotp(
  tx: Transaction,
  { accountId, userId }: Principal,
  email: string,
): Promise<TotpSetUp | null> {
  const secret = new Secret({ size: SECRET_BYTES });
  const sealed = seal(await sealingRing(tx), secret.base32, { accountId, name: TOTP_SCOPE });
  const { rowCount } = await tx.query(
    `INSERT INTO totp_factors AS f (id, account_id, user_id, sealed) VALUES ($1, $2, $3, $4)
     ON CONFLICT (user_id) DO UPDATE SET sealed = excluded.sealed, last_step = 0, created_at = now()
     WHERE f.confirmed_at IS NULL`,
    [newId(), accountId, userId, sealed],
  );
  return rowCount === 0 ? null : { uri: totpOf(secret, email).toString(), secret: secret.base32 };
}

/**
 * Takes a code of the user's app. Of two that bring the same one, one is let in; so is nobody with
 * a code that is older than the last that was taken.
 * @param kind of which app: the one that is being set up, or the one that is in use
 */
export async function takeTotp(
  on: Queryable,
  userId: string,
  code: string,
  kind: "new" | "confirmed",
): Promise<boolean> {
  if (!CODE.test(code)) return false;
  const { rows } = await on.query<{ account_id: string; sealed: string }>(
    `SELECT account_id, sealed FROM totp_factors WHERE user_id = $1
       AND (confirmed_at IS NOT NULL) = $2`,
    [userId, kind === "confirmed"],
  );
  const [factor] = rows;
  if (!factor) return false;
  const secret = Secret.fromBase32(
    openSealed(keyRing(), factor.sealed, { accountId: factor.account_id, name: TOTP_SCOPE }),
  );
  const timestamp = Date.now();
  const delta = TOTP.validate({ token: code, secret, timestamp, window: WINDOW_STEPS });
  if (delta === null) return false;
  const step = TOTP.counter({ timestamp }) + delta;
  // The same secret still: it may have been replaced since it was read.
  const { rowCount } = await on.query(
    `UPDATE totp_factors SET last_step = $3, confirmed_at = coalesce(confirmed_at, now())
     WHERE user_id = $1 AND sealed = $2 AND last_step < $3 AND (confirmed_at IS NOT NULL) = $4`,
    [userId, factor.sealed, step, kind === "confirmed"],
  );
  return rowCount === 1;
}
