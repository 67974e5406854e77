import "server-only";
import { type Page, type PageRequest, readCursor, rowsToRead, toPage } from "@/lib/domain/page";
import type { Principal } from "@/lib/domain/principal";
import type { RunKind } from "@/lib/model/run/run-status";
import { postgres } from "@/lib/platform/postgres";

export interface NotificationView {
  id: string;
  /** Null where it tells of no run's end. */
  runId: string | null;
  /** Where in the console it is looked at; null: at its run. */
  path: string | null;
  /** Null when the run's record is gone. */
  runKind: RunKind | null;
  agentName: string | null;
  title: string;
  body: string;
  readAt: Date | null;
  createdAt: Date;
}

const LIST = `
SELECT n.id, n.run_id AS "runId", n.path, r.kind AS "runKind", a.name AS "agentName", n.title,
  n.body, n.read_at AS "readAt", n.created_at AS "createdAt"
FROM notifications n
LEFT JOIN runs r ON r.id = n.run_id AND r.account_id = n.account_id
LEFT JOIN agents a ON a.id = r.agent_id AND a.account_id = n.account_id
WHERE n.account_id = $1 AND ($2::uuid IS NULL OR n.id < $2)
ORDER BY n.id DESC LIMIT $3`;

/** What the account's runs reported, newest first. */
export async function listNotifications(
  principal: Principal,
  page: PageRequest,
): Promise<Page<NotificationView>> {
  const values = [principal.accountId, readCursor(page.cursor), rowsToRead(page)];
  const { rows } = await postgres().query<NotificationView>({ text: LIST, values });
  return toPage(rows, page.limit, (row) => row.id);
}
