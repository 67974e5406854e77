import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listAgentVersions } from "@/lib/domain/agents/list-agent-versions";
import { listAgents } from "@/lib/domain/agents/list-agents";
import { listApprovals } from "@/lib/domain/approvals/list-approvals";
import { listAuditEvents } from "@/lib/domain/audit/list-audit-events";
import { fileStore } from "@/lib/domain/blobs/stored-bytes";
import { listConversations } from "@/lib/domain/conversations/list-conversations";
import { listFiles } from "@/lib/domain/files/list-files";
import { listKeys } from "@/lib/domain/keys/key-view";
import { listNotifications } from "@/lib/domain/notifications/list-notifications";
import type { Page, PageRequest } from "@/lib/domain/page";
import type { Principal } from "@/lib/domain/principal";
import { listRuns } from "@/lib/domain/runs/list-runs";
import { listSchedules } from "@/lib/domain/schedules/list-schedules";
import { listSecrets } from "@/lib/domain/secrets/list-secrets";
import { listSkills } from "@/lib/domain/skills/list-skills";
import { type AccountObjects, makeAccountObjects } from "@/lib/domain/test/account-objects";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { listDeliveries } from "@/lib/domain/webhooks/list-deliveries";
import { listWorkspaceAgents } from "@/lib/domain/workspaces/list-workspace-agents";
import { listWorkspaces } from "@/lib/domain/workspaces/list-workspaces";
import { createDiskFileStore } from "@/lib/storage/files/disk-file-store";

const settings = {
  ENCRYPTION_KEYS: JSON.stringify([{ id: "k1", key: Buffer.alloc(32, 1).toString("base64") }]),
};

let database: DomainDatabase;
let owner: Principal;
let stranger: Principal;
let objects: AccountObjects[];

beforeAll(async () => {
  database = await openDomainDatabase({ env: settings });
  database.service.give(
    fileStore,
    createDiskFileStore(mkdtempSync(join(tmpdir(), "lathe-lists-"))),
  );
  [owner, stranger] = [await database.account(), await database.account()];
  const first = await makeAccountObjects(owner);
  objects = [first, await makeAccountObjects(owner, first), await makeAccountObjects(owner, first)];
});
afterAll(() => database.close());

type List = (principal: Principal, page: PageRequest) => Promise<Page<object>>;
const first = () => objects[0] as AccountObjects; // three are made before any test
const allRuns = {
  kinds: ["agent"],
  statuses: null,
  agentId: null,
  conversationId: null,
  createdAfter: null,
  createdBefore: null,
  metadata: {},
} as const;

/** What each list is of: the objects' ids as they were made, where they can be told. */
const LISTS: [name: string, list: List, ids: (() => string[]) | null][] = [
  [
    "agents",
    (who, page) => listAgents(who, { ...page, status: "active", search: null }),
    () => objects.map(({ agent }) => agent.id),
  ],
  ["versions of an agent", (who, page) => listAgentVersions(who, first().agent.id, page), null],
  [
    "approvals",
    (who, page) => listApprovals(who, { ...page, statuses: null, runId: null }),
    () => objects.map((each) => each.approvalId),
  ],
  [
    "events of the audit log",
    (who, page) => listAuditEvents(who, page, { action: null, after: null, before: null }),
    null,
  ],
  [
    "conversations",
    (who, page) => listConversations(who, page, null),
    () => objects.map((each) => each.conversationId),
  ],
  [
    "deliveries",
    (who, page) => listDeliveries(who, page, { runId: null, endpointId: null, status: null }),
    () => objects.map((each) => each.deliveryId),
  ],
  [
    "files",
    (who, page) => listFiles(who, first().workspaceId, { ...page, prefix: "" }),
    () => objects.map((each) => each.fileId),
  ],
  ["keys", (who, page) => listKeys(who, page), () => objects.map((each) => each.keyId)],
  ["notifications", listNotifications, () => objects.map((each) => each.notificationId)],
  ["runs", (who, page) => listRuns(who, page, allRuns), () => objects.map((each) => each.runId)],
  [
    "schedules",
    (who, page) => listSchedules(who, first().agent.id, page),
    () => objects.map((each) => each.scheduleId),
  ],
  ["secrets", listSecrets, null],
  ["skills", listSkills, null],
  ["workspaces", listWorkspaces, () => objects.map((each) => each.workspaceId)],
  [
    "agents of a workspace",
    (who, page) => listWorkspaceAgents(who, first().workspaceId, page),
    () => objects.map(({ agent }) => agent.id),
  ],
];

