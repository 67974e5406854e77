import "server-only";
import { dispatchAfterCommit } from "@/lib/engine/client";
import { newId } from "@/lib/platform/ids";
import { log } from "@/lib/platform/log";
import { postgres } from "@/lib/platform/postgres";

const UNHEARD = `
SELECT p.id, p.run_id FROM runs r JOIN approvals p ON p.run_id = r.id
WHERE r.status = 'running' AND p.status IN ('approved', 'rejected') AND p.tool_call_id IS NOT NULL AND p.decided_at < now() - interval '1 minute'
  AND NOT EXISTS (SELECT 1 FROM run_tool_results s WHERE s.run_id = p.run_id AND s.tool_call_id = p.tool_call_id)
ORDER BY p.id LIMIT 500`;

/**
 * Tells an Inngest server again of decisions whose runs have not gone on within a minute. Under
 * another id, for it may know the first; a wait ends once.
 */
export async function resendDecisions(): Promise<void> {
  const { rows } = await postgres().query<{ id: string; run_id: string }>(UNHEARD);
  for (const { id, run_id } of rows) {
    const event = {
      id: newId(),
      name: "approval/resolved",
      data: { run_id, approval_id: id },
    } as const;
    await dispatchAfterCommit(event).catch((error: unknown) =>
      log.warn({ err: error, approval_id: id }, "the engine did not take a decision"),
    );
  }
}
