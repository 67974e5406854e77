import "server-only";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { getServerSession } from "next-auth";
import { cache } from "react";
import { authOptions, type SessionToken } from "@/lib/api/console/auth-options";
import { REQUEST_PATH_HEADER } from "@/lib/api/http/client-address-header";
import { findSessionPrincipal } from "@/lib/domain/account/find-session-principal";
import type { Principal } from "@/lib/domain/principal";

export interface ConsoleSession {
  user: { id: string; email: string; name: string; is_admin: boolean };
  account_id: string;
  principal: Principal;
}

/** The signed-in user of this request, or null. Reads the user's row, once a page: a block or a password change counts at once. */
export const findSession = cache(async (): Promise<ConsoleSession | null> => {
  const session = (await getServerSession(authOptions())) as (Partial<SessionToken> & object) | null; // our session callback adds both fields
  if (!session?.userId) return null;
  const found = await findSessionPrincipal(session.userId, session.sessionVersion ?? 0);
  if (!found) return null;
  const { user, principal } = found;
  return { user: { id: user.id, email: user.email, name: user.name, is_admin: user.isAdmin }, account_id: principal.accountId, principal };
});

/** The signed-in user; sends everybody else to the sign-in page, and back afterwards. */
export async function requireSession(): Promise<ConsoleSession> {
  const session = await findSession();
  if (session) return session;
  const path = (await headers()).get(REQUEST_PATH_HEADER);
  redirect(path ? `/sign-in?callbackUrl=${encodeURIComponent(path)}` : "/sign-in");
}
