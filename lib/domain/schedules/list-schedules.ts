import "server-only";
import { requireAgent } from "@/lib/domain/agents/agent-store";
import { type Page, type PageRequest, readCursor, rowsToRead, toPage } from "@/lib/domain/page";
import type { Principal } from "@/lib/domain/principal";
import { SCHEDULE_COLUMNS } from "@/lib/domain/schedules/schedule-record";
import type { ScheduleRecord } from "@/lib/model/schedule/schedule-fields";
import { postgres } from "@/lib/platform/postgres";

const LIST = `
SELECT ${SCHEDULE_COLUMNS} FROM schedules
WHERE agent_id = $1 AND account_id = $2 AND ($3::uuid IS NULL OR id < $3) ORDER BY id DESC
LIMIT $4`;

/** An agent's schedules, newest first. @throws ServiceError AGENT_NOT_FOUND */
export async function listSchedules(
  principal: Principal,
  agentId: string,
  page: PageRequest,
): Promise<Page<ScheduleRecord>> {
  const before = readCursor(page.cursor);
  await requireAgent(principal, agentId);
  const { rows } = await postgres().query<ScheduleRecord>(LIST, [
    agentId,
    principal.accountId,
    before,
    rowsToRead(page),
  ]);
  return toPage(rows, page.limit, (schedule) => schedule.id);
}
