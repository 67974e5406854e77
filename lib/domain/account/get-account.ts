import "server-only";
import type { Principal } from "@/lib/domain/principal";
import { env } from "@/lib/env";
import { prisma } from "@/lib/storage/prisma";

export interface AccountView {
  id: string;
  name: string;
  blocked: boolean;
  superAgentAccess: boolean;
  /**
   * Requests a minute and writes an hour; `requestsPerMinute` is null where an override splits it.
   */
  limits: {
    requestsPerMinute: number | null;
    readPerMinute: number | null;
    runsPerMinute: number | null;
    writesPerHour: number;
  };
}

export async function getAccount(principal: Principal): Promise<AccountView> {
  const account = await prisma().account.findUniqueOrThrow({ where: { id: principal.accountId } });
  const split = account.readPerMinute !== null || account.runsPerMinute !== null;
  const standard = env().RATE_LIMIT_PER_MINUTE;
  return {
    id: account.id,
    name: account.name,
    blocked: account.blocked,
    superAgentAccess: account.superAgentAccess,
    limits: {
      requestsPerMinute: split ? null : standard,
      readPerMinute: split ? (account.readPerMinute ?? standard) : null,
      runsPerMinute: split ? (account.runsPerMinute ?? standard) : null,
      writesPerHour: account.writePerHour ?? env().WRITE_LIMIT_PER_HOUR,
    },
  };
}
