import "server-only";
import { readCap } from "@/lib/domain/caps/account-caps";
import type { Transaction } from "@/lib/storage/transaction";

export type VersionSource = "create" | "patch" | "edit" | "restore";

/**
 * Keeps the agent as it is now as its next version; of more than its cap of versions the oldest go. The newest is the current one, so that never goes.
 * The agent's row must be locked or fresh in this transaction.
 */
export async function insertVersion(
  tx: Transaction,
  version: {
    agentId: string;
    accountId: string;
    versionId: string;
    source: VersionSource;
    releaseNote: string | null;
    runId: string | null;
  },
): Promise<void> {
  const { rows } = await tx.query<{ number: number }>(
    `INSERT INTO agent_versions (id, agent_id, number, version, release_note, source, run_id, name, description, write_autonomy, skill_content, config_content, config, dashboard_template)
     SELECT $1, a.id, 1 + coalesce((SELECT max(number) FROM agent_versions WHERE agent_id = a.id), 0), a.version, $3, $4, $5, a.name, a.description, a.write_autonomy,
       a.skill_content, a.config_content, a.config, a.dashboard_template FROM agents a WHERE a.id = $2
     RETURNING number`,
    [version.versionId, version.agentId, version.releaseNote, version.source, version.runId],
  );
  // Numbers count up by one, and only the oldest ever go: so this leaves as many as the cap.
  const kept = Math.max(1, await readCap(tx, version.accountId, "versions"));
  await tx.query("DELETE FROM agent_versions WHERE agent_id = $1 AND number <= $2", [version.agentId, (rows[0]?.number ?? 0) - kept]);
}
