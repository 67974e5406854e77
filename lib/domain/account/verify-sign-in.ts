import "server-only";
import { checkPassword } from "@/lib/domain/account/check-password";
import { EMAIL_MAX_CHARACTERS } from "@/lib/model/limits";
import { prisma } from "@/lib/storage/prisma";

export type SignIn =
  | { outcome: "signed-in"; user: { id: string; email: string; name: string; accountId: string; sessionVersion: number } }
  | { outcome: "refused" }
  | { outcome: "too-many-attempts" };

/**
 * Checks an e-mail address and a password, within the limits of `checkPassword`. An account that is being deleted is as unknown as one that
 * never was.
 * @param address where the attempt comes from
 * @throws ServiceError SERVICE_UNAVAILABLE when too many attempts wait
 */
export async function verifySignIn(email: string, password: string, address: string): Promise<SignIn> {
  const normal = email.trim().toLowerCase();
  // Nobody has such an address, and the limits' keys have an end.
  if (normal.length > EMAIL_MAX_CHARACTERS) return { outcome: "refused" };
  const user = await prisma().user.findFirst({ where: { email: normal, account: { deletingAt: null } } });
  const { outcome } = await checkPassword({ email: normal, hash: user?.passwordHash ?? null }, password, address);
  if (outcome === "too-many-attempts") return { outcome };
  if (outcome === "wrong" || !user) return { outcome: "refused" };
  const { id, accountId, name, sessionVersion } = user;
  return { outcome: "signed-in", user: { id, email: user.email, name, accountId, sessionVersion } };
}
