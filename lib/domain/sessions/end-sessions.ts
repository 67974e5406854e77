import "server-only";
import { recordAudit } from "@/lib/domain/audit/record-audit";
import type { Principal } from "@/lib/domain/principal";
import { ServiceError } from "@/lib/model/errors";
import { postgres, type Transaction, transaction } from "@/lib/platform/postgres";

/**
 * Ends every session of the signed-in user, this one too, on every device. Keys and runs are not
 * touched.
 */
export async function endSessions(principal: Principal): Promise<void> {
  await transaction(async (tx) => {
    await tx.query(
      "UPDATE users SET session_version = session_version + 1 WHERE id = $1 AND account_id = $2",
      [principal.userId, principal.accountId],
    );
    await recordAudit(tx, principal, {
      action: "session.all_ended",
      object: { kind: "user", id: principal.userId },
    });
  });
}

/**
 * Ends every session of the signed-in user but this one: it alone is taken along to the user's next
 * version.
 */
export async function endOtherSessions(principal: Principal): Promise<void> {
  await transaction(async (tx) => {
    await carrySession(tx, principal);
    await recordAudit(tx, principal, { action: "session.others_ended" });
  });
}

/**
 * Raises the user's version, which ends all sessions and what is about to become one, and takes
 * this session along.
 */
export async function carrySession(tx: Transaction, principal: Principal): Promise<void> {
  const { rows } = await tx.query<{ session_version: number }>(
    `UPDATE users SET session_version = session_version + 1 WHERE id = $1 AND account_id = $2
     RETURNING session_version`,
    [principal.userId, principal.accountId],
  );
  await tx.query(
    "UPDATE user_sessions SET version = $4 WHERE id = $1 AND user_id = $2 AND account_id = $3",
    [
      principal.sessionId ?? null,
      principal.userId,
      principal.accountId,
      rows[0]?.session_version ?? 0,
    ],
  );
}

/**
 * Ends one session of the signed-in user. Again: nothing changes. @throws ServiceError NOT_FOUND
 * for one that is not theirs
 */
export async function endSession(principal: Principal, sessionId: string): Promise<void> {
  await transaction(async (tx) => {
    const { rows } = await tx.query<{ first: boolean }>(
      `WITH before AS (SELECT id, ended_at FROM user_sessions WHERE id = $1 AND user_id = $2
           AND account_id = $3 FOR UPDATE)
       UPDATE user_sessions s SET ended_at = coalesce(s.ended_at, now()) FROM before
       WHERE s.id = before.id RETURNING before.ended_at IS NULL AS first`,
      [sessionId, principal.userId, principal.accountId],
    );
    if (!rows[0]) throw new ServiceError("NOT_FOUND", "There is no such session.");
    if (rows[0].first)
      await recordAudit(tx, principal, {
        action: "session.ended",
        object: { kind: "session", id: sessionId },
      });
  });
}

/** The session of a browser that signs out: a copy of its cookie opens nothing any more. */
export async function endSignedOutSession(sessionId: string, userId: string): Promise<void> {
  await postgres().query(
    "UPDATE user_sessions SET ended_at = coalesce(ended_at, now()) WHERE id = $1 AND user_id = $2",
    [sessionId, userId],
  );
}
