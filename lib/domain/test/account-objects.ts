import "server-only";
import type { AgentRecord } from "@/lib/domain/agents/agent-store";
import { updateAgent } from "@/lib/domain/agents/update-agent";
import { storeBytes } from "@/lib/domain/blobs/stored-bytes";
import { commitFile } from "@/lib/domain/files/save-file";
import { createKey } from "@/lib/domain/keys/create-key";
import type { Principal } from "@/lib/domain/principal";
import { createSchedule } from "@/lib/domain/schedules/create-schedule";
import { createSecret } from "@/lib/domain/secrets/create-secret";
import { installSkill } from "@/lib/domain/skills/install-skill";
import { readSkillText } from "@/lib/domain/skills/read-skill-text";
import { type EndedRun, insertEndedRun } from "@/lib/domain/test/insert-ended-run";
import { newAgent } from "@/lib/domain/test/new-agent";
import { assignAgent } from "@/lib/domain/workspaces/assign-agent";
import { createWorkspace } from "@/lib/domain/workspaces/create-workspace";
import { postgres } from "@/lib/platform/postgres";

/**
 * Ids of one object of every kind that an account can own, most of them by the name of their
 * column.
 */
export interface AccountObjects extends EndedRun {
  agent: AgentRecord;
  workspaceId: string;
  fileId: string;
  keyId: string;
  scheduleId: string;
  secretName: string;
  skillId: string;
  approvalId: string;
  notificationId: string;
}

/**
 * Makes one object of every kind, those of `shared` aside: a second set stands beside the first,
 * below the same agent and workspace.
 */
export async function makeAccountObjects(
  owner: Principal,
  shared?: AccountObjects,
): Promise<AccountObjects> {
  const suffix = Math.random().toString(36).slice(2, 10);
  const agent = await newAgent(owner);
  await updateAgent(owner, (shared?.agent ?? agent).id, { description: `Changed by ${suffix}.` });
  const workspace = await createWorkspace(owner, { name: "Space", description: null });
  const workspaceId = shared?.workspaceId ?? workspace.id;
  await assignAgent(owner, workspaceId, agent.id);
  const stored = await storeBytes(owner.accountId, new Blob(["text"]).stream());
  const saved = await commitFile(owner, workspaceId, {
    path: `${suffix}.txt`,
    contentType: null,
    stored,
    countsAsWrite: false,
  });
  const schedule = await createSchedule(owner, (shared?.agent ?? agent).id, {
    cron: "0 9 1 1 *",
    timezone: "UTC",
    input: {},
    enabled: true,
  });
  const secretName = `KEY_${suffix.toUpperCase()}`;
  await createSecret(owner, {
    name: secretName,
    value: "a secret value",
    description: null,
    allowedHosts: ["api.example.com"],
  });
  const skill = await installSkill(
    owner,
    await readSkillText(owner, `---\nname: skill-${suffix}\ndescription: x\n---\nx`),
    false,
  );
  const run = await insertEndedRun(owner, new Date());
  const idOf = async (table: "approvals" | "notifications") =>
    String(
      (await postgres().query(`SELECT id FROM ${table} WHERE run_id = $1`, [run.runId])).rows[0]
        ?.id,
    );
  return {
    ...run,
    agent,
    workspaceId: workspace.id,
    fileId: saved.file.id,
    keyId: (await createKey(owner, { name: "Key", agentId: null, expiresAt: null })).id,
    scheduleId: schedule.id,
    secretName,
    skillId: skill.id,
    approvalId: await idOf("approvals"),
    notificationId: await idOf("notifications"),
  };
}
