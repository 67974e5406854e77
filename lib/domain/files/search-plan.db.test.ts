import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAccount } from "@/lib/domain/account/create-account";
import { storeBytes } from "@/lib/domain/blobs/stored-bytes";
import { commitFile } from "@/lib/domain/files/save-file";
import { searchWorkspace } from "@/lib/domain/files/search-files";
import { systemPrincipal } from "@/lib/domain/principal";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { ExplainingPool } from "@/lib/domain/test/explaining-pool";
import { createWorkspace } from "@/lib/domain/workspaces/create-workspace";
import { createDiskFileStore } from "@/lib/storage/files/disk-file-store";

/**
 * Workspaces of other accounts, each with a file of pieces, of which a third hold the word; and
 * files of the own one that do not.
 */
const OTHERS = 100;
const OWN_FILES = 200;
const PIECES = 100;
/**
 * Each file of the own workspace, and the pieces that hold the word; far from all pieces of either.
 */
const MOST_ROWS = 1_000;

let database: DomainDatabase;
let pool: ExplainingPool;

beforeAll(async () => {
  database = await openDomainDatabase({
    files: createDiskFileStore(mkdtempSync(join(tmpdir(), "lathe-search-plan-"))),
    pool: (connectionString) => {
      pool = new ExplainingPool({ connectionString, max: 5 });
      return pool;
    },
  });
});
afterAll(async () => {
  await database.close();
});

async function fill(
  accountId: string,
  files: number,
  word: string,
  workspaceId: string | null,
): Promise<void> {
  if (workspaceId === null)
    await pool.query(
      `INSERT INTO workspaces (id, account_id, name, updated_at)
       SELECT gen_random_uuid(), $1, 'other', now() FROM generate_series(1, $2)`,
      [accountId, files],
    );
  await pool.query(
    `INSERT INTO workspace_files (id, account_id, workspace_id, path, size_bytes, content_type,
       sha256, storage_key, updated_at)
     SELECT gen_random_uuid(), w.account_id, w.id, n || '.txt', 1, 'text/plain', '',
       w.id || '/' || n, now()
     FROM workspaces w, generate_series(1, $2) n WHERE w.account_id = $1`,
    [accountId, workspaceId === null ? 1 : files],
  );
  await pool.query(
    `INSERT INTO file_indexes (file_id, account_id, storage_key)
     SELECT id, account_id, storage_key FROM workspace_files WHERE account_id = $1`,
    [accountId],
  );
  await pool.query(
    `INSERT INTO file_texts (file_id, position, account_id, reference, text, words)
     SELECT f.id, n, f.account_id, '', $3,
       to_tsvector('simple', $3) || to_tsvector('english',
       $3) || array_to_tsvector(ARRAY['workspace:' || f.workspace_id])
     FROM workspace_files f, generate_series(1, $2) n WHERE f.account_id = $1`,
    [accountId, PIECES, word],
  );
}

test("a search reads its own workspace's pieces with the word, among any others", async () => {
  const [own, other] = [await createAccount(account("own")), await createAccount(account("other"))];
  await fill(other.accountId, OTHERS, "plums", null);
  await fill((await createAccount(account("third"))).accountId, 2 * OTHERS, "figs", null);
  const principal = systemPrincipal(own.accountId);
  const { id: workspaceId } = await createWorkspace(principal, { name: "W", description: null });
  await fill(own.accountId, OWN_FILES, "pears", workspaceId);
  await pool.query("VACUUM ANALYZE");
  const stored = await storeBytes(own.accountId, new Blob(["plums\n".repeat(2_000)]).stream());
  await commitFile(principal, workspaceId, {
    path: "mine.txt",
    contentType: null,
    stored,
    countsAsWrite: false,
  });
  const search = () =>
    searchWorkspace(
      { accountId: own.accountId, workspaceId },
      "plums",
      "",
      new AbortController().signal,
    );
  const { hits } = await search();
  expect(hits.map(({ path }) => path)).toEqual(Array(8).fill("mine.txt"));
  const reads = await pool.watch(search);
  expect(reads.some(({ table }) => table === "file_texts")).toBe(true);
  for (const { table, rows, node } of reads)
    expect.soft(rows, `${node} of ${table}`).toBeLessThan(MOST_ROWS);
});

function account(name: string) {
  return { email: `${name}@example.test`, password: null, credits: 1 };
}
