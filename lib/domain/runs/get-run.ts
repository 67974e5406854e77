import "server-only";
import type { Principal } from "@/lib/domain/principal";
import { RUN_COLUMNS, type RunRow, type RunView, toRunView } from "@/lib/domain/runs/run-view";
import { ServiceError } from "@/lib/model/errors";
import type { RunKind } from "@/lib/model/run/run-status";
import { postgres } from "@/lib/platform/postgres";

/** Everything but the super-agent's rows: what the agent routes show. */
export const AGENT_ROUTE_KINDS: readonly RunKind[] = ["agent", "agent_creation", "agent_edit", "app"];

/** What the super-agent's routes show. */
export const SUPER_AGENT_KINDS: readonly RunKind[] = ["super_agent"];

/** A run of the account and of one of `kinds`, with its usage, in one read. @throws ServiceError RUN_NOT_FOUND */
export async function getRun(principal: Principal, runId: string, kinds: readonly RunKind[] = AGENT_ROUTE_KINDS): Promise<RunView> {
  const { rows } = await postgres().query<RunRow>({
    name: "get-run",
    text: `SELECT ${RUN_COLUMNS} FROM runs r WHERE r.id = $1 AND r.account_id = $2 AND r.kind = ANY($3) AND ($4::uuid IS NULL OR r.agent_id = $4)`,
    values: [runId, principal.accountId, kinds, principal.agentId],
  });
  const row = rows[0];
  if (!row) throw new ServiceError("RUN_NOT_FOUND", "There is no such run.");
  return toRunView(row);
}
