import "server-only";
import { type Page, type PageRequest, readCursor, toPage } from "@/lib/domain/page";
import type { Principal } from "@/lib/domain/principal";
import { RUN_COLUMNS, type RunRow, type RunView, toRunView } from "@/lib/domain/runs/run-view";
import type { RunKind, RunStatus } from "@/lib/model/run/run-status";
import { postgres } from "@/lib/platform/postgres";

export interface RunFilter {
  kinds: readonly RunKind[];
  statuses: readonly RunStatus[] | null;
  agentId: string | null;
  conversationId: string | null;
  createdAfter: Date | null;
  createdBefore: Date | null;
  /** Every pair must be in the run's metadata. */
  metadata: Record<string, string>;
}

const LIST = `
SELECT ${RUN_COLUMNS} FROM runs r
WHERE r.account_id = $1 AND r.kind = ANY($2) AND ($3::text[] IS NULL OR r.status = ANY($3)) AND ($4::uuid IS NULL OR r.agent_id = $4)
  AND ($5::uuid IS NULL OR r.conversation_id = $5) AND ($6::timestamptz IS NULL OR r.created_at > $6) AND ($7::timestamptz IS NULL OR r.created_at < $7)
  AND ($8::jsonb = '{}'::jsonb OR r.metadata @> $8) AND ($9::uuid IS NULL OR r.id < $9)
ORDER BY r.id DESC LIMIT $10`;

/** The account's runs, newest first, each with its usage, in one read. */
export async function listRuns(principal: Principal, page: PageRequest, filter: RunFilter): Promise<Page<RunView>> {
  const { rows } = await postgres().query<RunRow>({
    text: LIST,
    values: [
      principal.accountId,
      filter.kinds,
      filter.statuses,
      principal.agentId ?? filter.agentId,
      filter.conversationId,
      filter.createdAfter,
      filter.createdBefore,
      JSON.stringify(filter.metadata),
      readCursor(page.cursor),
      page.limit + 1,
    ],
  });
  return toPage(rows.map(toRunView), page.limit, (run) => run.id);
}
