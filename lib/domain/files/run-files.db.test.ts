import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { removeBytes } from "@/lib/domain/blobs/stored-bytes";
import { filesPort } from "@/lib/domain/execution/tools/files-port";
import { commitRunFiles, RUN_FILES_MAX, storeRunBytes } from "@/lib/domain/files/run-files";
import { commitFile } from "@/lib/domain/files/save-file";
import type { Principal } from "@/lib/domain/principal";
import { removeRuns } from "@/lib/domain/retention/remove-rows";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { createWorkspace } from "@/lib/domain/workspaces/create-workspace";
import { createRedactor } from "@/lib/platform/crypto/redact";
import { newId } from "@/lib/platform/ids";
import { transaction } from "@/lib/platform/postgres";
import { createDiskFileStore } from "@/lib/storage/files/disk-file-store";

vi.setConfig({ testTimeout: 60_000 });

let database: DomainDatabase;
let owner: Principal;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lathe-run-files-"));
  database = await openDomainDatabase({ files: createDiskFileStore(folder) });
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  owner = await database.account();
});

interface Run {
  id: string;
  accountId: string;
  workspaceId: string | null;
  earlierIn: { conversationId: string; before: number | null } | null;
}

async function run(
  conversationId = newId(),
  { status = "running", who = owner, workspaceId = null as string | null } = {},
): Promise<Run> {
  const id = newId();
  await database.pool.query(
    `INSERT INTO runs (id, account_id, kind, status, conversation_id, workspace_id, input, model,
       completed_at)
     VALUES ($1, $2, 'agent', $3, $4, $5, '{}', 'm', CASE WHEN $3 <> 'running' THEN now() END)`,
    [id, who.accountId, status, conversationId, workspaceId],
  );
  return {
    id,
    accountId: who.accountId,
    workspaceId,
    earlierIn: { conversationId, before: null },
  };
}

const end = ({ id }: Run) =>
  database.pool.query("UPDATE runs SET status = 'completed', completed_at = now() WHERE id = $1", [
    id,
  ]);
const textOf = async (of: Run, path: string) =>
  new TextDecoder().decode(await filesPort(of, newId()).readBytes(path, 1_000_000));
const pathsOf = async (of: Run) => (await filesPort(of, newId()).list()).map(({ path }) => path);

/** What is counted, what the rows say, and how many files the store holds, of the account. */
async function books() {
  const { rows } = await database.pool.query(
    `SELECT files_bytes::float8 AS counted,
       (SELECT coalesce(sum(size_bytes), 0)::int FROM run_files WHERE account_id = a.id) AS total,
       (SELECT count(*)::int FROM run_files WHERE account_id = a.id) AS files FROM accounts a
     WHERE id = $1`,
    [owner.accountId],
  );
  const names = await readdir(join(folder, "files", owner.accountId), {
    recursive: true,
    withFileTypes: true,
  }).catch(async () =>
    readdir(join(folder, owner.accountId), { recursive: true, withFileTypes: true }).catch(
      () => [],
    ),
  );
  return { ...rows[0], stored: names.filter((entry) => entry.isFile()).length };
}

