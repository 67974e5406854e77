import "server-only";
import type { Principal } from "@/lib/domain/principal";

/**
 * For whom a run was started, as SQL over its row. The person of a client token sees the runs that
 * say so of them, and no others.
 */
export const endUserOf = (run: string) => `${run}.end_user`;

/**
 * What of the account's runs a principal sees, as SQL over a run's row; `user` and `conversation`
 * are the places of `clientValues`. Whoever holds no client token sees all of them.
 */
export const seenByClient = (run: string, user: string, conversation: string) =>
  `(${user}::text IS NULL OR ${endUserOf(run)} = ${user})
     AND (${conversation}::uuid IS NULL OR ${run}.conversation_id = ${conversation})`;

export function clientValues({ client }: Principal): [string | null, string | null] {
  return [client?.endUser ?? null, client?.conversationId ?? null];
}
