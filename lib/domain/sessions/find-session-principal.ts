import "server-only";
import { isMailConfigured } from "@/lib/domain/mail/mailer";
import type { Principal } from "@/lib/domain/principal";
import { env } from "@/lib/env";
import { postgres } from "@/lib/platform/postgres";

export interface SessionUser {
  id: string;
  email: string;
  name: string;
  isAdmin: boolean;
  isEmailProven: boolean;
  hasPassword: boolean;
}

interface Row {
  account_id: string;
  email: string;
  name: string;
  is_admin: boolean;
  is_email_proven: boolean;
  has_password: boolean;
  lacks_second_factor: boolean;
  blocked: boolean;
  super_agent_access: boolean;
}

// One statement a request: the session, its user and account, and at most once a minute when it was
// seen.
const FIND = `
WITH found AS (
  SELECT s.id, s.last_seen_at, u.account_id, u.email, u.name, u.is_admin,
    u.email_verified_at IS NOT NULL AS is_email_proven,
    u.password_hash IS NOT NULL AS has_password, a.blocked,
    $3 AND u.password_hash IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM totp_factors f WHERE f.user_id = u.id
        AND f.confirmed_at IS NOT NULL)
      AND NOT EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = u.id) AS lacks_second_factor,
      a.super_agent_access
  FROM user_sessions s JOIN users u ON u.id = s.user_id JOIN accounts a ON a.id = u.account_id
  WHERE s.id = $1 AND s.user_id = $2 AND s.ended_at IS NULL AND s.expires_at > now()
    AND s.version = u.session_version AND a.deleting_at IS NULL
), seen AS (
  UPDATE user_sessions s SET last_seen_at = now() FROM found WHERE s.id = found.id
    AND found.last_seen_at < now() - interval '1 minute'
)
SELECT * FROM found`;

/**
 * The signed-in user as a principal; null when the session was ended, has expired, or the user's
 * version was raised since (password change, block).
 */
export async function findSessionPrincipal(
  sessionId: string,
  userId: string,
): Promise<{ principal: Principal; user: SessionUser } | null> {
  const { REQUIRE_SECOND_FACTOR: required } = env();
  const { rows } = await postgres().query<Row>({
    name: "find-session",
    text: FIND,
    values: [sessionId, userId, required !== "off"],
  });
  const row = rows[0];
  if (!row) return null;
  const lacksSecondFactor = row.lacks_second_factor && (required === "owners" || row.is_admin);
  return {
    principal: {
      accountId: row.account_id,
      agentId: null,
      via: "session",
      userId,
      sessionId,
      // Nobody administers a service that asks for a second factor without one.
      isAdmin: row.is_admin && !lacksSecondFactor,
      lacksSecondFactor,
      blocked: row.blocked,
      unproven: isMailConfigured() && !row.is_email_proven,
      superAgentAccess: row.super_agent_access,
      writePerHour: null,
      actor: { kind: "user", id: userId, label: row.email, address: null, userAgent: null },
    },
    user: {
      id: userId,
      email: row.email,
      name: row.name,
      isAdmin: row.is_admin && !lacksSecondFactor,
      isEmailProven: row.is_email_proven,
      hasPassword: row.has_password,
    },
  };
}
