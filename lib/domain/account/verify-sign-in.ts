import "server-only";
import { checkPassword, countRefusal } from "@/lib/domain/account/check-password";
import { findPendingPassword } from "@/lib/domain/account/pending-sign-up";
import { EMAIL_MAX_CHARACTERS, PASSWORD_MAX_CHARACTERS } from "@/lib/model/limits";
import { verifyPassword } from "@/lib/platform/crypto/password";
import { postgres } from "@/lib/platform/postgres";
import { prisma } from "@/lib/storage/prisma";

export type SignIn =
  | { outcome: "signed-in"; user: { id: string; email: string; name: string; accountId: string; sessionVersion: number } }
  | { outcome: "unproven" }
  | { outcome: "refused" }
  | { outcome: "too-many-attempts" };

/**
 * Checks an e-mail address and a password, within the limits of `checkPassword`. An account that is being deleted is as unknown as one that
 * never was. `unproven`: the password fits the newest sign-up of the address that waits for its proof, whether the address has an account or not: a stranger
 * who signs up with an address, and then in, learns nothing of it.
 * @param address where the attempt comes from
 * @param options.knownUsers who has signed in from this browser before
 * @throws ServiceError SERVICE_UNAVAILABLE when too many attempts wait
 */
export async function verifySignIn(
  email: string,
  password: string,
  address: string,
  { knownUsers = [] }: { knownUsers?: readonly string[] } = {},
): Promise<SignIn> {
  const normal = email.trim().toLowerCase();
  // Nobody has such an address or password: nothing of it is looked at or kept.
  if (normal.length > EMAIL_MAX_CHARACTERS || password.length > PASSWORD_MAX_CHARACTERS)
    return { outcome: (await countRefusal(address)) ? "too-many-attempts" : "refused" };
  const findUser = () => prisma().user.findFirst({ where: { email: normal, account: { deletingAt: null } } });
  // Whether the browser is known is asked of the few users that it names, before the attempt is counted by it.
  const known = knownUsers.length === 0 ? null : await findUser();
  const isKnownDevice = known !== null && knownUsers.includes(known.id);
  let user = known;
  const hash = async () => {
    user ??= await findUser();
    return user?.passwordHash ?? null;
  };
  const { outcome } = await checkPassword({ email: normal, hash }, password, address, { isKnownDevice });
  if (outcome === "too-many-attempts") return { outcome };
  if (outcome === "wrong" || !user) return { outcome: (await isPending(normal, password)) ? "unproven" : "refused" };
  const { id, accountId, name, sessionVersion } = user;
  return { outcome: "signed-in", user: { id, email: user.email, name, accountId, sessionVersion } };
}

async function isPending(email: string, password: string): Promise<boolean> {
  const hash = await findPendingPassword(postgres(), email);
  return hash !== null && (await verifyPassword(hash, password));
}
