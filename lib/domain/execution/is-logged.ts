import "server-only";
import { postgres } from "@/lib/platform/postgres";

/** Whether the run's log holds an event of this type about this approval: a step that is repeated shows it once. */
export async function isLogged(runId: string, type: "approval.requested" | "approval.resolved", approvalId: string): Promise<boolean> {
  const { rowCount } = await postgres().query({
    name: "is-logged",
    text: "SELECT 1 FROM run_events WHERE run_id = $1 AND lines LIKE $2 LIMIT 1",
    values: [runId, `%"type":"${type}"%"approval_id":"${approvalId}"%`],
  });
  return rowCount !== 0;
}
