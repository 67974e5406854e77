import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { makeDocx, makePdf, makeXlsx } from "@/e2e/support/make-documents";
import { storeBytes } from "@/lib/domain/blobs/stored-bytes";
import { deleteFile } from "@/lib/domain/files/delete-file";
import { commitFile } from "@/lib/domain/files/save-file";
import { searchWorkspace } from "@/lib/domain/files/search-files";
import type { Principal } from "@/lib/domain/principal";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { createWorkspace } from "@/lib/domain/workspaces/create-workspace";
import { processSingleton } from "@/lib/platform/process-singleton";
import { createDiskFileStore } from "@/lib/storage/files/disk-file-store";

// Documents are read in processes of their own.
vi.setConfig({ testTimeout: 120_000 });

let database: DomainDatabase;

beforeAll(async () => {
  database = await openDomainDatabase();
  processSingleton("file-store", () => createDiskFileStore(mkdtempSync(join(tmpdir(), "lathe-search-"))));
});
afterAll(() => database.close());

const never = new AbortController().signal;

async function workspaceOf(files: Record<string, string | Uint8Array<ArrayBuffer>>, owner?: Principal) {
  const principal = owner ?? (await database.account());
  const { id: workspaceId } = await createWorkspace(principal, { name: "W", description: null });
  for (const [path, content] of Object.entries(files)) await save(principal, workspaceId, path, content);
  const scope = { accountId: principal.accountId, workspaceId };
  return { principal, workspaceId, search: (query: string, prefix = "") => searchWorkspace(scope, query, prefix, never) };
}

async function save(principal: Principal, workspaceId: string, path: string, content: string | Uint8Array<ArrayBuffer>) {
  const stored = await storeBytes(principal.accountId, new Blob([content]).stream());
  return (await commitFile(principal, workspaceId, { path, contentType: null, stored, countsAsWrite: false })).file;
}

async function rowsOf(fileId: string): Promise<number> {
  const { rows } = await database.pool.query<{ n: number }>(
    "SELECT (SELECT count(*) FROM file_texts WHERE file_id = $1)::int + (SELECT count(*) FROM file_indexes WHERE file_id = $1)::int AS n",
    [fileId],
  );
  return rows[0]?.n ?? -1;
}

test("a search finds words by their stems in text, PDF, Word and Excel files, with the line, page or cells", async () => {
  const { search } = await workspaceOf({
    "notes.md": "first\nThe invoices were paid late.\nlast",
    "a/report.pdf": await makePdf(["Nothing here", "Our invoice policy: net thirty days."]),
    "terms.docx": makeDocx(["Each invoice bears a number."]),
    "sales.xlsx": makeXlsx({
      Sales: [
        ["Item", "State"],
        ["Desk", "invoice sent"],
      ],
    }),
    "logo.bin": new Uint8Array([0, 1, 2, 3]),
  });
  const { hits, searched } = await search("invoice");
  expect(hits.map(({ path, reference, line, text }) => ({ path, reference, line, text }))).toEqual(
    expect.arrayContaining([
      { path: "notes.md", reference: undefined, line: 2, text: "The invoices were paid late." },
      { path: "a/report.pdf", reference: "page 2", line: undefined, text: "Our invoice policy: net thirty days." },
      { path: "terms.docx", reference: undefined, line: undefined, text: "Each invoice bears a number." },
      { path: "sales.xlsx", reference: "sheet Sales!A1:B2", line: undefined, text: "2,Desk,invoice sent" },
    ]),
  );
  expect(hits).toHaveLength(4);
  expect([...searched].sort()).toEqual(["a/report.pdf", "notes.md", "sales.xlsx", "terms.docx"]);
  expect((await search("invoice", "a/")).hits.map(({ path }) => path)).toEqual(["a/report.pdf"]);
});

test("what holds all the words comes before what holds some; phrases and exclusions are taken at their word", async () => {
  const { search } = await workspaceOf({
    "one.txt": "red boat. red red red red",
    "both.txt": "a red boat and many other things that are neither",
    "fox.txt": "a red fox",
    "the.txt": "the",
  });
  const paths = async (query: string) => (await search(query)).hits.map(({ path }) => path);
  expect((await paths("fox red"))[0]).toBe("fox.txt");
  expect((await paths("fox red")).sort()).toEqual(["both.txt", "fox.txt", "one.txt"]);
  expect(await paths('"red fox"')).toEqual(["fox.txt"]);
  expect((await paths("red -fox")).sort()).toEqual(["both.txt", "one.txt"]);
  expect(await paths("the")).toContain("the.txt");
  expect(await paths("?! & | ( ' \\")).toEqual([]);
});

test("a file's new version takes the place of the old one, and a deleted file leaves no text", async () => {
  const { principal, workspaceId, search } = await workspaceOf({});
  const { id } = await save(principal, workspaceId, "a.txt", "apples");
  expect((await search("apples")).hits).toHaveLength(1);
  await save(principal, workspaceId, "a.txt", "pears");
  expect((await search("pears")).hits).toHaveLength(1);
  expect((await search("apples")).hits).toEqual([]);
  expect(await rowsOf(id)).toBe(2);
  await deleteFile(principal, workspaceId, id);
  expect(await rowsOf(id)).toBe(0);
});

test("searches at the same moment take a file apart once", async () => {
  const { search } = await workspaceOf({ "a.txt": "cherries ".repeat(2_000) });
  const found = await Promise.all(Array.from({ length: 4 }, () => search("cherries")));
  const [first] = found;
  expect(first?.hits.length).toBeGreaterThan(3);
  for (const each of found) expect(each).toEqual(first);
});

test("nobody finds another workspace's or another account's text, whatever the query says", async () => {
  const theirs = await workspaceOf({ "a.txt": "plums" });
  const beside = await workspaceOf({ "b.txt": "plums too" }, theirs.principal);
  const own = await workspaceOf({ "c.txt": "nothing" });
  expect((await theirs.search("plums")).hits.map(({ path }) => path)).toEqual(["a.txt"]);
  expect((await beside.search("plums")).hits.map(({ path }) => path)).toEqual(["b.txt"]);
  for (const query of ["plums", `plums or workspace:${theirs.workspaceId}`, `workspace:${theirs.workspaceId}`])
    expect((await own.search(query)).hits).toEqual([]);
  const across = { accountId: own.principal.accountId, workspaceId: theirs.workspaceId };
  expect(await searchWorkspace(across, "plums", "", never)).toEqual({ hits: [], searched: new Set() });
});

test("a broken document is noted and found by nothing, and a search goes on behind it", async () => {
  const { search } = await workspaceOf({ "a.pdf": "%PDF-1.7 broken", "b.txt": "peaches", "c.txt": `${"x".repeat(20_000)} peaches \u0000` });
  const { hits, searched } = await search("peaches");
  expect(hits.map(({ path }) => path).sort()).toEqual(["b.txt", "c.txt"]);
  expect([...searched]).toEqual(["b.txt", "c.txt"]);
});