describe("a run's file", () => {
  test("is written, replaced, appended to, edited, copied, deleted, and counted", async () => {
    const mine = await run();
    const port = () => filesPort(mine, newId());
    await port().write("run:a.txt", "one");
    await port().write("run:a.txt", "two three");
    await port().append("run:a.txt", " four");
    await port().edit("run:a.txt", (text) => text.replace("three", "3"));
    await port().copy("run:a.txt", "run:deep/b.txt");
    expect(await textOf(mine, "run:deep/b.txt")).toBe("two 3 four");
    expect(await books()).toEqual({ counted: 20, total: 20, files: 2, stored: 2 });
    expect(await port().remove("run:a.txt")).toBe(true);
    expect(await port().remove("run:a.txt")).toBe(false);
    expect(await books()).toEqual({ counted: 10, total: 10, files: 1, stored: 1 });
  });

  test("that a host has sent has no secret in its type, as in its text", async () => {
    const mine = await run();
    const port = filesPort(mine, newId(), createRedactor(["tok-9f8e7d6c5b4a"]));
    const receive = async (name: string, type: string) => {
      async function* bytes() {
        yield new TextEncoder().encode("it is tok-9f8e7d6c5b4a");
      }
      await port.receive(name, bytes(), { type, charset: "utf-8" });
      return (await port.find(name))?.content_type;
    };
    expect(await receive("run:a.csv", "text/x-mine")).toBe("text/x-mine");
    expect(await receive("run:b.csv", "text/x-tok-9f8e7d6c5b4a")).toBe("text/csv");
    expect(await textOf(mine, "run:b.csv")).toBe("it is [redacted]");
  });

  test("is appended to and edited once by one call, however often that is made", async () => {
    const mine = await run();
    await filesPort(mine, "begin").write("run:log.txt", "a");
    for (let time = 0; time < 3; time += 1) await filesPort(mine, "add").append("run:log.txt", "b");
    expect(await textOf(mine, "run:log.txt")).toBe("ab");
    for (let time = 0; time < 2; time += 1)
      await filesPort(mine, "edit").edit("run:log.txt", (text) => `${text}c`);
    expect(await textOf(mine, "run:log.txt")).toBe("abc");
  });

  test("is not another account's, nor another conversation's, by any name", async () => {
    const mine = await run();
    await filesPort(mine, newId()).write("run:secret.txt", "mine");
    await end(mine);
    const { rows } = await database.pool.query("SELECT id FROM run_files WHERE run_id = $1", [
      mine.id,
    ]);
    const other = await database.account();
    const { conversationId } = mine.earlierIn ?? { conversationId: "" };
    for (const stranger of [await run(conversationId, { who: other }), await run()])
      for (const name of ["run:secret.txt", "secret.txt", rows[0].id, `run:${rows[0].id}`]) {
        await expect(textOf(stranger, name)).rejects.toThrow("There is no file");
        expect(await pathsOf(stranger)).toEqual([]);
      }
  });

  test("and an artifact are read by the conversation's later runs, as copies", async () => {
    const first = await run();
    await filesPort(first, newId()).write("run:report.md", "v1");
    const artifact = newId();
    await database.pool.query(
      `INSERT INTO artifacts (id, run_id, account_id, step_key, title, name, content_type,
         size_bytes, sha256, storage_key)
       SELECT $1, run_id, account_id, 's', 't', 'made.md', content_type, size_bytes, sha256,
         storage_key FROM run_files WHERE run_id = $2`,
      [artifact, first.id],
    );
    const later = await run(first.earlierIn?.conversationId);
    await expect(textOf(later, "run:report.md")).rejects.toThrow("There is no file");
    await end(first);
    for (const name of ["run:report.md", "report.md", "run:made.md", artifact])
      expect(await textOf(later, name)).toBe("v1");
    expect(await pathsOf(later)).toEqual(["run:made.md", "run:report.md"]);
    await filesPort(later, newId()).append("run:report.md", "+");
    expect(await textOf(later, "run:report.md")).toBe("v1+");
    await end(later);
    expect(await textOf(await run(first.earlierIn?.conversationId), "run:report.md")).toBe("v1+");
    await expect(filesPort(later, newId()).remove("run:made.md")).rejects.toThrow("earlier run");
    expect(await textOf(first, "run:report.md")).toBe("v1");
  });

  test("is gone with its run, and its bytes with it", async () => {
    const mine = await run();
    await filesPort(mine, newId()).write("run:a.txt", "text");
    await end(mine);
    const keys = await transaction((tx) => removeRuns(tx, [mine.id]));
    for (const key of keys) await removeBytes(key);
    expect(await books()).toEqual({ counted: 0, total: 0, files: 0, stored: 0 });
  });

  test("of a run that has ended is not changed", async () => {
    const mine = await run();
    await filesPort(mine, newId()).write("run:a.txt", "text");
    await end(mine);
    await expect(filesPort(mine, newId()).write("run:b.txt", "x")).rejects.toThrow("has ended");
    await expect(filesPort(mine, newId()).remove("run:a.txt")).rejects.toThrow("has ended");
    expect(await books()).toEqual({ counted: 4, total: 4, files: 1, stored: 1 });
  });
});

