import "server-only";
import { recordAudit } from "@/lib/domain/audit/record-audit";
import { removeBytes } from "@/lib/domain/blobs/stored-bytes";
import type { Principal } from "@/lib/domain/principal";
import { removeArtifacts } from "@/lib/domain/retention/remove-rows";
import { ServiceError } from "@/lib/model/errors";
import {
  AGENT_ROUTE_KINDS,
  isTerminal,
  type RunStatus,
  SUPER_AGENT_KINDS,
} from "@/lib/model/run/run-status";
import { transaction } from "@/lib/platform/postgres";

const FIND = `
SELECT r.status, a.name FROM artifacts a JOIN runs r ON r.id = a.run_id
  AND r.account_id = a.account_id
WHERE a.id = $1 AND a.account_id = $2 AND r.kind = ANY($3) FOR NO KEY UPDATE OF r`;

const notFound = () => new ServiceError("NOT_FOUND", "There is no such artifact.");

/**
 * Deletes a file that a run made: its bytes no longer count against the account's space, and the
 * run's result no longer lists it.
 * @throws ServiceError NOT_FOUND; CONFLICT while its run is at work, whose result would list it
 * again
 */
export async function deleteArtifact(principal: Principal, artifactId: string): Promise<void> {
  const kinds = principal.superAgentAccess
    ? [...AGENT_ROUTE_KINDS, ...SUPER_AGENT_KINDS]
    : AGENT_ROUTE_KINDS;
  const keys = await transaction(async (tx) => {
    const { rows } = await tx.query<{ status: RunStatus; name: string }>(FIND, [
      artifactId,
      principal.accountId,
      kinds,
    ]);
    const [found] = rows;
    if (!found) throw notFound();
    if (!isTerminal(found.status))
      throw new ServiceError(
        "CONFLICT",
        "The run that made it has not ended. Wait for its end, or cancel it first.",
      );
    const gone = await removeArtifacts(tx, [artifactId]);
    // Another deletion held the run's row until now; this statement's view of the artifacts is
    // older than that.
    if (gone.length === 0) throw notFound();
    await recordAudit(tx, principal, {
      action: "artifact.deleted",
      object: { kind: "artifact", id: artifactId, label: found.name },
    });
    return gone;
  });
  for (const key of keys) await removeBytes(key);
}
