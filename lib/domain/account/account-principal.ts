import "server-only";
import type { Principal } from "@/lib/domain/principal";
import { env } from "@/lib/env";
import { prisma } from "@/lib/storage/prisma";

/**
 * An account acting through the service itself (a schedule, its super-agent): what the account may not do, neither may this, the hourly cap included.
 * Null when the account is gone.
 */
export async function accountPrincipal(accountId: string): Promise<Principal | null> {
  const account = await prisma().account.findUnique({
    where: { id: accountId },
    select: { blocked: true, superAgentAccess: true, writePerHour: true },
  });
  if (!account) return null;
  return {
    accountId,
    agentId: null,
    via: "system",
    userId: null,
    isAdmin: false,
    blocked: account.blocked,
    superAgentAccess: account.superAgentAccess,
    writePerHour: account.writePerHour ?? env().WRITE_LIMIT_PER_HOUR,
  };
}
