import "server-only";
import { createAccount } from "@/lib/domain/account/create-account";
import { prisma } from "@/lib/storage/prisma";

/**
 * Signs in whom a provider vouches for: by the provider's own id, else by making a new account. An address that already has an account
 * is not taken over: its owner signs in with the password.
 * @returns null when the provider gives no verified address, or the address belongs to an account of another way in
 */
export async function signInThroughProvider(identity: {
  provider: string;
  subject: string;
  email: string | null;
  name: string | null;
}): Promise<{ userId: string; sessionVersion: number } | null> {
  const key = { provider: identity.provider, subject: identity.subject };
  const known = await prisma().oauthIdentity.findUnique({ where: { provider_subject: key }, include: { user: true } });
  if (known) return { userId: known.userId, sessionVersion: known.user.sessionVersion };
  if (!identity.email) return null;
  if (await prisma().user.findUnique({ where: { email: identity.email.toLowerCase() } })) return null;
  const { userId } = await createAccount({ email: identity.email, password: null, name: identity.name ?? undefined });
  await prisma().oauthIdentity.create({ data: { ...key, userId } });
  return { userId, sessionVersion: 0 };
}
