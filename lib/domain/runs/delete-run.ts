import "server-only";
import { recordAudit } from "@/lib/domain/audit/record-audit";
import { removeBytes } from "@/lib/domain/blobs/stored-bytes";
import type { Principal } from "@/lib/domain/principal";
import { removeRuns } from "@/lib/domain/retention/remove-rows";
import { ServiceError } from "@/lib/model/errors";
import {
  AGENT_ROUTE_KINDS,
  isTerminal,
  type RunKind,
  type RunStatus,
} from "@/lib/model/run/run-status";
import { transaction } from "@/lib/platform/postgres";

// A run that was cancelled is at work until its last step has let go of its log.
const FIND = `
SELECT r.status, EXISTS (SELECT 1 FROM run_logs l WHERE l.run_id = r.id AND l.closed_at IS NULL)
  OR EXISTS (SELECT 1 FROM credit_holds h WHERE h.run_id = r.id) AS ending
FROM runs r WHERE r.id = $1 AND r.account_id = $2 AND r.kind = ANY($3)
  AND ($4::uuid IS NULL OR r.agent_id = $4) FOR UPDATE`;

/**
 * Deletes an ended run with its log, transcript, messages, approvals, deliveries and artifacts,
 * whose bytes no longer count against the account's space.
 * What it cost stays in the books.
 * @throws ServiceError RUN_NOT_FOUND; CONFLICT while it is at work
 */
export async function deleteRun(
  principal: Principal,
  runId: string,
  kinds: readonly RunKind[] = AGENT_ROUTE_KINDS,
): Promise<void> {
  const keys = await transaction(async (tx) => {
    const { rows } = await tx.query<{ status: RunStatus; ending: boolean }>(FIND, [
      runId,
      principal.accountId,
      kinds,
      principal.agentId,
    ]);
    const [run] = rows;
    if (!run) throw new ServiceError("RUN_NOT_FOUND", "There is no such run.");
    if (!isTerminal(run.status))
      throw new ServiceError(
        "CONFLICT",
        "The run has not ended. Wait for its end, or cancel it first.",
      );
    if (run.ending)
      throw new ServiceError(
        "CONFLICT",
        "The run is just ending. Nothing was deleted; try again in a moment.",
      );
    const gone = await removeRuns(tx, [runId]);
    await recordAudit(tx, principal, {
      action: "run.deleted",
      object: { kind: "run", id: runId },
      changes: { files: gone.length },
    });
    return gone;
  });
  for (const key of keys) await removeBytes(key);
}
