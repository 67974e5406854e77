import "server-only";
import type { Principal } from "@/lib/domain/principal";
import { prisma } from "@/lib/storage/prisma";

export interface SessionUser {
  id: string;
  email: string;
  name: string;
  isAdmin: boolean;
}

/** The signed-in user as a principal; null when the session's version is not the user's any more (password change, sign-out everywhere). */
export async function findSessionPrincipal(
  userId: string,
  sessionVersion: number,
): Promise<{ principal: Principal; user: SessionUser } | null> {
  const user = await prisma().user.findUnique({
    where: { id: userId },
    include: { account: { select: { blocked: true, superAgentAccess: true } } },
  });
  if (!user || user.sessionVersion !== sessionVersion) return null;
  return {
    principal: {
      accountId: user.accountId,
      agentId: null,
      via: "session",
      userId: user.id,
      isAdmin: user.isAdmin,
      blocked: user.account.blocked,
      superAgentAccess: user.account.superAgentAccess,
      writePerHour: null,
    },
    user: { id: user.id, email: user.email, name: user.name, isAdmin: user.isAdmin },
  };
}
