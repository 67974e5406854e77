import "server-only";
import { requireRoom } from "@/lib/domain/limits/row-caps";
import type { Principal } from "@/lib/domain/principal";
import { ServiceError } from "@/lib/model/errors";
import {
  END_USER_SECRETS_MAX,
  END_USER_SECRETS_MAX_BYTES,
  SECRETS_MAX_BYTES,
} from "@/lib/model/secret/allowed-host";
import { bareName, ownedName } from "@/lib/model/secret/owned-name";
import type { Transaction } from "@/lib/platform/postgres";
import type { Secret } from "@/lib/storage/generated/client";
import { prisma } from "@/lib/storage/prisma";

/** A secret as it is shown: everything but its value. */
export type SecretView = Pick<
  Secret,
  "name" | "endUser" | "description" | "allowedHosts" | "createdAt" | "updatedAt" | "lastUsedAt"
>;

/**
 * The columns of a `SecretView`, so that the sealed value is not even read where it is not needed.
 */
export const SECRET_VIEW = {
  name: true,
  endUser: true,
  description: true,
  allowedHosts: true,
  createdAt: true,
  updatedAt: true,
  lastUsedAt: true,
} as const;

/** A row by the name that its owner gave it. */
export function toSecretView(row: SecretView): SecretView {
  return { ...row, name: bareName(row.name) };
}

/**
 * A secret of the account, or of a person of its own, without its value.
 * @throws ServiceError SECRET_NOT_FOUND
 */
export async function getSecret(
  principal: Principal,
  name: string,
  endUser: string | null = null,
): Promise<SecretView> {
  const { accountId } = principal;
  const where = { accountId_name: { accountId, name: ownedName(name, endUser) } };
  const secret = await prisma().secret.findUnique({ where, select: SECRET_VIEW });
  if (!secret) throw secretNotFound();
  return toSecretView(secret);
}

export function secretNotFound(): ServiceError {
  return new ServiceError("SECRET_NOT_FOUND", "There is no such secret.");
}

/**
 * A sealed value is `s1.<key id>.<base64url of nonce, value and tag>`: 28 bytes more than the
 * value.
 */
const ROOM = `
SELECT coalesce(sum(length(split_part(sealed, '.', 3)) * 3 / 4 - 28), 0)::int AS bytes FROM secrets
WHERE account_id = $1 AND end_user IS NULL`;
const ROOM_OF_PERSON = `
SELECT count(*)::int AS rows,
  coalesce(sum(length(split_part(sealed, '.', 3)) * 3 / 4 - 28), 0)::int AS bytes
FROM secrets WHERE account_id = $1 AND end_user = $2`;

/**
 * Looks at the account's secrets, or a person's, as the transaction leaves them. Call it after the
 * hourly write, whose lock has the account's writers come one after another: so each sees what the
 * others stored.
 * @throws ServiceError CONFLICT when they are too many, or too large together
 */
export async function enforceSecretQuota(
  tx: Transaction,
  accountId: string,
  endUser: string | null,
): Promise<void> {
  if (endUser !== null) return enforcePersonsQuota(tx, accountId, endUser);
  await requireRoom(tx, accountId, "secrets");
  const { rows } = await tx.query<{ bytes: number }>(ROOM, [accountId]);
  const { bytes = 0 } = rows[0] ?? {};
  if (bytes > SECRETS_MAX_BYTES)
    throw new ServiceError(
      "CONFLICT",
      `An account's secrets have at most ${SECRETS_MAX_BYTES} bytes together. Delete one first.`,
    );
}

async function enforcePersonsQuota(
  tx: Transaction,
  accountId: string,
  endUser: string,
): Promise<void> {
  await requireRoom(tx, accountId, "end_user_secrets");
  const { rows } = await tx.query<{ rows: number; bytes: number }>(ROOM_OF_PERSON, [
    accountId,
    endUser,
  ]);
  const [room = { rows: 0, bytes: 0 }] = rows;
  if (room.rows <= END_USER_SECRETS_MAX && room.bytes <= END_USER_SECRETS_MAX_BYTES) return;
  throw new ServiceError(
    "CONFLICT",
    `An end user has at most ${END_USER_SECRETS_MAX} secrets, with ${END_USER_SECRETS_MAX_BYTES} ` +
      "bytes together. Nothing was stored. Delete one of theirs first.",
  );
}
