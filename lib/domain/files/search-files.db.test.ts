import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { makeDocx, makePdf, makeXlsx } from "@/e2e/support/make-documents";
import { fileStore, storeBytes } from "@/lib/domain/blobs/stored-bytes";
import { deleteFile } from "@/lib/domain/files/delete-file";
import { commitFile } from "@/lib/domain/files/save-file";
import { searchWorkspace } from "@/lib/domain/files/search-files";
import type { Principal } from "@/lib/domain/principal";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { createWorkspace } from "@/lib/domain/workspaces/create-workspace";
import { newId } from "@/lib/platform/ids";
import { DOCUMENT_MAX_BYTES } from "@/lib/runtime/documents/read-document";
import { createDiskFileStore } from "@/lib/storage/files/disk-file-store";
import type { FileStore } from "@/lib/storage/files/file-store";

// Documents are read in processes of their own.
vi.setConfig({ testTimeout: 120_000 });

let database: DomainDatabase;
/** What happens between the reading of a file and what is noted of it. */
let afterRead = async () => {};

beforeAll(async () => {
  database = await openDomainDatabase();
  const disk = createDiskFileStore(mkdtempSync(join(tmpdir(), "lathe-search-")));
  const read: FileStore["read"] = async (...of) => {
    const bytes = await new Response(await disk.read(...of)).arrayBuffer();
    await afterRead();
    return new Blob([bytes]).stream();
  };
  database.service.give(fileStore, { ...disk, read });
});
afterAll(() => database.close());

const never = new AbortController().signal;

async function workspaceOf(
  files: Record<string, string | Uint8Array<ArrayBuffer>>,
  owner?: Principal,
) {
  const principal = owner ?? (await database.account());
  const { id: workspaceId } = await createWorkspace(principal, { name: "W", description: null });
  for (const [path, content] of Object.entries(files))
    await save(principal, workspaceId, path, content);
  const scope = { accountId: principal.accountId, workspaceId };
  return {
    principal,
    workspaceId,
    search: (query: string, prefix = "") => searchWorkspace(scope, query, prefix, never),
  };
}

async function save(
  principal: Principal,
  workspaceId: string,
  path: string,
  content: string | Uint8Array<ArrayBuffer>,
) {
  const stored = await storeBytes(principal.accountId, new Blob([content]).stream());
  return (
    await commitFile(principal, workspaceId, {
      path,
      contentType: null,
      stored,
      countsAsWrite: false,
    })
  ).file;
}

async function rowsOf(fileId: string): Promise<number> {
  const { rows } = await database.pool.query<{ n: number }>(
    `SELECT (SELECT count(*) FROM file_texts WHERE file_id = $1)::int + (SELECT count(*)
       FROM file_indexes WHERE file_id = $1)::int AS n`,
    [fileId],
  );
  return rows[0]?.n ?? -1;
}

/** Makes a file as large as it is said to be. */
const sayBytes = (workspaceId: string, path: string, bytes: number) =>
  database.pool.query(
    "UPDATE workspace_files SET size_bytes = $3 WHERE workspace_id = $1 AND path = $2",
    [workspaceId, path, bytes],
  );

async function problemsOf(workspaceId: string): Promise<Record<string, string | null>> {
  const { rows } = await database.pool.query<{ path: string; problem: string | null }>(
    `SELECT f.path, i.problem FROM workspace_files f JOIN file_indexes i ON i.file_id = f.id
     WHERE f.workspace_id = $1 ORDER BY f.path`,
    [workspaceId],
  );
  return Object.fromEntries(rows.map(({ path, problem }) => [path, problem]));
}

