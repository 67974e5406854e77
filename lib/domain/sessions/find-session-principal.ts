import "server-only";
import { isMailConfigured } from "@/lib/domain/mail/mailer";
import type { Principal } from "@/lib/domain/principal";
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
  blocked: boolean;
  super_agent_access: boolean;
}

// One statement a request: the session, its user and account, and at most once a minute when it was seen.
const FIND = `
WITH found AS (
  SELECT s.id, s.last_seen_at, u.account_id, u.email, u.name, u.is_admin, u.email_verified_at IS NOT NULL AS is_email_proven,
    u.password_hash IS NOT NULL AS has_password, a.blocked, a.super_agent_access
  FROM user_sessions s JOIN users u ON u.id = s.user_id JOIN accounts a ON a.id = u.account_id
  WHERE s.id = $1 AND s.user_id = $2 AND s.ended_at IS NULL AND s.expires_at > now() AND s.version = u.session_version AND a.deleting_at IS NULL
), seen AS (
  UPDATE user_sessions s SET last_seen_at = now() FROM found WHERE s.id = found.id AND found.last_seen_at < now() - interval '1 minute'
)
SELECT * FROM found`;

/** The signed-in user as a principal; null when the session was ended, has expired, or the user's version was raised since (password change, block). */
export async function findSessionPrincipal(sessionId: string, userId: string): Promise<{ principal: Principal; user: SessionUser } | null> {
  const { rows } = await postgres().query<Row>({ name: "find-session", text: FIND, values: [sessionId, userId] });
  const row = rows[0];
  if (!row) return null;
  return {
    principal: {
      accountId: row.account_id,
      agentId: null,
      via: "session",
      userId,
      sessionId,
      isAdmin: row.is_admin,
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
      isAdmin: row.is_admin,
      isEmailProven: row.is_email_proven,
      hasPassword: row.has_password,
    },
  };
}
