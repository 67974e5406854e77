import "server-only";
import type { Transaction } from "@/lib/storage/transaction";

export type VersionSource = "create" | "patch" | "edit" | "restore";

/** Keeps the agent as it is now as its next version. The agent's row must be locked or fresh in this transaction. */
export async function insertVersion(
  tx: Transaction,
  version: { agentId: string; versionId: string; source: VersionSource; releaseNote: string | null; runId: string | null },
): Promise<void> {
  await tx.query(
    `INSERT INTO agent_versions (id, agent_id, number, version, release_note, source, run_id, name, description, write_autonomy, skill_content, config_content, config, dashboard_template)
     SELECT $1, a.id, 1 + coalesce((SELECT max(number) FROM agent_versions WHERE agent_id = a.id), 0), a.version, $3, $4, $5, a.name, a.description, a.write_autonomy,
       a.skill_content, a.config_content, a.config, a.dashboard_template FROM agents a WHERE a.id = $2`,
    [version.versionId, version.agentId, version.releaseNote, version.source, version.runId],
  );
}
