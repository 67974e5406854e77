import "server-only";
import { requireRoom } from "@/lib/domain/limits/row-caps";
import type { Principal } from "@/lib/domain/principal";
import { ServiceError } from "@/lib/model/errors";
import { SECRETS_MAX_BYTES } from "@/lib/model/secret/allowed-host";
import type { Transaction } from "@/lib/platform/postgres";
import type { Secret } from "@/lib/storage/generated/client";
import { prisma } from "@/lib/storage/prisma";

/** A secret as it is shown: everything but its value. */
export type SecretView = Pick<
  Secret,
  "name" | "description" | "allowedHosts" | "createdAt" | "updatedAt" | "lastUsedAt"
>;

/**
 * The columns of a `SecretView`, so that the sealed value is not even read where it is not needed.
 */
export const SECRET_VIEW = {
  name: true,
  description: true,
  allowedHosts: true,
  createdAt: true,
  updatedAt: true,
  lastUsedAt: true,
} as const;

/** A secret of the account, without its value. @throws ServiceError SECRET_NOT_FOUND */
export async function getSecret(principal: Principal, name: string): Promise<SecretView> {
  const where = { accountId_name: { accountId: principal.accountId, name } };
  const secret = await prisma().secret.findUnique({ where, select: SECRET_VIEW });
  if (!secret) throw secretNotFound();
  return secret;
}

export function secretNotFound(): ServiceError {
  return new ServiceError("SECRET_NOT_FOUND", "There is no such secret.");
}

/**
 * A sealed value is `s1.<key id>.<base64url of nonce, value and tag>`: 28 bytes more than the
 * value.
 */
const ROOM = `
SELECT coalesce(sum(length(split_part(sealed, '.', 3)) * 3 / 4 - 28), 0)::int AS bytes FROM secrets WHERE account_id = $1`;

/**
 * Looks at the account's secrets as the transaction leaves them. Call it after the hourly write,
 * whose lock has the account's writers come one after another: so each sees what the others stored.
 * @throws ServiceError CONFLICT when they are too many, or too large together
 */
export async function enforceSecretQuota(tx: Transaction, accountId: string): Promise<void> {
  await requireRoom(tx, accountId, "secrets");
  const { rows } = await tx.query<{ bytes: number }>(ROOM, [accountId]);
  const { bytes = 0 } = rows[0] ?? {};
  if (bytes > SECRETS_MAX_BYTES)
    throw new ServiceError(
      "CONFLICT",
      `An account's secrets have at most ${SECRETS_MAX_BYTES} bytes together. Delete one first.`,
    );
}
