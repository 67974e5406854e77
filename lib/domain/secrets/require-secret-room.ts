import "server-only";
import { ServiceError } from "@/lib/model/errors";
import { SECRETS_MAX_BYTES, SECRETS_MAX_ROWS } from "@/lib/model/secret/secret-limits";
import type { Transaction } from "@/lib/storage/transaction";

/** A sealed value is `s1.<key id>.<base64url of nonce, value and tag>`: 28 bytes more than the value. */
const ROOM = `
SELECT count(*)::int AS count, coalesce(sum(length(split_part(sealed, '.', 3)) * 3 / 4 - 28), 0)::int AS bytes FROM secrets WHERE account_id = $1`;

/** Looks at the account's secrets as the transaction leaves them. @throws ServiceError CONFLICT when they are too many, or too large together */
export async function requireSecretRoom(tx: Transaction, accountId: string): Promise<void> {
  const { rows } = await tx.query<{ count: number; bytes: number }>(ROOM, [accountId]);
  const { count = 0, bytes = 0 } = rows[0] ?? {};
  if (count > SECRETS_MAX_ROWS) throw new ServiceError("CONFLICT", `An account has at most ${SECRETS_MAX_ROWS} secrets. Delete one first.`);
  if (bytes > SECRETS_MAX_BYTES)
    throw new ServiceError("CONFLICT", `An account's secrets have at most ${SECRETS_MAX_BYTES} bytes together. Delete one first.`);
}
