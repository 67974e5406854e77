import "server-only";
import { requireAgent } from "@/lib/domain/agents/agent-store";
import { type Page, type PageRequest, readCursor, rowsToRead, toPage } from "@/lib/domain/page";
import type { Principal } from "@/lib/domain/principal";
import { FIRING_COLUMNS } from "@/lib/domain/schedules/firing";
import { requireSchedule } from "@/lib/domain/schedules/schedule-record";
import type { FiringRecord } from "@/lib/model/schedule/firing-fields";
import { postgres } from "@/lib/platform/postgres";

const LIST = `
SELECT ${FIRING_COLUMNS} FROM schedule_firings f LEFT JOIN runs r ON r.id = f.run_id
  AND r.account_id = f.account_id
WHERE f.schedule_id = $1 AND f.account_id = $2 AND ($3::uuid IS NULL OR f.id < $3)
ORDER BY f.id DESC LIMIT $4`;

/**
 * What became of a schedule's firings, newest first. @throws ServiceError AGENT_NOT_FOUND,
 * SCHEDULE_NOT_FOUND
 */
export async function listFirings(
  principal: Principal,
  agentId: string,
  scheduleId: string,
  page: PageRequest,
): Promise<Page<FiringRecord>> {
  const before = readCursor(page.cursor);
  await requireAgent(principal, agentId);
  await requireSchedule(principal, agentId, scheduleId);
  const { rows } = await postgres().query<FiringRecord>(LIST, [
    scheduleId,
    principal.accountId,
    before,
    rowsToRead(page),
  ]);
  return toPage(rows, page.limit, (firing) => firing.id);
}
