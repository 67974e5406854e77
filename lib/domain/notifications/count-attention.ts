import "server-only";
import type { Principal } from "@/lib/domain/principal";
import { ATTENTION_MAX } from "@/lib/model/limits";
import { postgres } from "@/lib/platform/postgres";

export interface Attention {
  pendingApprovals: number;
  unreadNotifications: number;
}

/**
 * Both counts read at most `ATTENTION_MAX` rows by an index, however many there are: every open
 * page asks again and again.
 */
const COUNT = `
SELECT
  (SELECT count(*)::int FROM (
    SELECT 1 FROM approvals WHERE account_id = $1 AND status = 'pending' AND expires_at > now()
    LIMIT $2) waiting) AS "pendingApprovals",
  (SELECT count(*)::int FROM (
    SELECT read_at FROM notifications WHERE account_id = $1 ORDER BY id DESC LIMIT $2) latest
  WHERE read_at IS NULL) AS "unreadNotifications"`;

/**
 * What waits for a person: approvals to decide, and what is unread of the latest notifications;
 * `ATTENTION_MAX` stands for that many or more.
 */
export async function countAttention(principal: Principal): Promise<Attention> {
  const { rows } = await postgres().query<Attention>({
    name: "count-attention",
    text: COUNT,
    values: [principal.accountId, ATTENTION_MAX],
  });
  return rows[0] ?? { pendingApprovals: 0, unreadNotifications: 0 };
}
