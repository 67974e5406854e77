import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requireAgent } from "@/lib/domain/agents/agent-store";
import { archiveAgent } from "@/lib/domain/agents/archive-agent";
import { duplicateAgent } from "@/lib/domain/agents/duplicate-agent";
import { exportAgent } from "@/lib/domain/agents/export-agent";
import { getAgentVersion } from "@/lib/domain/agents/get-agent-version";
import { restoreAgentVersion } from "@/lib/domain/agents/restore-agent-version";
import { updateAgent } from "@/lib/domain/agents/update-agent";
import { getApproval } from "@/lib/domain/approvals/approval-view";
import { resolveApproval } from "@/lib/domain/approvals/resolve-approval";
import { requireApp } from "@/lib/domain/apps/require-app";
import { deleteArtifact } from "@/lib/domain/artifacts/delete-artifact";
import { fileStore } from "@/lib/domain/blobs/stored-bytes";
import { getConversation } from "@/lib/domain/conversations/conversation-view";
import { deleteConversation } from "@/lib/domain/conversations/delete-conversation";
import { deleteFile } from "@/lib/domain/files/delete-file";
import { openFile } from "@/lib/domain/files/open-file";
import { revokeKey } from "@/lib/domain/keys/revoke-key";
import { rotateKey } from "@/lib/domain/keys/rotate-key";
import { readNotification } from "@/lib/domain/notifications/read-notification";
import type { Principal } from "@/lib/domain/principal";
import { raiseRunLimit } from "@/lib/domain/run-steps";
import { cancelRun } from "@/lib/domain/runs/cancel-run";
import { deleteRun } from "@/lib/domain/runs/delete-run";
import { listRunMessages } from "@/lib/domain/runs/list-run-messages";
import { listRuns } from "@/lib/domain/runs/list-runs";
import { messageRun } from "@/lib/domain/runs/message-run";
import { getRun } from "@/lib/domain/runs/run-view";
import { sendMessage } from "@/lib/domain/runs/send-message";
import { deleteSchedule } from "@/lib/domain/schedules/delete-schedule";
import { listFirings } from "@/lib/domain/schedules/list-firings";
import { runSchedule } from "@/lib/domain/schedules/run-schedule";
import { updateSchedule } from "@/lib/domain/schedules/update-schedule";
import { deleteSecret } from "@/lib/domain/secrets/delete-secret";
import { getSecret } from "@/lib/domain/secrets/secret-view";
import { updateSecret } from "@/lib/domain/secrets/update-secret";
import { deleteSkill } from "@/lib/domain/skills/delete-skill";
import { getSkill } from "@/lib/domain/skills/skill-view";
import { type AccountObjects, makeAccountObjects } from "@/lib/domain/test/account-objects";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { startTestRun } from "@/lib/domain/test/start-test-run";
import { requireDelivery } from "@/lib/domain/webhooks/deliveries";
import { redeliver } from "@/lib/domain/webhooks/redeliver";
import { assignAgent } from "@/lib/domain/workspaces/assign-agent";
import { deleteWorkspace } from "@/lib/domain/workspaces/delete-workspace";
import { unassignAgent } from "@/lib/domain/workspaces/unassign-agent";
import { updateWorkspace } from "@/lib/domain/workspaces/update-workspace";
import { requireRunWorkspace, requireWorkspace } from "@/lib/domain/workspaces/workspace-record";
import { newId } from "@/lib/platform/ids";
import { createDiskFileStore } from "@/lib/storage/files/disk-file-store";

const settings = {
  ENCRYPTION_KEYS: JSON.stringify([{ id: "k1", key: Buffer.alloc(32, 1).toString("base64") }]),
};

let database: DomainDatabase;
let owner: Principal;
let stranger: Principal;
let theirs: AccountObjects;
let own: AccountObjects;

beforeAll(async () => {
  database = await openDomainDatabase({ env: settings });
  database.service.give(
    fileStore,
    createDiskFileStore(mkdtempSync(join(tmpdir(), "lathe-isolation-"))),
  );
  [owner, stranger] = [await database.account(), await database.account()];
  theirs = await makeAccountObjects(owner);
  own = await makeAccountObjects(stranger);
});
afterAll(() => database.close());

