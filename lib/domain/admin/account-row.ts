import "server-only";

/** An account as an admin sees it: who it is, what it may do and what it has; nothing of what it made. */
export interface AccountRow {
  id: string;
  name: string;
  email: string;
  isAdmin: boolean;
  superAgentAccess: boolean;
  blocked: boolean;
  /** Millionths of a credit, as PostgreSQL writes them. */
  availableMicros: string;
  readPerMinute: number | null;
  runsPerMinute: number | null;
  writePerHour: number | null;
  createdAt: Date;
}

/** $1 is a part of an address in lower case, or empty for every account; the account has one row however many users match. */
export const ACCOUNT_ROWS = `
SELECT a.id, a.name, u.email, u.is_admin AS "isAdmin", a.super_agent_access AS "superAgentAccess", a.blocked, a.available_micros AS "availableMicros",
  a.read_per_minute AS "readPerMinute", a.runs_per_minute AS "runsPerMinute", a.write_per_hour AS "writePerHour", a.created_at AS "createdAt"
FROM accounts a
JOIN LATERAL (SELECT email, is_admin FROM users WHERE account_id = a.id AND strpos(email, $1) > 0 ORDER BY id LIMIT 1) u ON true`;
