import "server-only";
import { createHash, randomBytes } from "node:crypto";
import { newId } from "@/lib/platform/ids";
import type { Queryable } from "@/lib/platform/postgres";

export type TokenPurpose = "verify-email" | "reset-password";

const TOKEN_BYTES = 32;

/** A text for a link that nobody can guess. Stored is `hashToken` of it only. */
export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString("base64url");
}

export function hashToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash("sha256").update(token).digest());
}

/** Makes a link's token for the user, good once within `hours`. */
export async function issueToken(
  tx: Queryable,
  userId: string,
  purpose: TokenPurpose,
  hours: number,
): Promise<string> {
  const token = newToken();
  await tx.query(
    `INSERT INTO user_tokens (id, user_id, purpose, hash, expires_at)
     VALUES ($1, $2, $3, $4, now() + make_interval(hours => $5))`,
    [newId(), userId, purpose, hashToken(token), hours],
  );
  return token;
}

/** Whom a living token belongs to; it stays good. */
export async function findTokenUser(
  tx: Queryable,
  token: string,
  purpose: TokenPurpose,
): Promise<string | null> {
  const { rows } = await tx.query<{ user_id: string }>(
    `SELECT user_id FROM user_tokens WHERE hash = $1 AND purpose = $2 AND used_at IS NULL
       AND expires_at > now()`,
    [hashToken(token), purpose],
  );
  return rows[0]?.user_id ?? null;
}

/**
 * Uses a token up, and with it every other one of its user for the same purpose. Of two that try,
 * one gets the user; the other null.
 */
export async function spendToken(
  tx: Queryable,
  token: string,
  purpose: TokenPurpose,
): Promise<string | null> {
  const { rows } = await tx.query<{ user_id: string }>(
    `UPDATE user_tokens SET used_at = now() WHERE hash = $1 AND purpose = $2 AND used_at IS NULL
       AND expires_at > now() RETURNING user_id`,
    [hashToken(token), purpose],
  );
  const userId = rows[0]?.user_id;
  if (!userId) return null;
  await tx.query(
    `UPDATE user_tokens SET used_at = now() WHERE user_id = $1 AND purpose = $2
       AND used_at IS NULL`,
    [userId, purpose],
  );
  return userId;
}
