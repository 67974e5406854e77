import "server-only";
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { requirePassword } from "@/lib/domain/account/check-password";
import {
  listPasskeys,
  type PasskeyView,
  requestNewPasskey,
  requestPasskey,
  storePasskey,
  takesPasskeys,
  verifyPasskey,
} from "@/lib/domain/account/passkeys";
import { replaceRecoveryCodes, takeRecoveryCode } from "@/lib/domain/account/recovery-codes";
import { storeTotp, type TotpSetUp, takeTotp } from "@/lib/domain/account/totp";
import { recordAudit } from "@/lib/domain/audit/record-audit";
import { type RateWindow, takeFromWindow, tooManyRequests } from "@/lib/domain/limits/rate-window";
import { findPrincipalByEmail, type Principal } from "@/lib/domain/principal";
import { carrySession } from "@/lib/domain/sessions/end-sessions";
import { invalidInput, ServiceError } from "@/lib/model/errors";
import { postgres, type Queryable, type Transaction, transaction } from "@/lib/platform/postgres";
import { prisma } from "@/lib/storage/prisma";

/** What a user has beside the password. */
export interface SecondFactors {
  /** Whether an authenticator app is in use. */
  totp: boolean;
  passkeys: PasskeyView[];
  recoveryCodes: number;
  /** Whether this service can have passkeys. */
  takesPasskeys: boolean;
  /** The service asks for one, and there is none. */
  isMissing: boolean;
}

const WINDOW_SECONDS = 15 * 60;
/** As wrong passwords (contract §15): of a million codes ten are tried in a quarter of an hour. */
const WRONG_CODES_MAX = 10;
/** Questions to authenticators that one address may ask for; each is a row for five minutes. */
const PASSKEY_QUESTIONS_MAX = 200;

const windowOf = (userId: string): RateWindow => ({
  key: `second-factor:${userId}`,
  max: WRONG_CODES_MAX,
  seconds: WINDOW_SECONDS,
});

/** SQL: whether the user `u` has a second factor. */
export const HAS_SECOND_FACTOR = `(
  EXISTS (SELECT 1 FROM totp_factors f WHERE f.user_id = u.id AND f.confirmed_at IS NOT NULL)
  OR EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = u.id))`;

export async function hasSecondFactor(on: Queryable, userId: string): Promise<boolean> {
  const { rows } = await on.query<{ has: boolean }>(
    `SELECT ${HAS_SECOND_FACTOR} AS has FROM users u WHERE u.id = $1`,
    [userId],
  );
  return rows[0]?.has ?? false;
}

export type CodeCheck =
  | { outcome: "fits" }
  | { outcome: "wrong" }
  | { outcome: "too-many-attempts"; retrySeconds: number };

/**
 * Takes a code of the user's app, or a recovery code. Counted before it is looked at; a right one
 * opens the window again.
 */
export async function checkCode(
  userId: string,
  code: string,
  kind: "new" | "confirmed" = "confirmed",
): Promise<CodeCheck> {
  const retrySeconds = await takeFromWindow(postgres(), windowOf(userId));
  if (retrySeconds > 0) return { outcome: "too-many-attempts", retrySeconds };
  const typed = code.replaceAll(" ", "");
  const fits =
    (await takeTotp(postgres(), userId, typed, kind)) ||
    (kind === "confirmed" && (await takeRecoveryCode(postgres(), userId, typed)));
  if (!fits) return { outcome: "wrong" };
  await postgres().query("DELETE FROM hour_buckets WHERE key = $1", [windowOf(userId).key]);
  return { outcome: "fits" };
}

/**
 * Something that only the owner of the second factor has: a code of it, a recovery code, or a
 * passkey's answer.
 */
export type FactorProof =
  | { code: string }
  | { challengeId: string; response: AuthenticationResponseJSON };

/**
 * @throws ServiceError INVALID_INPUT when it is not the user's; RATE_LIMITED after too many wrong
 * codes
 */
async function requireFactor({ userId }: Principal, proof: FactorProof): Promise<void> {
  if ("response" in proof) {
    if ((await verifyPasskey(proof.challengeId, proof.response)) !== userId)
      throw invalidInput("passkey", "is not one of yours");
    return;
  }
  requireFits(await checkCode(userId ?? "", proof.code));
}

function requireFits(check: CodeCheck): void {
  if (check.outcome === "wrong") throw invalidInput("code", "is not right, or was used already");
  if (check.outcome === "too-many-attempts")
    throw tooManyRequests("Too many wrong codes. Nothing was changed.", check.retrySeconds);
}

