import "server-only";
import { requireRoom } from "@/lib/domain/caps/require-room";
import { ServiceError } from "@/lib/model/errors";
import { SECRETS_MAX_BYTES } from "@/lib/model/secret/secret-limits";
import type { Transaction } from "@/lib/storage/transaction";

/** A sealed value is `s1.<key id>.<base64url of nonce, value and tag>`: 28 bytes more than the value. */
const ROOM = `
SELECT coalesce(sum(length(split_part(sealed, '.', 3)) * 3 / 4 - 28), 0)::int AS bytes FROM secrets WHERE account_id = $1`;

/**
 * Looks at the account's secrets as the transaction leaves them. Call it after the hourly write, whose lock has the account's writers come one after
 * another: so each sees what the others stored.
 * @throws ServiceError CONFLICT when they are too many, or too large together
 */
export async function requireSecretRoom(tx: Transaction, accountId: string): Promise<void> {
  await requireRoom(tx, accountId, "secrets");
  const { rows } = await tx.query<{ bytes: number }>(ROOM, [accountId]);
  const { bytes = 0 } = rows[0] ?? {};
  if (bytes > SECRETS_MAX_BYTES)
    throw new ServiceError("CONFLICT", `An account's secrets have at most ${SECRETS_MAX_BYTES} bytes together. Delete one first.`);
}
