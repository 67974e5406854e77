import "server-only";
import { addressTaken, createAccount, IS_DISPLACEABLE } from "@/lib/domain/account/create-account";
import {
  acceptInvitation,
  findInvitationOf,
  requireSignUpOpen,
  SignUpClosed,
  takeSignUp,
} from "@/lib/domain/account/sign-up";
import { isMailConfigured } from "@/lib/domain/mail/mailer";
import type { Actor } from "@/lib/domain/principal";
import { ServiceError } from "@/lib/model/errors";
import { postgres } from "@/lib/platform/postgres";
import { prisma } from "@/lib/storage/prisma";

export interface ProviderIdentity {
  provider: string;
  /** The provider's own id of the person, which never changes. */
  subject: string;
  /** Null unless the provider vouches that it is theirs. */
  verifiedEmail: string | null;
  name: string | null;
  /** From where, for the audit log. */
  actor?: Actor;
}

export type ProviderSignIn =
  | { outcome: "signed-in"; userId: string; sessionVersion: number }
  | { outcome: "no-verified-address" }
  | { outcome: "address-taken" }
  | { outcome: "sign-up-closed" }
  | { outcome: "too-many-sign-ups" };

/**
 * Signs in whom a provider vouches for: by the provider's own id, else by making a new account. An
 * address that already has an account is not taken over: its owner signs in the way it was made.
 * Where mail is set up, an account that never proved the address is nobody's: it gives way, and
 * goes with everything it owns. A new account is made only where people may sign up: an invitation
 * counts for the address that the provider has verified.
 * @param address where the request comes from: it may make SIGN_UPS_PER_HOUR accounts an hour
 */
export async function signInThroughProvider(
  identity: ProviderIdentity,
  address: string,
): Promise<ProviderSignIn> {
  const known = await findKnown(identity);
  if (known) return known;
  if (!identity.verifiedEmail) return { outcome: "no-verified-address" };
  try {
    return await signUpThroughProvider(identity, identity.verifiedEmail, address);
  } catch (error) {
    if (error instanceof SignUpClosed) return { outcome: "sign-up-closed" };
    if (!(error instanceof ServiceError && error.code === "CONFLICT")) throw error;
    // The address may be taken by this very person, who signs in twice at once.
    return (await findKnown(identity)) ?? { outcome: "address-taken" };
  }
}

/** @throws ServiceError CONFLICT when the address has an account; SignUpClosed */
async function signUpThroughProvider(
  { provider, subject, name, actor }: ProviderIdentity,
  email: string,
  address: string,
): Promise<ProviderSignIn> {
  await requireFreeAddress(email);
  const invitation = await findInvitationOf(email.trim().toLowerCase());
  requireSignUpOpen(invitation);
  if ((await takeSignUp(address)) > 0) return { outcome: "too-many-sign-ups" };
  const wanted = {
    email,
    password: null,
    name: name ?? undefined,
    identity: { provider, subject },
    proof: "shown",
    isInvited: invitation !== null,
    actor,
  } as const;
  const { userId } = await createAccount(wanted, async (tx) => {
    if (invitation) await acceptInvitation(tx, invitation.id);
  });
  return { outcome: "signed-in", userId, sessionVersion: 0 };
}

/**
 * Whoever has an account is told so also where nobody may sign up, and it counts as no sign-up.
 * @throws ServiceError CONFLICT
 */
async function requireFreeAddress(email: string): Promise<void> {
  const { rows } = await postgres().query<{ gives_way: boolean }>(
    `SELECT ${IS_DISPLACEABLE} AS gives_way FROM users u JOIN accounts a ON a.id = u.account_id
     WHERE u.email = $1`,
    [email.trim().toLowerCase()],
  );
  if (rows[0] && !(rows[0].gives_way && isMailConfigured())) throw addressTaken();
}

async function findKnown({ provider, subject }: ProviderIdentity): Promise<ProviderSignIn | null> {
  const where = { provider, subject, user: { account: { deletingAt: null } } };
  const known = await prisma().oauthIdentity.findFirst({ where, include: { user: true } });
  return (
    known && {
      outcome: "signed-in",
      userId: known.userId,
      sessionVersion: known.user.sessionVersion,
    }
  );
}
