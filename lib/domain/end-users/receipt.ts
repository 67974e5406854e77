import "server-only";
import { createHmac } from "node:crypto";
import { env } from "@/lib/env";
import { ServiceError } from "@/lib/model/errors";
import type { Queryable } from "@/lib/platform/postgres";

/** How much of an erased person was deleted, by kind. */
export const ERASED_KINDS = [
  "runs",
  "conversations",
  "memories",
  "files",
  "artifacts",
  "traces",
  "requests",
] as const;
export type ErasedCounts = Record<(typeof ERASED_KINDS)[number], number>;

/** Under which a receipt is found: who it was cannot be read from it without the service's key. */
function endUserHash(accountId: string, endUser: string): Buffer {
  return createHmac("sha256", env().SIGNING_SECRET)
    .update(`end-user\n${accountId}\n${endUser}`)
    .digest();
}

/**
 * What is told of somebody of whom nothing is known: that they were erased, or that they are not
 * there.
 */
export async function endUserMissing(
  on: Queryable,
  accountId: string,
  endUser: string,
): Promise<ServiceError> {
  const { rows } = await on.query<{ deleted: ErasedCounts; requested: Date; completed: Date }>(
    `SELECT deleted, requested_at AS requested, completed_at AS completed FROM erasure_receipts
     WHERE account_id = $1 AND hash = $2`,
    [accountId, endUserHash(accountId, endUser)],
  );
  const [receipt] = rows;
  if (!receipt) return new ServiceError("END_USER_NOT_FOUND", "There is no such end user.");
  return new ServiceError(
    "END_USER_ERASED",
    "This end user was erased. What was deleted is in `deleted`; the account's books keep " +
      "what it cost.",
    {
      deleted: receipt.deleted,
      requested_at: receipt.requested.toISOString(),
      completed_at: receipt.completed.toISOString(),
    },
  );
}

/** Of the account in whose transaction it is called: the newest erasure under a name counts. */
export async function storeReceipt(
  tx: Queryable,
  accountId: string,
  endUser: string,
  receipt: { deleted: ErasedCounts; requestedAt: Date },
): Promise<void> {
  await tx.query(
    `INSERT INTO erasure_receipts (account_id, hash, deleted, requested_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (account_id, hash) DO UPDATE SET deleted = excluded.deleted,
       requested_at = excluded.requested_at, completed_at = now()`,
    [
      accountId,
      endUserHash(accountId, endUser),
      JSON.stringify(receipt.deleted),
      receipt.requestedAt,
    ],
  );
}