test("a search finds words by stem in text, PDF, Word and Excel, with their place", async () => {
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
      {
        path: "a/report.pdf",
        reference: "page 2",
        line: undefined,
        text: "Our invoice policy: net thirty days.",
      },
      {
        path: "terms.docx",
        reference: undefined,
        line: undefined,
        text: "Each invoice bears a number.",
      },
      {
        path: "sales.xlsx",
        reference: "sheet Sales!A1:B2",
        line: undefined,
        text: "2,Desk,invoice sent",
      },
    ]),
  );
  expect(hits).toHaveLength(4);
  expect([...searched].sort()).toEqual(["a/report.pdf", "notes.md", "sales.xlsx", "terms.docx"]);
  expect((await search("invoice", "a/")).hits.map(({ path }) => path)).toEqual(["a/report.pdf"]);
});

test("what holds all words precedes what holds some; phrases and exclusions hold", async () => {
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

test("a file's new version replaces the old one, and a deleted file leaves no text", async () => {
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

test("nobody finds another workspace's or another account's text, whatever the query", async () => {
  const theirs = await workspaceOf({ "a.txt": "plums" });
  const beside = await workspaceOf({ "b.txt": "plums too" }, theirs.principal);
  const own = await workspaceOf({ "c.txt": "nothing" });
  expect((await theirs.search("plums")).hits.map(({ path }) => path)).toEqual(["a.txt"]);
  expect((await beside.search("plums")).hits.map(({ path }) => path)).toEqual(["b.txt"]);
  for (const query of [
    "plums",
    `plums or workspace:${theirs.workspaceId}`,
    `workspace:${theirs.workspaceId}`,
  ])
    expect((await own.search(query)).hits).toEqual([]);
  const across = { accountId: own.principal.accountId, workspaceId: theirs.workspaceId };
  expect(await searchWorkspace(across, "plums", "", never)).toEqual({
    hits: [],
    searched: new Set(),
  });
  expect((await beside.search("plums")).searched).toEqual(new Set(["b.txt"]));
});

test("a broken document is noted, found by nothing, and a search goes on behind it", async () => {
  const { search } = await workspaceOf({
    "a.pdf": "%PDF-1.7 broken",
    "b.txt": "peaches",
    "c.txt": `${"x".repeat(20_000)} peaches \u0000`,
  });
  const { hits, searched } = await search("peaches");
  expect(hits.map(({ path }) => path).sort()).toEqual(["b.txt", "c.txt"]);
  expect([...searched]).toEqual(["b.txt", "c.txt"]);
});

test("a search within a folder takes its files apart, and says so", async () => {
  const { principal, workspaceId, search } = await workspaceOf({
    "a/b.txt": "lime",
    "ab.txt": "lime",
  });
  const other = await save(principal, workspaceId, "c.txt", "lime");
  expect((await search("lime", "a/")).searched).toEqual(new Set(["a/b.txt"]));
  expect(await rowsOf(other.id)).toBe(0);
  expect((await search("lime")).searched).toEqual(new Set(["a/b.txt", "ab.txt", "c.txt"]));
  expect((await search("lime", "a/")).searched).toEqual(new Set(["a/b.txt"]));
});

test.each([
  [64 * 1024 * 1024, ["b.txt"]],
  [64 * 1024 * 1024 + 1, []],
])(
  "after %i bytes a search leaves the rest to the next one, and shows no version that is no more",
  async (bytes, first) => {
    const { principal, workspaceId, search } = await workspaceOf({ "b.txt": "old" });
    expect((await search("old")).hits).toHaveLength(1);
    for (const path of ["a.txt", "b.txt"]) await save(principal, workspaceId, path, "new");
    await sayBytes(workspaceId, "a.txt", bytes);
    expect([...(await search("new")).searched]).toEqual(first);
    expect((await search("new")).hits.map(({ path }) => path)).toEqual(["b.txt"]);
    expect(await problemsOf(workspaceId)).toEqual({ "a.txt": "too large", "b.txt": null });
  },
);

test("a version that is not yet searched is not found by the text of the last one", async () => {
  const { principal, workspaceId, search } = await workspaceOf({ "b.txt": "old" });
  await search("old");
  for (const path of ["a.txt", "b.txt"]) await save(principal, workspaceId, path, "new");
  await sayBytes(workspaceId, "a.txt", 64 * 1024 * 1024 + 1);
  expect(await search("old")).toEqual({ hits: [], searched: new Set() });
});

test("a search takes two hundred files apart, the next one the rest; empty ones none", async () => {
  const { principal, workspaceId, search } = await workspaceOf({});
  await database.pool.query(
    `INSERT INTO workspace_files (id, account_id, workspace_id, path, size_bytes, content_type,
       sha256, storage_key, updated_at)
     SELECT gen_random_uuid(), $1, $2, 'f' || n, 0, 'text/plain', '', $3 || n, now()
     FROM generate_series(100, 300) n`,
    [principal.accountId, workspaceId, newId()],
  );
  const first = await search("anything");
  expect([first.hits, first.searched.size, first.searched.has("f300")]).toEqual([[], 200, false]);
  expect((await search("anything")).searched.size).toBe(201);
});

test("a search takes files apart for twenty seconds", async () => {
  const { search } = await workspaceOf({ "a.txt": "fig", "b.txt": "fig" });
  const clock = vi
    .spyOn(performance, "now")
    .mockReturnValueOnce(0)
    .mockReturnValueOnce(20_000)
    .mockReturnValueOnce(20_001);
  expect([...(await search("fig")).searched]).toEqual(["a.txt"]);
  clock.mockRestore();
});

test("an aborted search takes nothing apart", async () => {
  const { principal, workspaceId } = await workspaceOf({ "a.txt": "fig" });
  const gone = new Error("gone");
  const scope = { accountId: principal.accountId, workspaceId };
  await expect(searchWorkspace(scope, "fig", "", AbortSignal.abort(gone))).rejects.toBe(gone);
  expect(await problemsOf(workspaceId)).toEqual({});
});

test("the best fifty hits are told, those of one rank by their paths", async () => {
  const paths = Array.from({ length: 51 }, (_, n) => `k${100 + n}`);
  const { search } = await workspaceOf(Object.fromEntries(paths.map((path) => [path, "kiwi"])));
  expect((await search("kiwi")).hits.map(({ path }) => path)).toEqual(paths.slice(0, 50));
});

test("of a long line a hit shows what stands around the word, of a shorter one all", async () => {
  const { search } = await workspaceOf({
    "begin.txt": `${"a ".repeat(10)}mango ${"b ".repeat(200)}`,
    "middle.txt": `first\n${"a ".repeat(150)}mango ${"b ".repeat(150)}\nlast`,
    "one.txt": "7",
    "exact.txt": `${"a ".repeat(147)} mango`,
  });
  const { hits } = await search("mango");
  expect(hits.sort((a, b) => a.path.localeCompare(b.path))).toEqual([
    {
      path: "begin.txt",
      line: 1,
      rank: 1.0094,
      text: `${"a ".repeat(10)}mango ${"b ".repeat(137)}`.trim(),
    },
    { path: "exact.txt", line: 1, rank: 1.0105, text: `${"a ".repeat(147)} mango` },
    {
      path: "middle.txt",
      line: 2,
      rank: 1.0087,
      text: `${"a ".repeat(50)}mango ${"b ".repeat(97)}`.trim(),
    },
  ]);
  expect((await search("7")).hits.map(({ path }) => path)).toEqual(["one.txt"]);
});

test("web pages and UTF-16 are read as their text; what is no text is noted so", async () => {
  const { workspaceId, search } = await workspaceOf({
    "page.html": "<!doctype html><title>t</title><p>guava</p>",
    "wide.txt": new Uint8Array(Buffer.from("\ufefffirst\nguava", "utf16le")),
    "logo.bin": new Uint8Array([0, 1, 2, 3]),
  });
  const { hits } = await search("guava");
  expect(hits.map(({ rank: _, ...hit }) => hit)).toEqual([
    { path: "page.html", text: expect.stringContaining("guava") },
    { path: "wide.txt", line: 2, text: "guava" },
  ]);
  expect(await problemsOf(workspaceId)).toEqual({
    "logo.bin": "no text",
    "page.html": null,
    "wide.txt": null,
  });
});

test("what is too large is not taken apart, and of a long text only its beginning", async () => {
  const pdf = await makePdf(["papaya"]);
  const blank = " ".repeat(2_000_000 - "papaya".length);
  const { workspaceId, search } = await workspaceOf({
    "a.txt": "papaya",
    "b.txt": "papaya",
    "c.pdf": pdf,
    "d.pdf": pdf,
    "e.txt": `${blank}papaya`,
    "f.txt": `${blank}papayaq`,
    "g.pdf": "%PDF-1.7 broken",
  });
  await sayBytes(workspaceId, "a.txt", 8 * 1024 * 1024);
  await sayBytes(workspaceId, "b.txt", 8 * 1024 * 1024 + 1);
  await sayBytes(workspaceId, "c.pdf", DOCUMENT_MAX_BYTES);
  await sayBytes(workspaceId, "d.pdf", DOCUMENT_MAX_BYTES + 1);
  // One after the other, or the first search would leave some to the next.
  for (const path of ["a", "b", "c", "d", "e", "f", "g"]) await search("papaya", path);
  const { hits, searched } = await search("papaya");
  expect(hits.map(({ path }) => path).sort()).toEqual(["a.txt", "c.pdf", "e.txt", "f.txt"]);
  expect([...searched]).toEqual(["a.txt", "c.pdf", "e.txt"]);
  expect(await problemsOf(workspaceId)).toEqual({
    "a.txt": null,
    "b.txt": "too large",
    "c.pdf": null,
    "d.pdf": "too large",
    "e.txt": null,
    "f.txt": "only its beginning",
    "g.pdf": expect.stringMatching(/./),
  });
});

const long = (letter: string, count = 1_500) => letter.repeat(count);
test.each([
  ["lines together", "a\nb", [[1, "a\nb"]]],
  [
    "a line that is too long, cut",
    `${long("x")}yy`,
    [
      [1, long("x")],
      [1, "yy"],
    ],
  ],
  [
    "whole lines",
    `one\n${long("z", 1_498)}`,
    [
      [1, "one\n"],
      [2, long("z", 1_498)],
    ],
  ],
  [
    "a line's end behind the last character",
    `${long("x")}\nyy`,
    [
      [1, `${long("x")}\n`],
      [2, "yy"],
    ],
  ],
  [
    "an empty line before a long one",
    `\n${long("z", 1_600)}`,
    [
      [1, `\n${long("z", 1_499)}`],
      [2, long("z", 101)],
    ],
  ],
  [
    "empty lines",
    `\n\n${long("z", 1_600)}`,
    [
      [3, long("z")],
      [3, long("z", 100)],
    ],
  ],
  ["without blank pieces", `${long(" ")}w`, [[1, "w"]]],
  [
    "many, in their order",
    long("x", 1_500 * 201),
    Array.from({ length: 201 }, () => [1, long("x")]),
  ],
])("a text is kept in pieces: %s", async (_, text, pieces) => {
  const { principal, workspaceId, search } = await workspaceOf({});
  const { id } = await save(principal, workspaceId, "a.txt", text);
  await search("x");
  const { rows } = await database.pool.query(
    "SELECT position, first_line, text FROM file_texts WHERE file_id = $1 ORDER BY position",
    [id],
  );
  expect(rows).toEqual(
    pieces.map(([first_line, text], position) => ({ position, first_line, text })),
  );
});

test.each(["replaced", "deleted"])(
  "a version that is %s while it is read leaves nothing",
  async (what) => {
    const { principal, workspaceId, search } = await workspaceOf({});
    const { id } = await save(principal, workspaceId, "a.txt", "quince");
    let reads = 0;
    afterRead = async () => {
      reads += 1;
      if (reads !== 2) return;
      if (what === "replaced") await save(principal, workspaceId, "a.txt", "medlar");
      else await deleteFile(principal, workspaceId, id);
    };
    expect(await search("quince")).toEqual({ hits: [], searched: new Set() });
    afterRead = async () => {};
    expect([reads, await rowsOf(id)]).toEqual([2, 0]);
  },
);