export async function getSecondFactors(principal: Principal): Promise<SecondFactors> {
  const userId = principal.userId ?? "";
  const { rows } = await postgres().query<{ totp: boolean; codes: number }>(
    `SELECT EXISTS (SELECT 1 FROM totp_factors WHERE user_id = $1
         AND confirmed_at IS NOT NULL) AS totp,
       (SELECT count(*)::int FROM recovery_codes WHERE user_id = $1) AS codes`,
    [userId],
  );
  return {
    totp: rows[0]?.totp ?? false,
    passkeys: await listPasskeys(postgres(), userId),
    recoveryCodes: rows[0]?.codes ?? 0,
    takesPasskeys: takesPasskeys(),
    isMissing: principal.lacksSecondFactor ?? false,
  };
}

async function requireOwnPassword(
  principal: Principal,
  password: string,
  address: string,
): Promise<{ email: string; name: string }> {
  const user = await prisma().user.findFirst({
    where: { id: principal.userId ?? "", accountId: principal.accountId },
  });
  if (!user) throw new ServiceError("CONFLICT", "This user is gone.");
  if (user.passwordHash === null) {
    throw new ServiceError(
      "CONFLICT",
      "You sign in through another service: it is the one to ask you for a second factor.",
    );
  }
  await requirePassword(
    { email: user.email, hash: user.passwordHash },
    password,
    address,
    "password",
  );
  return user;
}

/**
 * Begins with an authenticator app: what it is to be told. It counts for nothing until
 * `confirmTotp`.
 * @param address where the request comes from: a wrong password counts like a failed sign-in
 * @throws ServiceError INVALID_INPUT for a wrong password; CONFLICT when an app is in use;
 * RATE_LIMITED
 */
export async function beginTotp(
  principal: Principal,
  password: string,
  address: string,
): Promise<TotpSetUp> {
  const { email } = await requireOwnPassword(principal, password, address);
  const setUp = await transaction((tx) => storeTotp(tx, principal, email));
  if (setUp) return setUp;
  throw new ServiceError("CONFLICT", "An authenticator app is in use already. Turn it off first.");
}

/**
 * Has the app count from now on, by a first code of it; every other session of the user ends.
 * @returns recovery codes where it is the user's first second factor, shown once; else none
 * @throws ServiceError INVALID_INPUT for a wrong code; RATE_LIMITED after ten of them
 */
export async function confirmTotp(principal: Principal, code: string): Promise<string[]> {
  const hadOne = await hasSecondFactor(postgres(), principal.userId ?? "");
  requireFits(await checkCode(principal.userId ?? "", code, "new"));
  return transaction((tx) => finishAdding(tx, principal, { kind: "totp" }, hadOne));
}

/** @throws ServiceError INVALID_INPUT for a wrong password; CONFLICT; RATE_LIMITED */
export async function beginPasskey(principal: Principal, password: string, address: string) {
  return requestNewPasskey(principal, await requireOwnPassword(principal, password, address));
}

/**
 * Keeps a passkey that the browser's authenticator made; where it is the first second factor, every
 * other session of the user ends.
 * @returns recovery codes where it is the user's first second factor, shown once; else none
 * @throws ServiceError INVALID_INPUT, CONFLICT
 */
export async function addPasskey(
  principal: Principal,
  made: { challengeId: string; name: string; response: RegistrationResponseJSON },
): Promise<{ passkey: PasskeyView; recoveryCodes: string[] }> {
  return transaction(async (tx) => {
    // Two at once: one of them is the first.
    await tx.query("SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE", [principal.userId]);
    const hadOne = await hasSecondFactor(tx, principal.userId ?? "");
    const passkey = await storePasskey(tx, principal, made);
    return {
      passkey,
      recoveryCodes: await finishAdding(
        tx,
        principal,
        { kind: "passkey", name: made.name },
        hadOne,
      ),
    };
  });
}

async function finishAdding(
  tx: Transaction,
  principal: Principal,
  changes: { kind: "totp" | "passkey"; name?: string },
  hadOne: boolean,
): Promise<string[]> {
  await recordAudit(tx, principal, {
    action: "second_factor.added",
    object: { kind: "user", id: principal.userId },
    changes,
  });
  if (hadOne) return [];
  // Whoever is signed in by the password alone, or is about to be, comes back with the second
  // factor.
  await carrySession(tx, principal);
  return replaceRecoveryCodes(tx, principal);
}

/** @throws ServiceError NOT_FOUND */
export async function renamePasskey(
  { accountId, userId }: Principal,
  passkeyId: string,
  name: string,
): Promise<void> {
  const { rowCount } = await postgres().query(
    "UPDATE passkeys SET name = $4 WHERE id = $1 AND account_id = $2 AND user_id = $3",
    [passkeyId, accountId, userId, name],
  );
  if (rowCount === 0) throw new ServiceError("NOT_FOUND", "There is no such passkey.");
}

