import "server-only";
import { type Page, type PageRequest, readCursor, rowsToRead, toPage } from "@/lib/domain/page";
import type { Principal } from "@/lib/domain/principal";
import { getRun } from "@/lib/domain/runs/run-view";
import { type MessageInput, type MessageTime, saidText } from "@/lib/model/run/run-message";
import { AGENT_ROUTE_KINDS, type RunKind } from "@/lib/model/run/run-status";
import { postgres } from "@/lib/platform/postgres";

/**
 * What has become of a message: `waiting` for the next turn; `shown` to the model; `queued`: it is
 * a run of its own; `missed`: its run ended without it.
 */
export type MessageStatus = "waiting" | "shown" | "queued" | "missed";

export interface RunMessageView {
  id: string;
  position: number;
  when: MessageTime;
  text: string;
  status: MessageStatus;
  /** The call that it answered. */
  toolCallId: string | null;
  nextRunId: string | null;
  createdAt: Date;
}

const LIST = `
SELECT m.id, m.position, m.due AS "when", m.input, m.tool_call_id AS "toolCallId",
  m.next_run_id AS "nextRunId", m.created_at AS "createdAt",
  CASE WHEN m.due = 'after' THEN 'queued' WHEN m.turn IS NOT NULL THEN 'shown'
    WHEN r.completed_at IS NULL THEN 'waiting' ELSE 'missed' END AS status
FROM run_messages m JOIN runs r ON r.id = m.run_id AND r.account_id = m.account_id
WHERE m.run_id = $1 AND m.account_id = $2
  AND ($3::uuid IS NULL OR m.position < (SELECT c.position FROM run_messages c WHERE c.id = $3
        AND c.run_id = $1))
ORDER BY m.position DESC LIMIT $4`;

/** What was said to a run, newest first. @throws ServiceError RUN_NOT_FOUND */
export async function listRunMessages(
  principal: Principal,
  runId: string,
  page: PageRequest,
  kinds: readonly RunKind[] = AGENT_ROUTE_KINDS,
): Promise<Page<RunMessageView>> {
  await getRun(principal, runId, kinds);
  type Row = Omit<RunMessageView, "text"> & { input: MessageInput };
  const { rows } = await postgres().query<Row>(LIST, [
    runId,
    principal.accountId,
    readCursor(page.cursor),
    rowsToRead(page),
  ]);
  const messages = rows.map(({ input, ...row }) => ({ ...row, text: saidText(input) }));
  return toPage(messages, page.limit, ({ id }) => id);
}
