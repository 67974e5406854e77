import "server-only";
import { SESSION_DAYS, SESSIONS_PER_USER_MAX } from "@/lib/model/limits";
import { newId } from "@/lib/platform/ids";
import { postgres } from "@/lib/platform/postgres";

/** What was seen of whoever signed in. */
export interface NewSession {
  userId: string;
  /**
   * The user's version when the password or the provider's word was checked: when it was raised
   * since, the session begins ended.
   */
  version: number;
  address: string;
  userAgent: string;
}

const USER_AGENT_MAX_CHARACTERS = 400;

const START = `
WITH begun AS (
  INSERT INTO user_sessions (id, user_id, account_id, version, address, user_agent, expires_at)
  SELECT $1, u.id, u.account_id, $3, $4, $5, now() + make_interval(days => $6)
  FROM users u JOIN accounts a ON a.id = u.account_id WHERE u.id = $2 AND a.deleting_at IS NULL
  RETURNING id
), surplus AS (
  UPDATE user_sessions SET ended_at = now() WHERE id IN (
    SELECT id FROM user_sessions WHERE user_id = $2 AND ended_at IS NULL AND expires_at > now()
    ORDER BY id DESC OFFSET $7)
)
SELECT id FROM begun`;

/**
 * Begins a session of 14 days; the oldest beyond fifty of the user end with it.
 * @returns its id, which belongs into the signed cookie; null when the user or the account is gone
 */
export async function startSession({
  userId,
  version,
  address,
  userAgent,
}: NewSession): Promise<string | null> {
  const agent = userAgent.slice(0, USER_AGENT_MAX_CHARACTERS).toWellFormed();
  const values = [
    newId(),
    userId,
    version,
    address,
    agent,
    SESSION_DAYS,
    SESSIONS_PER_USER_MAX - 1,
  ];
  const { rows } = await postgres().query<{ id: string }>(START, values);
  return rows[0]?.id ?? null;
}