type Verb = (who: Principal, of: AccountObjects) => unknown;
const SCHEDULE = { enabled: false };

/** Each verb that takes an id, and the code by which it says that nothing has it. */
const VERBS: [verb: string, code: string, act: Verb][] = [
  ["get an agent", "AGENT_NOT_FOUND", (who, of) => requireAgent(who, of.agent.id)],
  [
    "update an agent",
    "AGENT_NOT_FOUND",
    (who, of) => updateAgent(who, of.agent.id, { name: "Taken" }),
  ],
  ["duplicate an agent", "AGENT_NOT_FOUND", (who, of) => duplicateAgent(who, of.agent.id)],
  ["export an agent", "AGENT_NOT_FOUND", (who, of) => exportAgent(who, of.agent.id)],
  ["run an agent", "AGENT_NOT_FOUND", (who, of) => startTestRun(who, { agentId: of.agent.id })],
  [
    "get a version",
    "VERSION_NOT_FOUND|AGENT_NOT_FOUND",
    (who, of) => getAgentVersion(who, of.agent.id, of.agent.currentVersionId),
  ],
  [
    "restore a version",
    "VERSION_NOT_FOUND|AGENT_NOT_FOUND",
    (who, of) => restoreAgentVersion(who, of.agent.id, of.agent.currentVersionId, null),
  ],
  ["get an approval", "APPROVAL_NOT_FOUND", (who, of) => getApproval(who, of.approvalId)],
  [
    "decide an approval",
    "APPROVAL_NOT_FOUND",
    (who, of) => resolveApproval(who, of.approvalId, "approve", null),
  ],
  [
    "get a conversation",
    "CONVERSATION_NOT_FOUND",
    (who, of) => getConversation(who, of.conversationId),
  ],
  [
    "go on with a conversation",
    "CONVERSATION_NOT_FOUND",
    (who, of) => startTestRun(who, { conversationId: of.conversationId }),
  ],
  [
    "open a file",
    "FILE_NOT_FOUND|WORKSPACE_NOT_FOUND",
    (who, of) => openFile(who, of.workspaceId, of.fileId),
  ],
  [
    "delete a file",
    "FILE_NOT_FOUND|WORKSPACE_NOT_FOUND",
    (who, of) => deleteFile(who, of.workspaceId, of.fileId),
  ],
  ["rotate a key", "NOT_FOUND", (who, of) => rotateKey(who, of.keyId, 0)],
  ["revoke a key", "NOT_FOUND", (who, of) => revokeKey(who, of.keyId)],
  [
    "mark a notification as read",
    "NOT_FOUND",
    (who, of) => readNotification(who, of.notificationId),
  ],
  ["get a run", "RUN_NOT_FOUND", (who, of) => getRun(who, of.runId)],
  ["send a message to a run", "RUN_NOT_FOUND", (who, of) => sendMessage(who, of.runId, "planted")],
  [
    "send a message for after a run",
    "RUN_NOT_FOUND",
    (who, of) => messageRun(who, of.runId, { input: "planted", when: "after" }),
  ],
  ["list the messages of a run", "RUN_NOT_FOUND", (who, of) => listRunMessages(who, of.runId, ALL)],
  ["cancel a run", "RUN_NOT_FOUND", (who, of) => cancelRun(who, of.runId)],
  ["raise a run's limit", "RUN_NOT_FOUND", (who, of) => raiseRunLimit(who, of.runId, 1n)],
  [
    "update a schedule",
    "SCHEDULE_NOT_FOUND|AGENT_NOT_FOUND",
    (who, of) => updateSchedule(who, of.agent.id, of.scheduleId, SCHEDULE),
  ],
  [
    "delete a schedule",
    "SCHEDULE_NOT_FOUND|AGENT_NOT_FOUND",
    (who, of) => deleteSchedule(who, of.agent.id, of.scheduleId),
  ],
  [
    "fire a schedule",
    "SCHEDULE_NOT_FOUND|AGENT_NOT_FOUND",
    (who, of) => runSchedule(who, of.agent.id, of.scheduleId),
  ],
  [
    "list a schedule's firings",
    "SCHEDULE_NOT_FOUND|AGENT_NOT_FOUND",
    (who, of) => listFirings(who, of.agent.id, of.scheduleId, { limit: 1, cursor: null }),
  ],
  ["get a secret", "SECRET_NOT_FOUND", (who, of) => getSecret(who, of.secretName)],
  [
    "update a secret",
    "SECRET_NOT_FOUND",
    (who, of) => updateSecret(who, of.secretName, { value: "taken over" }),
  ],
  ["delete a secret", "SECRET_NOT_FOUND", (who, of) => deleteSecret(who, of.secretName)],
  ["get a skill", "SKILL_NOT_FOUND", (who, of) => getSkill(who, of.skillId)],
  ["delete a skill", "SKILL_NOT_FOUND", (who, of) => deleteSkill(who, of.skillId)],
  ["get a delivery", "DELIVERY_NOT_FOUND", (who, of) => requireDelivery(who, of.deliveryId)],
  ["send a delivery again", "DELIVERY_NOT_FOUND", (who, of) => redeliver(who, of.deliveryId)],
  ["get a workspace", "WORKSPACE_NOT_FOUND", (who, of) => requireWorkspace(who, of.workspaceId)],
  [
    "update a workspace",
    "WORKSPACE_NOT_FOUND",
    (who, of) => updateWorkspace(who, of.workspaceId, { name: "Taken" }),
  ],
  [
    "run in a workspace",
    "WORKSPACE_NOT_FOUND",
    (who, of) => requireRunWorkspace(who, of.workspaceId, null),
  ],
  [
    "take an agent out of a workspace",
    "WORKSPACE_NOT_FOUND|AGENT_NOT_FOUND",
    (who, of) => unassignAgent(who, of.workspaceId, of.agent.id),
  ],
  ["delete an artifact", "NOT_FOUND", (who, of) => deleteArtifact(who, of.artifactId)],
  ["delete a run", "RUN_NOT_FOUND", (who, of) => deleteRun(who, of.runId)],
  [
    "delete a conversation",
    "CONVERSATION_NOT_FOUND",
    (who, of) => deleteConversation(who, of.conversationId),
  ],
  ["delete a workspace", "WORKSPACE_NOT_FOUND", (who, of) => deleteWorkspace(who, of.workspaceId)],
  ["archive an agent", "AGENT_NOT_FOUND", (who, of) => archiveAgent(who, of.agent.id)],
];

