import "server-only";
import { createHash, randomInt } from "node:crypto";
import type { Principal } from "@/lib/domain/principal";
import type { Queryable, Transaction } from "@/lib/platform/postgres";

const CODES = 10;
/** Nothing that is read as something else: 31 letters and digits. */
const LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789";
/** 79 bits: nobody finds one by trying, so that a fast hash will do. */
const LETTERS_A_CODE = 16;

/**
 * Ten codes for paper, each good once in place of the second factor; those before them are void.
 * Shown here and never again.
 */
export async function replaceRecoveryCodes(
  tx: Transaction,
  { accountId, userId }: Principal,
): Promise<string[]> {
  const codes = Array.from({ length: CODES }, newCode);
  await tx.query("DELETE FROM recovery_codes WHERE user_id = $1", [userId]);
  await tx.query(
    "INSERT INTO recovery_codes (hash, account_id, user_id) SELECT unnest($1::bytea[]), $2, $3",
    [codes.map((code) => hashCode(userId ?? "", code)), accountId, userId],
  );
  return codes;
}

/** Uses a code up. Of two that bring the same one, one is let in. */
export async function takeRecoveryCode(
  on: Queryable,
  userId: string,
  code: string,
): Promise<boolean> {
  const { rowCount } = await on.query(
    "DELETE FROM recovery_codes WHERE hash = $1 AND user_id = $2",
    [hashCode(userId, code), userId],
  );
  return rowCount === 1;
}

function newCode(): string {
  const letters = Array.from(
    { length: LETTERS_A_CODE },
    () => LETTERS[randomInt(LETTERS.length)],
  ).join("");
  return (letters.match(/.{4}/g) ?? []).join("-");
}

/** As people type them: in small letters, with spaces, without the dashes. */
function hashCode(userId: string, code: string): Buffer {
  const letters = [...code.toUpperCase()].filter((letter) => LETTERS.includes(letter)).join("");
  return createHash("sha256").update(`recovery-code\n${userId}\n${letters}`).digest();
}
