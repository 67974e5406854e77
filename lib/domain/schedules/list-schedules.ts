import "server-only";
import { requireAgent } from "@/lib/domain/agents/agent-store";
import { type Page, type PageRequest, readCursor, rowsToRead, toPage } from "@/lib/domain/page";
import type { Principal } from "@/lib/domain/principal";
import type { ScheduleRecord } from "@/lib/domain/schedules/schedule-record";
import { prisma } from "@/lib/storage/prisma";

/** An agent's schedules, newest first. @throws ServiceError AGENT_NOT_FOUND */
export async function listSchedules(
  principal: Principal,
  agentId: string,
  page: PageRequest,
): Promise<Page<ScheduleRecord>> {
  const before = readCursor(page.cursor);
  await requireAgent(principal, agentId);
  const rows = await prisma().schedule.findMany({
    where: { agentId, accountId: principal.accountId, ...(before && { id: { lt: before } }) },
    orderBy: { id: "desc" },
    take: rowsToRead(page),
  });
  return toPage(rows, page.limit, (schedule) => schedule.id);
}
