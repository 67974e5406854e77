import "server-only";
import { createAccount } from "@/lib/domain/account/create-account";
import { ServiceError } from "@/lib/model/errors";
import { prisma } from "@/lib/storage/prisma";

export interface ProviderIdentity {
  provider: string;
  /** The provider's own id of the person, which never changes. */
  subject: string;
  /** Null unless the provider vouches that it is theirs. */
  verifiedEmail: string | null;
  name: string | null;
}

export type ProviderSignIn =
  | { outcome: "signed-in"; userId: string; sessionVersion: number }
  | { outcome: "no-verified-address" }
  | { outcome: "address-taken" };

/**
 * Signs in whom a provider vouches for: by the provider's own id, else by making a new account. An address that already has an account
 * is not taken over: its owner signs in the way it was made.
 */
export async function signInThroughProvider(identity: ProviderIdentity): Promise<ProviderSignIn> {
  const known = await findKnown(identity);
  if (known) return known;
  if (!identity.verifiedEmail) return { outcome: "no-verified-address" };
  const { provider, subject, verifiedEmail: email, name } = identity;
  try {
    const { userId } = await createAccount({ email, password: null, name: name ?? undefined, identity: { provider, subject } });
    return { outcome: "signed-in", userId, sessionVersion: 0 };
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === "CONFLICT")) throw error;
    // The address may be taken by this very person, who signs in twice at once.
    return (await findKnown(identity)) ?? { outcome: "address-taken" };
  }
}

async function findKnown({ provider, subject }: ProviderIdentity): Promise<ProviderSignIn | null> {
  const known = await prisma().oauthIdentity.findUnique({ where: { provider_subject: { provider, subject } }, include: { user: true } });
  return known && { outcome: "signed-in", userId: known.userId, sessionVersion: known.user.sessionVersion };
}