/** @throws ServiceError NOT_FOUND; INVALID_INPUT and RATE_LIMITED as of a wrong second factor */
export async function removePasskey(
  principal: Principal,
  passkeyId: string,
  proof: FactorProof,
): Promise<void> {
  const { accountId, userId } = principal;
  const known = await postgres().query(
    "SELECT 1 FROM passkeys WHERE id = $1 AND account_id = $2 AND user_id = $3",
    [passkeyId, accountId, userId],
  );
  if (known.rowCount === 0) throw new ServiceError("NOT_FOUND", "There is no such passkey.");
  await requireFactor(principal, proof);
  await transaction(async (tx) => {
    const { rows } = await tx.query<{ name: string }>(
      "DELETE FROM passkeys WHERE id = $1 AND account_id = $2 AND user_id = $3 RETURNING name",
      [passkeyId, accountId, userId],
    );
    const [gone] = rows;
    if (gone) await finishRemoving(tx, principal, { kind: "passkey", name: gone.name });
  });
}

/**
 * Turns the authenticator app off. @throws ServiceError INVALID_INPUT and RATE_LIMITED as of a
 * wrong second factor; CONFLICT when none is in use
 */
export async function removeTotp(principal: Principal, proof: FactorProof): Promise<void> {
  await requireFactor(principal, proof);
  await transaction(async (tx) => {
    const { rowCount } = await tx.query(
      `DELETE FROM totp_factors WHERE user_id = $1 AND account_id = $2
         AND confirmed_at IS NOT NULL`,
      [principal.userId, principal.accountId],
    );
    if (rowCount === 0) throw new ServiceError("CONFLICT", "No authenticator app is in use.");
    await finishRemoving(tx, principal, { kind: "totp" });
  });
}

/** Codes are for whoever has lost a second factor: without one there is nothing to get around. */
async function finishRemoving(
  tx: Transaction,
  principal: Principal,
  changes: { kind: "totp" | "passkey"; name?: string },
): Promise<void> {
  await recordAudit(tx, principal, {
    action: "second_factor.removed",
    object: { kind: "user", id: principal.userId },
    changes,
  });
  if (await hasSecondFactor(tx, principal.userId ?? "")) return;
  await tx.query("DELETE FROM recovery_codes WHERE user_id = $1", [principal.userId]);
}

/**
 * Ten fresh recovery codes, shown once; the others are void. @throws ServiceError INVALID_INPUT and
 * RATE_LIMITED as of a wrong second factor
 */
export async function renewRecoveryCodes(
  principal: Principal,
  proof: FactorProof,
): Promise<string[]> {
  await requireFactor(principal, proof);
  return transaction(async (tx) => {
    await recordAudit(tx, principal, {
      action: "second_factor.codes_renewed",
      object: { kind: "user", id: principal.userId },
    });
    return replaceRecoveryCodes(tx, principal);
  });
}

/**
 * A question for the passkeys of a browser in which nobody has signed in yet. @throws ServiceError
 * RATE_LIMITED, CONFLICT
 */
export async function requestPasskeySignIn(address: string) {
  const wait = await takeFromWindow(postgres(), {
    key: `passkey-from:${address}`,
    max: PASSKEY_QUESTIONS_MAX,
    seconds: WINDOW_SECONDS,
  });
  if (wait > 0) throw tooManyRequests("Too many passkeys were asked for from this address.", wait);
  return requestPasskey();
}

/**
 * Takes every second factor of a user away, with the codes: for somebody who has lost all of them,
 * and for an account that changes hands.
 */
export async function forgetSecondFactors(tx: Transaction, userId: string | null): Promise<number> {
  let count = 0;
  for (const table of ["totp_factors", "passkeys"])
    count += (await tx.query(`DELETE FROM ${table} WHERE user_id = $1`, [userId])).rowCount ?? 0;
  await tx.query("DELETE FROM recovery_codes WHERE user_id = $1", [userId]);
  return count;
}

/**
 * The operator lets somebody in again who has lost the second factor; the user's sessions end.
 * @throws ServiceError NOT_FOUND
 */
export async function resetSecondFactor(
  email: string,
): Promise<{ email: string; removed: number }> {
  const principal = await findPrincipalByEmail(email);
  return transaction(async (tx) => {
    const removed = await forgetSecondFactors(tx, principal.userId);
    await tx.query("UPDATE users SET session_version = session_version + 1 WHERE id = $1", [
      principal.userId,
    ]);
    await recordAudit(tx, principal, {
      action: "second_factor.reset",
      object: { kind: "user", id: principal.userId, label: email },
      changes: { removed },
    });
    return { email, removed };
  });
}
