import "server-only";
import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import { checkPassword, countAttempt, countRefusal } from "@/lib/domain/account/check-password";
import { verifyPasskey } from "@/lib/domain/account/passkeys";
import { findPendingPassword } from "@/lib/domain/account/pending-sign-up";
import { checkCode, hasSecondFactor } from "@/lib/domain/account/second-factor";
import { EMAIL_MAX_CHARACTERS, PASSWORD_MAX_CHARACTERS } from "@/lib/model/limits";
import { verifyPassword } from "@/lib/platform/crypto/password";
import { postgres } from "@/lib/platform/postgres";
import type { User } from "@/lib/storage/generated/client";
import { prisma } from "@/lib/storage/prisma";

export type SignIn =
  | {
      outcome: "signed-in";
      user: { id: string; email: string; name: string; accountId: string; sessionVersion: number };
    }
  | { outcome: "unproven" }
  /**
   * The password is right, and a code or a passkey is asked for; or the code that came with it is
   * wrong.
   */
  | { outcome: "needs-second-factor" | "wrong-code" }
  | { outcome: "refused" }
  | { outcome: "too-many-attempts" };

/**
 * Checks an e-mail address and a password, within the limits of `checkPassword`. An account that is
 * being deleted is as unknown as one that never was. `unproven`: the password fits the newest
 * sign-up of the address that waits for its proof, whether the address has an account or not: a
 * stranger who signs up with an address, and then in, learns nothing of it.
 * @param address where the attempt comes from
 * @param options.knownUsers who has signed in from this browser before
 * @param options.code of the user's second factor; one without the right password is not looked at
 * @throws ServiceError SERVICE_UNAVAILABLE when too many attempts wait
 */
export async function verifySignIn(
  email: string,
  password: string,
  address: string,
  { knownUsers = [], code }: { knownUsers?: readonly string[]; code?: string } = {},
): Promise<SignIn> {
  const normal = email.trim().toLowerCase();
  // Nobody has such an address or password: nothing of it is looked at or kept.
  if (normal.length > EMAIL_MAX_CHARACTERS || password.length > PASSWORD_MAX_CHARACTERS)
    return { outcome: (await countRefusal(address)) ? "too-many-attempts" : "refused" };
  const findUser = () =>
    prisma().user.findFirst({ where: { email: normal, account: { deletingAt: null } } });
  // Whether the browser is known is asked of the few users that it names, before the attempt is
  // counted by it.
  const known = knownUsers.length === 0 ? null : await findUser();
  const isKnownDevice = known !== null && knownUsers.includes(known.id);
  let user = known;
  const hash = async () => {
    user ??= await findUser();
    return user?.passwordHash ?? null;
  };
  const { outcome } = await checkPassword({ email: normal, hash }, password, address, {
    isKnownDevice,
  });
  if (outcome === "too-many-attempts") return { outcome };
  if (outcome === "wrong" || !user)
    return { outcome: (await isPending(normal, password)) ? "unproven" : "refused" };
  if (await hasSecondFactor(postgres(), user.id)) {
    if (!code) return { outcome: "needs-second-factor" };
    const { outcome: second } = await checkCode(user.id, code);
    if (second === "too-many-attempts") return { outcome: second };
    if (second === "wrong") return { outcome: "wrong-code" };
  }
  return signedIn(user);
}

/**
 * Signs in by a passkey alone: the authenticator has asked its owner who they are, so that it is
 * two factors in one.
 * @param address where the attempt comes from
 */
export async function verifyPasskeySignIn(
  challengeId: string,
  response: AuthenticationResponseJSON,
  address: string,
): Promise<SignIn> {
  if (await countAttempt(address)) return { outcome: "too-many-attempts" };
  const userId = await verifyPasskey(challengeId, response);
  const user =
    userId === null
      ? null
      : await prisma().user.findFirst({ where: { id: userId, account: { deletingAt: null } } });
  return user ? signedIn(user) : { outcome: "refused" };
}

function signedIn({ id, email, name, accountId, sessionVersion }: User): SignIn {
  return { outcome: "signed-in", user: { id, email, name, accountId, sessionVersion } };
}

async function isPending(email: string, password: string): Promise<boolean> {
  const hash = await findPendingPassword(postgres(), email);
  return hash !== null && (await verifyPassword(hash, password));
}