const ALL = { limit: 10, cursor: null };

const ID_TABLES = [
  "agents",
  "agent_versions",
  "approvals",
  "conversations",
  "workspace_files",
  "api_keys",
  "notifications",
  "runs",
  "schedule_firings",
  "schedules",
  "secrets",
  "skills",
  "webhook_deliveries",
  "workspaces",
  "artifacts",
  "run_messages",
];

/** Every row of the account. */
async function everything({ accountId }: Principal): Promise<unknown> {
  const rows: Record<string, unknown> = {};
  for (const table of ID_TABLES) {
    const where =
      table === "agent_versions"
        ? "agent_id IN (SELECT id FROM agents WHERE account_id = $1)"
        : "account_id = $1";
    rows[table] = (
      await database.pool.query(`SELECT * FROM ${table} WHERE ${where} ORDER BY id`, [accountId])
    ).rows;
  }
  return rows;
}

test.each(VERBS)(
  "to %s of another account is %s, and changes nothing of it",
  async (_, code, act) => {
    const before = await everything(owner);
    const error = await Promise.resolve(act(stranger, theirs)).then(
      () => null,
      (thrown: { code: string }) => thrown,
    );
    expect(error?.code).toMatch(new RegExp(`^(${code})$`));
    expect(await everything(owner)).toEqual(before);
  },
);

