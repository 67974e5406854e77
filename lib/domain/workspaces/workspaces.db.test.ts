import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { fileStore, storeBytes } from "@/lib/domain/blobs/stored-bytes";
import { deleteFile } from "@/lib/domain/files/delete-file";
import { openFile } from "@/lib/domain/files/open-file";
import { commitFile } from "@/lib/domain/files/save-file";
import type { Principal } from "@/lib/domain/principal";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { newAgent } from "@/lib/domain/test/new-agent";
import { assignAgent } from "@/lib/domain/workspaces/assign-agent";
import { createWorkspace } from "@/lib/domain/workspaces/create-workspace";
import { deleteWorkspace } from "@/lib/domain/workspaces/delete-workspace";
import { listWorkspaceAgents } from "@/lib/domain/workspaces/list-workspace-agents";
import { unassignAgent } from "@/lib/domain/workspaces/unassign-agent";
import { updateWorkspace } from "@/lib/domain/workspaces/update-workspace";
import { requireRunWorkspace, requireWorkspace } from "@/lib/domain/workspaces/workspace-record";
import { createDiskFileStore } from "@/lib/storage/files/disk-file-store";

let database: DomainDatabase;
let owner: Principal;

beforeAll(async () => {
  database = await openDomainDatabase();
  database.service.give(
    fileStore,
    createDiskFileStore(mkdtempSync(join(tmpdir(), "lathe-workspaces-"))),
  );
});
beforeEach(async () => {
  owner = await database.account();
});
afterAll(() => database.close());

async function save(workspaceId: string, path: string, text: string, countsAsWrite = true) {
  const stored = await storeBytes(owner.accountId, new Blob([text]).stream());
  return commitFile(owner, workspaceId, { path, contentType: null, stored, countsAsWrite });
}

const bytesUsed = async () =>
  Number(
    (await database.pool.query("SELECT files_bytes FROM accounts WHERE id = $1", [owner.accountId]))
      .rows[0].files_bytes,
  );
const writes = async () =>
  Number(
    (
      await database.pool.query(
        "SELECT coalesce(max(count), 0) AS n FROM hour_buckets WHERE key = $1",
        [`write:${owner.accountId}`],
      )
    ).rows[0].n,
  );

test("a change of a workspace is what is read then; what it does not name stays", async () => {
  const { id } = await createWorkspace(owner, { name: "First", description: "of all" });
  await updateWorkspace(owner, id, { name: "Second" });
  expect(await requireWorkspace(owner, id)).toMatchObject({
    name: "Second",
    description: "of all",
  });
  await updateWorkspace(owner, id, { description: null });
  expect(await requireWorkspace(owner, id)).toMatchObject({ name: "Second", description: null });
});

test("a file takes its space once, gives it back when gone, and its bytes too", async () => {
  const { id } = await createWorkspace(owner, { name: "Space", description: null });
  const first = await save(id, "a.txt", "12345");
  expect([first.replaced, await bytesUsed()]).toEqual([false, 5]);
  const second = await save(id, "a.txt", "123");
  expect([second.replaced, await bytesUsed()]).toEqual([true, 3]);
  await save(id, "b.txt", "1234567");
  expect(await bytesUsed()).toBe(10);
  const { file } = second;
  const opened = await openFile(owner, id, file.id);
  expect([opened.name, opened.sizeBytes, await new Response(await opened.open()).text()]).toEqual([
    "a.txt",
    3,
    "123",
  ]);
  await deleteFile(owner, id, file.id);
  expect(await bytesUsed()).toBe(7);
  await expect(openFile(owner, id, file.id)).rejects.toMatchObject({ code: "FILE_NOT_FOUND" });
  await expect(deleteFile(owner, id, file.id)).rejects.toMatchObject({ code: "FILE_NOT_FOUND" });
  expect(await bytesUsed()).toBe(7);
  await deleteWorkspace(owner, id);
  expect(await bytesUsed()).toBe(0);
  await expect(requireWorkspace(owner, id)).rejects.toMatchObject({ code: "WORKSPACE_NOT_FOUND" });
});

test("a person's writes count against the hour, a run's not; refused ones leave none", async () => {
  const { id } = await createWorkspace(owner, { name: "Space", description: null });
  const before = await writes();
  await save(id, "a.txt", "1", false);
  expect(await writes()).toBe(before);
  await save(id, "b.txt", "1");
  expect(await writes()).toBe(before + 1);
  owner = { ...owner, writePerHour: before + 1 };
  const { file } = await save(id, "c.txt", "1", false);
  for (const act of [
    () => save(id, "d.txt", "1"),
    () => deleteFile(owner, id, file.id),
    () => createWorkspace(owner, { name: "More", description: null }),
    () => updateWorkspace(owner, id, { name: "Else" }),
    () => deleteWorkspace(owner, id),
  ])
    await expect(act()).rejects.toMatchObject({ code: "RATE_LIMITED" });
  expect(await bytesUsed()).toBe(3);
  expect((await requireWorkspace(owner, id)).name).toBe("Space");
});

test("a workspace with agents is for their runs and agentless ones, then for all", async () => {
  const { id } = await createWorkspace(owner, { name: "Team", description: null });
  const [member, other] = [await newAgent(owner), await newAgent(owner)];
  await requireRunWorkspace(owner, id, other.id);
  await assignAgent(owner, id, member.id);
  await assignAgent(owner, id, member.id);
  const page = { limit: 10, cursor: null };
  expect((await listWorkspaceAgents(owner, id, page)).data.map((agent) => agent.id)).toEqual([
    member.id,
  ]);
  await requireRunWorkspace(owner, id, member.id);
  await requireRunWorkspace(owner, id, null);
  await expect(requireRunWorkspace(owner, id, other.id)).rejects.toMatchObject({
    code: "WORKSPACE_NOT_FOUND",
  });
  await unassignAgent(owner, id, member.id);
  await requireRunWorkspace(owner, id, other.id);
});