function textOf(row: object): string {
  return JSON.stringify(row, (_, value) => (typeof value === "bigint" ? `${value}n` : value));
}

/** Every row, page by page. */
async function walk(list: List, limit: number): Promise<object[]> {
  const rows: object[] = [];
  let cursor: string | null = null;
  do {
    const page: Page<object> = await list(owner, { limit, cursor });
    expect(page.data.length).toBeLessThanOrEqual(limit);
    rows.push(...page.data);
    cursor = page.nextCursor;
  } while (cursor !== null && rows.length < 1_000);
  return rows;
}

test.each(LISTS)(
  "the list of %s is whole in pages of any size, newest first, each row once",
  async (_, list, ids) => {
    const { data: whole, nextCursor } = await list(owner, { limit: 100, cursor: null });
    expect(nextCursor).toBeNull();
    expect(whole.length).toBeGreaterThanOrEqual(3);
    for (const limit of [1, 2, whole.length, whole.length - 1])
      expect(await walk(list, limit), `pages of ${limit}`).toEqual(whole);
    if (ids) expect(whole.map((row) => "id" in row && row.id)).toEqual(ids().toReversed());
  },
);

test.each(LISTS)(
  "nobody else sees a row of the list of %s, nor a page after one of its cursors",
  async (_, list) => {
    const whole = await list(owner, { limit: 100, cursor: null });
    const theirs = new Set(
      whole.data.filter((row) => !("source" in row && row.source === "built_in")).map(textOf),
    );
    const { nextCursor } = await list(owner, { limit: 1, cursor: null });
    for (const cursor of [null, nextCursor]) {
      // A list below an object of another account is not there at all.
      const seen = await list(stranger, { limit: 100, cursor }).catch(
        (error: { code: string }) => error.code,
      );
      if (typeof seen === "string") expect(seen).toMatch(/^(AGENT|WORKSPACE)_NOT_FOUND$/);
      else expect(seen.data.filter((row) => theirs.has(textOf(row)))).toEqual([]);
    }
  },
);

test.each(LISTS)("a cursor that the list of %s never gave is refused", async (_, list) => {
  for (const cursor of ["", "nonsense"])
    await expect(list(owner, { limit: 1, cursor })).rejects.toMatchObject({
      code: "INVALID_INPUT",
    });
});

test("a filter keeps rows of the account that fit it, and only these", async () => {
  // As made above.
  const [one, two, three] = objects as [AccountObjects, AccountObjects, AccountObjects];
  const page = { limit: 100, cursor: null };
  const runs = async (filter: Partial<Parameters<typeof listRuns>[2]>) =>
    (await listRuns(owner, page, { ...allRuns, ...filter })).data.map(({ id }) => id);
  expect(await runs({ conversationId: two.conversationId })).toEqual([two.runId]);
  expect(await runs({ statuses: ["completed"] })).toHaveLength(3);
  expect(await runs({ statuses: ["failed"] })).toEqual([]);
  expect(await runs({ kinds: ["super_agent"] })).toEqual([]);
  expect(await runs({ agentId: one.agent.id })).toEqual([]);
  const deliveries = await listDeliveries(owner, page, {
    runId: three.runId,
    endpointId: null,
    status: "delivered",
  });
  expect(deliveries.data.map(({ id }) => id)).toEqual([three.deliveryId]);
  expect(
    (await listDeliveries(owner, page, { runId: three.runId, endpointId: null, status: "failed" }))
      .data,
  ).toEqual([]);
  const approvals = await listApprovals(owner, {
    ...page,
    statuses: ["approved"],
    runId: one.runId,
  });
  expect(approvals.data.map(({ id }) => id)).toEqual([one.approvalId]);
  expect(
    (await listApprovals(owner, { ...page, statuses: ["rejected"], runId: one.runId })).data,
  ).toEqual([]);
  expect((await listAgents(owner, { ...page, status: "archived", search: null })).data).toEqual([]);
  expect(
    (await listAgents(owner, { ...page, status: "active", search: "HELP" })).data,
  ).toHaveLength(3);
  expect((await listAgents(owner, { ...page, status: "active", search: "_elper%" })).data).toEqual(
    [],
  );
  expect((await listFiles(owner, one.workspaceId, { ...page, prefix: "no such" })).data).toEqual(
    [],
  );
});
