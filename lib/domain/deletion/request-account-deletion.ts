import "server-only";
import { requirePassword } from "@/lib/domain/account/check-password";
import { recordAudit } from "@/lib/domain/audit/record-audit";
import { findPrincipalByEmail, type Principal } from "@/lib/domain/principal";
import { dispatch } from "@/lib/engine/client";
import { invalidInput, ServiceError } from "@/lib/model/errors";
import { newId } from "@/lib/platform/ids";
import { type Transaction, transaction } from "@/lib/platform/postgres";
import { prisma } from "@/lib/storage/prisma";

/**
 * How the owner confirms it: by the password, or where there is none by typing the e-mail address.
 */
export interface DeletionConfirmation {
  password?: string;
  email?: string;
}

/**
 * The signed-in owner deletes their account with everything it owns. From now on nothing of it
 * works: keys, sessions, schedules and new runs stop at once, runs at work are cancelled; its rows
 * and files go in the background (`deleteAccount`), and nothing brings them back.
 * @param address where the request comes from: a wrong password counts like a failed sign-in
 * @throws ServiceError INVALID_INPUT when the confirmation does not fit; RATE_LIMITED after too
 * many wrong passwords; CONFLICT for the last admin
 */
export async function requestAccountDeletion(
  principal: Principal,
  confirmation: DeletionConfirmation,
  address: string,
): Promise<void> {
  const user = await prisma().user.findFirst({
    where: { id: principal.userId ?? "", accountId: principal.accountId },
  });
  if (!user) return;
  if (user.passwordHash !== null) {
    if (!confirmation.password) throw invalidInput("password", "is needed to delete the account");
    await requirePassword(
      { email: user.email, hash: user.passwordHash },
      confirmation.password,
      address,
      "password",
    );
  } else if (confirmation.email?.trim().toLowerCase() !== user.email) {
    throw invalidInput("email", "must be the account's own e-mail address, to delete it");
  }
  await markForDeletion(principal, requireAnotherAdmin);
}

/** The operator deletes an account, the last admin's too. @throws ServiceError NOT_FOUND */
export async function requestDeletionAsOperator(email: string): Promise<Principal> {
  const principal = await findPrincipalByEmail(email);
  await markForDeletion(principal);
  return principal;
}

async function markForDeletion(
  principal: Principal,
  check?: (tx: Transaction, principal: Principal) => Promise<void>,
): Promise<void> {
  const { accountId } = principal;
  await transaction(async (tx) => {
    await check?.(tx, principal);
    await tx.query(
      `UPDATE accounts SET deleting_at = coalesce(deleting_at, now()), blocked = true
       WHERE id = $1`,
      [accountId],
    );
    await tx.query(
      "UPDATE api_keys SET revoked_at = now() WHERE account_id = $1 AND revoked_at IS NULL",
      [accountId],
    );
    await tx.query("UPDATE users SET session_version = session_version + 1 WHERE account_id = $1", [
      accountId,
    ]);
    await tx.query("UPDATE schedules SET enabled = false WHERE account_id = $1 AND enabled", [
      accountId,
    ]);
    await recordAudit(tx, principal, {
      action: "account.deletion_requested",
      object: { kind: "account", id: accountId },
    });
    await dispatch(tx, {
      id: newId(),
      name: "account/deletion-requested",
      data: { account_id: accountId },
    });
  });
}

/**
 * One after the other, so that of the last two who go at once one is refused: each reads what the
 * one before has committed.
 */
async function requireAnotherAdmin(tx: Transaction, principal: Principal): Promise<void> {
  if (!principal.isAdmin) return;
  await tx.query("SELECT pg_advisory_xact_lock(hashtext('admins'))");
  const { rows } = await tx.query<{ account_id: string }>(
    `SELECT u.account_id FROM users u JOIN accounts a ON a.id = u.account_id
     WHERE u.is_admin AND a.deleting_at IS NULL`,
  );
  if (rows.some((admin) => admin.account_id !== principal.accountId)) return;
  throw new ServiceError(
    "CONFLICT",
    "You are the last admin of this service: nobody could administer it any more. Ask its " +
      "operator to make another one first.",
  );
}