const BETWEEN: [what: string, code: string, act: () => unknown][] = [
  [
    "an agent into another's workspace",
    "WORKSPACE_NOT_FOUND",
    () => assignAgent(stranger, theirs.workspaceId, own.agent.id),
  ],
  [
    "another's agent into a workspace",
    "AGENT_NOT_FOUND",
    () => assignAgent(stranger, own.workspaceId, theirs.agent.id),
  ],
  [
    "another's file by a workspace of one's own",
    "FILE_NOT_FOUND",
    () => openFile(stranger, own.workspaceId, theirs.fileId),
  ],
  [
    "another's file away by a workspace of one's own",
    "FILE_NOT_FOUND",
    () => deleteFile(stranger, own.workspaceId, theirs.fileId),
  ],
  [
    "another's version by an agent of one's own",
    "VERSION_NOT_FOUND",
    () => getAgentVersion(stranger, own.agent.id, theirs.agent.currentVersionId),
  ],
  [
    "another's schedule by an agent of one's own",
    "SCHEDULE_NOT_FOUND",
    () => updateSchedule(stranger, own.agent.id, theirs.scheduleId, SCHEDULE),
  ],
  [
    "another's schedule fired by an agent of one's own",
    "SCHEDULE_NOT_FOUND",
    () => runSchedule(stranger, own.agent.id, theirs.scheduleId),
  ],
  [
    "another's version in a run of one's own agent",
    "VERSION_NOT_FOUND",
    () =>
      startTestRun(stranger, {
        agentId: own.agent.id,
        version: theirs.agent.currentVersionId,
      }),
  ],
  [
    "a run into another's workspace",
    "WORKSPACE_NOT_FOUND",
    () => startTestRun(stranger, { workspaceId: theirs.workspaceId }),
  ],
];

test.each(BETWEEN)("nobody gets %s: it is %s", async (_, code, act) => {
  const before = await everything(owner);
  await expect(Promise.resolve(act())).rejects.toMatchObject({ code });
  expect(await everything(owner)).toEqual(before);
});

test("an app key sees, lists, cancels and deletes its own agent's runs, no others", async () => {
  const account = await database.account();
  const [agent, other] = [
    (await makeAccountObjects(account)).agent,
    (await makeAccountObjects(account)).agent,
  ];
  const app: Principal = { ...account, agentId: agent.id };
  const mine = await startTestRun(app, { agentId: agent.id }, "app");
  const foreign = await startTestRun(account, { agentId: other.id });
  const general = await startTestRun(account);
  expect((await getRun(app, mine.id)).id).toBe(mine.id);
  for (const { id } of [foreign, general])
    for (const act of [getRun, cancelRun, deleteRun])
      await expect(act(app, id)).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
  const filter = {
    kinds: ["agent", "app"],
    statuses: null,
    agentId: other.id,
    conversationId: null,
    createdAfter: null,
    createdBefore: null,
    metadata: {},
  } as const;
  expect(
    (await listRuns(app, { limit: 100, cursor: null }, filter)).data.map(({ id }) => id),
  ).toEqual([mine.id]);
  expect(() => requireApp(app, agent.id, "read")).not.toThrow();
  expect(() => requireApp(app, other.id, "read")).toThrow(
    expect.objectContaining({ code: "APP_NOT_FOUND" }),
  );
});

test("what a route shows not it finds not: a super-agent's run, or an agent's", async () => {
  const listed = await database.account({ superAgentAccess: true });
  const run = await startTestRun(listed, {}, "super_agent");
  await expect(getRun(listed, run.id)).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
  await expect(cancelRun(listed, run.id)).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
  expect((await getRun(listed, run.id, ["super_agent"])).id).toBe(run.id);
});

test.each(VERBS)(
  "to %s that is there is done, or refused for another reason than that it is missing",
  async (_, code, act) => {
    const account = await database.account();
    const objects = await makeAccountObjects(account);
    const error = await Promise.resolve(act(account, objects)).then(
      () => null,
      (thrown: { code: string }) => thrown,
    );
    if (error) expect(error.code).not.toMatch(new RegExp(`^(${code})$`));
  },
);

test("what nobody has is missing, not somebody else's", async () => {
  await expect(getRun(owner, newId())).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
});