describe("the space of a run", () => {
  test("is so many files: one more is refused, of those saved at once none kept", async () => {
    const mine = await run();
    const names = (count: number, start: number) =>
      Array.from({ length: count }, (_, index) => ({
        path: `f${start + index}.txt`,
        bytes: new Uint8Array([1]),
      }));
    await filesPort(mine, newId()).saveAll(names(RUN_FILES_MAX - 1, 0));
    await expect(filesPort(mine, newId()).saveAll(names(2, RUN_FILES_MAX - 1))).rejects.toThrow(
      `at most ${RUN_FILES_MAX} files`,
    );
    const most = RUN_FILES_MAX - 1;
    expect(await books()).toEqual({ counted: most, total: most, files: most, stored: most });
  });

  test("is so many bytes, whoever writes at once", async () => {
    const mine = await run();
    await filesPort(mine, newId()).write("run:a.bin", "a");
    // As if there were 250 MiB: neither is stored whole here.
    await database.pool.query("UPDATE run_files SET size_bytes = $2 WHERE run_id = $1", [
      mine.id,
      250 * 1024 * 1024,
    ]);
    await database.pool.query("UPDATE accounts SET files_bytes = $2 WHERE id = $1", [
      owner.accountId,
      250 * 1024 * 1024,
    ]);
    const write = (name: string) =>
      filesPort(mine, newId()).write(`run:${name}`, new Uint8Array(4 * 1024 * 1024));
    const outcomes = await Promise.allSettled([write("b.bin"), write("c.bin"), write("d.bin")]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual([
      "fulfilled",
      "rejected",
      "rejected",
    ]);
  });

  test("is the account's, too", async () => {
    const mine = await run();
    await database.pool.query("UPDATE accounts SET files_bytes = 1000000000000 WHERE id = $1", [
      owner.accountId,
    ]);
    await expect(filesPort(mine, newId()).write("run:a.txt", "x")).rejects.toThrow(
      "The account's files may have at most",
    );
    expect((await books()).stored).toBe(0);
  });

  test("takes no file beyond its own limit, and keeps nothing of it", async () => {
    const mine = await run();
    async function* endless() {
      for (let piece = 0; piece < 65; piece += 1) yield new Uint8Array(1024 * 1024);
    }
    await expect(storeRunBytes(mine.accountId, endless())).rejects.toThrow("A file of a run");
    expect((await books()).stored).toBe(0);
  });

  test("keeps nothing of bytes whose row never came", async () => {
    const mine = await run();
    const stored = await storeRunBytes(mine.accountId, new Blob(["x"]).stream());
    const gone = { ...mine, id: newId() };
    await expect(
      commitRunFiles(gone, [{ path: "a.txt", contentType: null, stored }], "s"),
    ).rejects.toThrow("has ended");
    expect((await books()).stored).toBe(0);
  });
});

describe("a path without run:", () => {
  test("is the workspace's, where there is one; else it is looked for in the run", async () => {
    const { id: workspaceId } = await createWorkspace(owner, { name: "W", description: null });
    const mine = await run(newId(), { workspaceId });
    const port = filesPort(mine, newId());
    expect(await port.write("a.txt", "of the workspace")).toMatchObject({ path: "a.txt" });
    await port.write("run:a.txt", "of the run");
    await port.write("run:b.txt", "b");
    expect(await textOf(mine, "a.txt")).toBe("of the workspace");
    expect(await textOf(mine, "run:a.txt")).toBe("of the run");
    expect(await textOf(mine, "b.txt")).toBe("b");
    expect(await pathsOf(mine)).toEqual(["a.txt", "run:a.txt", "run:b.txt"]);
  });

  test("is the run's, where there is none", async () => {
    const mine = await run();
    expect(await filesPort(mine, newId()).write("a.txt", "x")).toMatchObject({ path: "run:a.txt" });
  });

  test("of a file that somebody replaces meanwhile is not overwritten by an edit", async () => {
    const { id: workspaceId } = await createWorkspace(owner, { name: "W", description: null });
    const mine = await run(newId(), { workspaceId });
    await filesPort(mine, newId()).write("a.txt", "one");
    const other = await storeRunBytes(owner.accountId, new Blob(["person's"]).stream());
    const file = { path: "a.txt", contentType: null, stored: other, countsAsWrite: false };
    let replaced: Promise<unknown> = Promise.resolve();
    const edited = filesPort(mine, newId()).edit("a.txt", (text) => {
      replaced = commitFile(owner, workspaceId, file);
      return `${text}!`;
    });
    const outcomes = await Promise.allSettled([edited]);
    await replaced;
    // Whichever came first, the person's words are not lost.
    const text = await textOf(mine, "a.txt");
    expect(text === "person's" || outcomes[0]?.status === "rejected").toBe(true);
  });
});
