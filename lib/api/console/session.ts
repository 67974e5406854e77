import "server-only";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { getServerSession } from "next-auth";
import { cache } from "react";
import { authOptions, type SessionToken } from "@/lib/api/console/auth-options";
import { REQUEST_PATH_HEADER } from "@/lib/api/http/request";
import type { Principal } from "@/lib/domain/principal";
import { findSessionPrincipal } from "@/lib/domain/sessions/find-session-principal";

export interface ConsoleSession {
  user: {
    id: string;
    email: string;
    name: string;
    is_admin: boolean;
    is_email_proven: boolean;
    has_password: boolean;
  };
  account_id: string;
  principal: Principal;
}

/**
 * The signed-in user of this request, or null. Reads the session's and the user's rows, once a
 * page: a sign-out, a block or a password change counts at once.
 */
export const findSession = cache(async (): Promise<ConsoleSession | null> => {
  const session = (await getServerSession(authOptions())) as
    | (Partial<SessionToken> & object)
    | null; // our session callback adds both fields
  if (!session?.userId || !session.sessionId) return null;
  const found = await findSessionPrincipal(session.sessionId, session.userId);
  if (!found) return null;
  const { principal, user } = found;
  const { id, email, name, isAdmin, isEmailProven, hasPassword } = user;
  const shown = {
    id,
    email,
    name,
    is_admin: isAdmin,
    is_email_proven: isEmailProven,
    has_password: hasPassword,
  };
  return { user: shown, account_id: principal.accountId, principal };
});

/** The signed-in user; sends everybody else to the sign-in page, and back afterwards. */
export async function requireSession(): Promise<ConsoleSession> {
  const session = await findSession();
  if (session) return session;
  const path = (await headers()).get(REQUEST_PATH_HEADER);
  redirect(path ? `/sign-in?callbackUrl=${encodeURIComponent(path)}` : "/sign-in");
}
