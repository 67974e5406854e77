import "server-only";
import { updateAccount } from "@/lib/domain/account/update-account";
import { ACCOUNT_ROWS, type AccountRow } from "@/lib/domain/admin/list-accounts";
import { type Principal, requireAdmin, systemPrincipal } from "@/lib/domain/principal";
import { ServiceError } from "@/lib/model/errors";
import { postgres } from "@/lib/platform/postgres";
import { prisma } from "@/lib/storage/prisma";

/**
 * What an admin may change of an account; passwords and the admin flag are the operator's alone.
 */
export interface AdminChanges {
  superAgentAccess?: boolean;
  blocked?: boolean;
  addCredits?: number;
}

/**
 * Changes what is given of any account, as the operator's command does; the audit log says who did
 * it.
 * @throws ServiceError NOT_FOUND for all but admins, and for an id without an account; CONFLICT
 * when admins would block themselves. Nothing is changed then.
 */
export async function administerAccount(
  principal: Principal,
  accountId: string,
  changes: AdminChanges,
): Promise<AccountRow> {
  requireAdmin(principal);
  if (changes.blocked && accountId === principal.accountId) {
    throw new ServiceError(
      "CONFLICT",
      "You cannot block your own account: nobody here could open it again.",
    );
  }
  const user = await prisma().user.findFirst({
    where: { accountId },
    orderBy: { id: "asc" },
    select: { id: true },
  });
  if (!user) throw new ServiceError("NOT_FOUND", "There is no such account.");
  await updateAccount(
    {
      ...systemPrincipal(accountId),
      userId: user.id,
      actor: principal.actor && { ...principal.actor, kind: "admin" },
    },
    changes,
  );
  const { rows } = await postgres().query<AccountRow>(`${ACCOUNT_ROWS} WHERE a.id = $2`, [
    "",
    accountId,
  ]);
  const account = rows[0];
  if (!account) throw new ServiceError("NOT_FOUND", "There is no such account.");
  return account;
}
