import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type StoredBytes, storeBytes } from "@/lib/domain/blobs/stored-bytes";
import { commitFile } from "@/lib/domain/files/save-file";
import type { Principal } from "@/lib/domain/principal";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { createWorkspace } from "@/lib/domain/workspaces/create-workspace";
import { deleteWorkspace } from "@/lib/domain/workspaces/delete-workspace";
import { createDiskFileStore } from "@/lib/storage/files/disk-file-store";

let database: DomainDatabase;
let owner: Principal;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lathe-save-file-"));
  database = await openDomainDatabase({ files: createDiskFileStore(folder) });
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

function store(text: string): Promise<StoredBytes> {
  async function* bytes() {
    yield new TextEncoder().encode(text);
  }
  return storeBytes(owner.accountId, bytes());
}

/**
 * As a run writes: without the hourly count, which would put the writes of one account in a row.
 */
function commit(workspaceId: string, path: string, stored: StoredBytes) {
  return commitFile(owner, workspaceId, { path, contentType: null, stored, countsAsWrite: false });
}

async function found() {
  const { rows } = await database.pool.query(
    "SELECT files_bytes::int AS counted FROM accounts WHERE id = $1",
    [owner.accountId],
  );
  const files = await database.pool.query(
    "SELECT coalesce(sum(size_bytes), 0)::int AS total FROM workspace_files WHERE account_id = $1",
    [owner.accountId],
  );
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  return {
    counted: rows[0].counted,
    total: files.rows[0].total,
    stored: names.filter((entry) => entry.isFile()).length,
  };
}

test("many writes of a path at once leave one file, its bytes alone, counted once", async () => {
  owner = await database.account();
  const { id } = await createWorkspace(owner, { name: "race", description: null });
  for (const path of ["first.txt", "second.txt", "third.txt"]) {
    const all = await Promise.all(
      Array.from({ length: 12 }, (_, index) => store("x".repeat(index + 1))),
    );
    await Promise.all(all.map((stored) => commit(id, path, stored)));
  }
  const { counted, total, stored } = await found();
  expect([stored, counted]).toEqual([3, total]);
});

test("a workspace deleted while files are written leaves no byte, none counted", async () => {
  owner = await database.account();
  await rm(folder, { recursive: true });
  for (let round = 0; round < 5; round++) {
    const { id } = await createWorkspace(owner, { name: "race", description: null });
    const all = await Promise.all(Array.from({ length: 6 }, () => store("abc")));
    const writes = all.map((stored, index) =>
      commit(id, `${index}.txt`, stored).catch((error: { code: string }) => error.code),
    );
    const outcomes = await Promise.all([...writes, deleteWorkspace(owner, id)]);
    for (const outcome of outcomes)
      if (typeof outcome === "string") expect(outcome).toBe("WORKSPACE_NOT_FOUND");
  }
  expect(await found()).toEqual({ counted: 0, total: 0, stored: 0 });
});
