import "server-only";
import { hashToken, newToken } from "@/lib/domain/account/user-tokens";
import { VERIFY_EMAIL_HOURS } from "@/lib/model/limits";
import { newId } from "@/lib/platform/ids";
import type { Queryable } from "@/lib/platform/postgres";

export interface NewSignUp {
  /** Lower case. */
  email: string;
  name: string | null;
  passwordHash: string;
  invitationId: string | null;
  /** Where it was asked for. */
  address: string | null;
  userAgent: string | null;
}

/** A sign-up that waits for the proof of its address. */
export interface PendingSignUp extends NewSignUp {
  id: string;
  createdAt: Date;
}

const COLUMNS = `p.id, p.email, p.name, p.password_hash AS "passwordHash", p.invitation_id AS \
"invitationId", p.address,
  p.user_agent AS "userAgent", p.created_at AS "createdAt"`;
const USER_AGENT_MAX_CHARACTERS = 400;

/**
 * Stores a sign-up until its address is proven, for twenty-four hours. Each is a row of its own:
 * none takes another's password, and how many there are of one address is bounded by the mails that
 * it may be sent.
 * @returns its id
 */
export async function storePendingSignUp(tx: Queryable, wanted: NewSignUp): Promise<string> {
  const id = newId();
  await tx.query(
    `INSERT INTO pending_sign_ups (id, email, name, password_hash, invitation_id, address,
       user_agent, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(hours => $8))`,
    [
      id,
      wanted.email,
      wanted.name,
      wanted.passwordHash,
      wanted.invitationId,
      wanted.address,
      wanted.userAgent
        ?.slice(0, USER_AGENT_MAX_CHARACTERS)
        .toWellFormed()
        .replaceAll("\u0000", "") ?? null,
      VERIFY_EMAIL_HOURS,
    ],
  );
  return id;
}

/**
 * A link's token for a sign-up that still waits; null when it waits no more. Each mail has its own,
 * and all of them work until one is used.
 */
export async function issueSignUpLink(
  on: Queryable,
  signUpId: string,
): Promise<{ token: string; signUp: PendingSignUp } | null> {
  const token = newToken();
  const { rows } = await on.query<PendingSignUp>(
    `WITH found AS (SELECT ${COLUMNS} FROM pending_sign_ups p WHERE p.id = $2
         AND p.expires_at > now()),
       link AS (INSERT INTO sign_up_links (hash, sign_up_id) SELECT $1, id FROM found)
     SELECT * FROM found`,
    [hashToken(token), signUpId],
  );
  return rows[0] ? { token, signUp: rows[0] } : null;
}

/**
 * Takes the sign-up that a link was mailed for; of two that try, one gets it. Null for a link that
 * was used, has expired or never was.
 */
export async function takePendingSignUp(
  tx: Queryable,
  token: string,
): Promise<PendingSignUp | null> {
  const { rows } = await tx.query<PendingSignUp>(
    `DELETE FROM pending_sign_ups p USING sign_up_links l
     WHERE l.hash = $1 AND p.id = l.sign_up_id AND p.expires_at > now() RETURNING ${COLUMNS}`,
    [hashToken(token)],
  );
  return rows[0] ?? null;
}

/**
 * The password of the newest sign-up of an address that waits for its proof, hashed; null where
 * none waits.
 */
export async function findPendingPassword(on: Queryable, email: string): Promise<string | null> {
  const { rows } = await on.query<{ password_hash: string }>(
    `SELECT password_hash FROM pending_sign_ups WHERE email = $1 AND expires_at > now()
     ORDER BY id DESC LIMIT 1`,
    [email],
  );
  return rows[0]?.password_hash ?? null;
}
