import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Decrypter, generateX25519Identity, identityToRecipient } from "age-encryption";
import { afterAll, beforeAll, expect, test } from "vitest";
import { restoreBackup } from "@/lib/domain/backup/restore-backup";
import { LEFT_OUT, writeBackup } from "@/lib/domain/backup/write-backup";
import { fileStore } from "@/lib/domain/blobs/stored-bytes";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import type { OpenWith } from "@/lib/platform/crypto/age-seal";
import { newId } from "@/lib/platform/ids";

const folder = mkdtempSync(join(tmpdir(), "backup-data-"));

let database: DomainDatabase;
let place: string;
beforeAll(async () => {
  database = await openDomainDatabase({ env: { DATA_DIR: folder } });
  place = await mkdtemp(join(tmpdir(), "backup-"));
  await writeFile(join(folder, "secrets.json"), secretsOf("old"), { mode: 0o600 });
});
afterAll(async () => {
  await database.close();
  await Promise.all([
    rm(place, { recursive: true, force: true }),
    rm(folder, { recursive: true, force: true }),
  ]);
});

function secretsOf(id: string): string {
  return JSON.stringify({
    NEXTAUTH_SECRET: "n",
    SIGNING_SECRET: "s",
    ENCRYPTION_KEYS: [{ id, key: randomBytes(32).fill(id).toString("base64") }],
  });
}

/**
 * What of a dump a restore leaves as it was: it ends sessions, and raises the number that says so.
 */
function lasting({ users = [], ...tables }: Record<string, string[]>): Record<string, string[]> {
  return {
    ...tables,
    users: users.map((row) => row.replace(/"session_version":\d+/, '"session_version":0')),
  };
}

/** Everything that the database holds, as text. */
async function dump(): Promise<Record<string, string[]>> {
  const { rows: tables } = await database.pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace
       AND relkind = 'r' AND relname <> ALL($1)`,
    [LEFT_OUT],
  );
  const rowsOf = async (name: string) =>
    (
      await database.pool.query<{ line: string }>(
        `SELECT row_to_json(t)::text AS line FROM "${name}" t ORDER BY 1`,
      )
    ).rows.map((row) => row.line);
  return Object.fromEntries(
    await Promise.all(tables.map(async ({ name }) => [name, await rowsOf(name)] as const)),
  );
}

async function storeFile(accountId: string, text: string): Promise<string> {
  const workspaceId = newId();
  const key = `${accountId}/${newId()}`;
  const stored = await fileStore().put(key, new Blob([text]).stream(), { maxBytes: 1_000_000 });
  await database.pool.query(
    "INSERT INTO workspaces (id, account_id, name, updated_at) VALUES ($1, $2, 'w', now())",
    [workspaceId, accountId],
  );
  await database.pool.query(
    `INSERT INTO workspace_files (id, account_id, workspace_id, path, size_bytes, content_type,
       sha256, storage_key, updated_at)
     VALUES ($1, $2, $3, 'a.txt', $4, 'text/plain', $5, $6, now())`,
    [newId(), accountId, workspaceId, stored.sizeBytes, stored.sha256, key],
  );
  return key;
}

async function emptyTheService(): Promise<void> {
  const names = Object.keys(await dump()).filter((name) => name !== "audit_events");
  await database.pool.query(
    `TRUNCATE ${names.map((name) => `"${name}"`).join(", ")} RESTART IDENTITY CASCADE`,
  );
  // The audit log lets nobody empty it but those who say so in their transaction.
  await database.pool.query(
    "BEGIN; SET LOCAL lathe.audit_removal = 'allowed'; DELETE FROM audit_events; COMMIT",
  );
  await rm(join(folder, "files"), { recursive: true, force: true });
}

test("a backup is there again, row for row and byte for byte, in any characters", async () => {
  const odd = 'line\u2028end \u{1f30d} \\ "quoted" \t\n end';
  const { accountId } = await database.account();
  await database.pool.query("UPDATE accounts SET name = $2 WHERE id = $1", [accountId, odd]);
  const key = await storeFile(accountId, odd);
  const vanished = await storeFile(accountId, "deleted while the backup runs");
  await fileStore().delete(vanished);
  await database.pool.query(
    "INSERT INTO engine_steps (run_id, id, op, name) VALUES ($1, 's', 'o', 'n')",
    [newId()],
  );
  const saved = await writeBackup(join(place, "one"));
  expect(saved.files).toBe(1);
  await expect(writeBackup(join(place, "one"))).rejects.toThrow("is not empty");
  await database.pool.query("DELETE FROM workspace_files WHERE storage_key = $1", [vanished]);
  const before = await dump();
  await expect(restoreBackup(join(place, "one"))).rejects.toThrow("has accounts");
  expect(await dump()).toEqual(before);

  await emptyTheService();
  await writeFile(join(folder, "secrets.json"), secretsOf("new"));
  expect(await restoreBackup(join(place, "one"))).toMatchObject({ rows: saved.rows, files: 1 });
  expect(lasting(await dump())).toEqual(lasting(before));
  expect(await new Response(await fileStore().read(key)).text()).toBe(odd);
  expect(await readFile(join(folder, "secrets.json"), "utf8")).toBe(secretsOf("old"));
  const { rows } = await database.pool.query(
    "INSERT INTO engine_steps (run_id, id, op, name) VALUES ($1, 's', 'o', 'n') RETURNING position",
    [newId()],
  );
  expect(Number(rows[0].position)).toBeGreaterThan(1);
});

test("what a process drove at the backup waits for a place after the restore", async () => {
  await database.account();
  const [asleep, waiting, ended] = [newId(), newId(), newId()];
  await database.pool.query(
    `INSERT INTO engine_runs (id, function_id, event_id, status, lane, key, owner, due_at)
     VALUES ($1, 'f', 'a', 'active', 'common', 'f', 7, NULL),
       ($2, 'f', 'b', 'active', 'common', 'f', NULL, now()),
       ($3, 'f', 'c', 'completed', 'common', 'f', 7, NULL)`,
    [asleep, waiting, ended],
  );
  await database.pool.query(
    "INSERT INTO engine_steps (run_id, id, op, name, due_at) VALUES ($1, 's', 'Sleep', 's', now())",
    [asleep],
  );
  await writeBackup(join(place, "mid-wait"));
  await emptyTheService();
  await restoreBackup(join(place, "mid-wait"));
  const { rows } = await database.pool.query(
    "SELECT id, owner, queued FROM engine_runs WHERE id = ANY($1) ORDER BY event_id",
    [[asleep, waiting, ended]],
  );
  expect(rows).toEqual([
    { id: asleep, owner: null, queued: true },
    { id: waiting, owner: null, queued: false },
    { id: ended, owner: null, queued: false },
  ]);
  await database.pool.query("DELETE FROM engine_runs");
});

test("a backup that is not whole, or not what was saved, changes nothing", async () => {
  await emptyTheService();
  await storeFile((await database.account()).accountId, "x");
  await writeBackup(join(place, "two"));
  await emptyTheService();
  await expect(restoreBackup(place)).rejects.toThrow("no whole backup");
  const table = join(place, "two", "tables", "accounts.ndjson");
  const text = await readFile(table, "utf8");
  await writeFile(table, "");
  await expect(restoreBackup(join(place, "two"))).rejects.toThrow("0 rows, not 1");
  await writeFile(table, text);
  await writeFile(join(place, "two", "files", "0"), "y");
  await expect(restoreBackup(join(place, "two"))).rejects.toThrow("is not the file that was saved");
  expect((await database.pool.query("SELECT 1 FROM accounts")).rowCount).toBe(0);
  const manifest = join(place, "two", "backup.json");
  await writeFile(
    manifest,
    (await readFile(manifest, "utf8")).replace(/"migration": "\d/, '"migration": "9'),
  );
  await expect(restoreBackup(join(place, "two"))).rejects.toThrow("Restore it with that version");
});

/** The names of all files below a folder. */
async function filesIn(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

async function rewrite(path: string, change: (value: never) => void): Promise<void> {
  const value = JSON.parse(await readFile(path, "utf8"));
  change(value as never);
  await writeFile(path, JSON.stringify(value));
}

test("a foreign backup names only tables and columns of ours, or changes nothing", async () => {
  await emptyTheService();
  await storeFile((await database.account()).accountId, "x");
  await emptySecret();
  const folderOf = join(place, "hostile");
  await writeBackup(folderOf);
  const manifest = await readFile(join(folderOf, "backup.json"), "utf8");
  await emptyTheService();
  const before = await dump();
  type Table = { name: string; columns: string[] };
  type Manifest = { tables: Table[]; files: { key: string }[] };
  const hostile: [string, (value: Manifest) => void][] = [
    [
      "the table",
      ({ tables }) =>
        tables.push({
          ...(tables[0] as Table),
          name: 'accounts" SELECT 1; CREATE TABLE pwned (); --',
        }),
    ],
    ["the table", ({ tables }) => tables.push({ ...(tables[0] as Table), name: "../../secrets" })],
    [
      "the table",
      ({ tables }) => tables.push({ ...(tables[0] as Table), name: "_prisma_migrations" }),
    ],
    ["the table", ({ tables }) => tables.push({ ...(tables[0] as Table), name: "pg_authid" })],
    ["twice", ({ tables }) => tables.push(tables[0] as Table)],
    [
      "the column",
      ({ tables }) => void tables[0]?.columns.push('id") SELECT 1; CREATE TABLE pwned (); --'),
    ],
    ["the column", ({ tables }) => void tables[0]?.columns.push("ctid")],
    ["the column", ({ tables }) => void tables[0]?.columns.push("id")],
    ["the column", ({ tables }) => void Object.assign(tables[0] as Table, { columns: [] })],
    ["the file", ({ files }) => files.push({ ...files[0], key: "../../../secrets.json" })],
  ];
  for (const [what, change] of hostile) {
    await writeFile(join(folderOf, "backup.json"), manifest);
    await rewrite(join(folderOf, "backup.json"), change);
    await expect(restoreBackup(folderOf)).rejects.toThrow(
      new RegExp(`The backup names .*${what}.*Nothing was changed`),
    );
  }
  expect(await dump()).toEqual(before);
  expect(
    (await database.pool.query("SELECT 1 FROM pg_class WHERE relname = 'pwned'")).rowCount,
  ).toBe(0);
  // Secrets that the next start would refuse do not take the place of those that are there.
  await writeFile(join(folderOf, "backup.json"), manifest);
  await writeFile(join(folderOf, "secrets.json"), "{}");
  await expect(restoreBackup(folderOf)).rejects.toThrow("secrets.json of the backup is not");
  for (const put of [
    (path: string) => symlink("/etc/hostname", path),
    async (path: string) => void execFileSync("mkfifo", [path]),
  ]) {
    await rm(join(folderOf, "tables/accounts.ndjson"));
    await put(join(folderOf, "tables/accounts.ndjson"));
    await expect(restoreBackup(folderOf)).rejects.toThrow(
      "accounts.ndjson of the backup has 0 rows, not 1",
    );
  }
  expect(await readFile(join(folder, "secrets.json"), "utf8")).toBe(secretsOf("old"));
  expect((await database.pool.query("SELECT 1 FROM accounts")).rowCount).toBe(0);
});

async function emptySecret(): Promise<void> {
  await writeFile(join(folder, "secrets.json"), secretsOf("old"), { mode: 0o600 });
}

test("a service started once, without accounts, takes a backup over what it wrote", async () => {
  await emptyTheService();
  await database.account();
  await startOnce("2026-11-01");
  await writeBackup(join(place, "fresh"));
  const before = await dump();
  await emptyTheService();
  await startOnce("2026-11-02");
  await restoreBackup(join(place, "fresh"));
  // The restore itself says where the files lie now.
  const { service_identity: identity, ...rest } = lasting(await dump());
  expect({ ...rest, service_identity: [] }).toEqual(lasting({ ...before, service_identity: [] }));
  expect(identity).toEqual([expect.stringContaining(await fileStore().identity())]);
});

/** What a start and an hour of an empty service leave behind. */
async function startOnce(at: string): Promise<void> {
  await database.pool.query("INSERT INTO engine_lanes (lane) VALUES ('fast')");
  await database.pool.query(
    "INSERT INTO hour_buckets (key, window_started_at, count) VALUES ('sign-up:127.0.0.1', $1, 3)",
    [at],
  );
  await database.pool.query(
    "INSERT INTO engine_steps (run_id, id, op, name) VALUES ($1, 's', 'o', 'n')",
    [newId()],
  );
  await database.pool.query(
    `INSERT INTO service_identity (key_id, key_fingerprint, file_store)
     VALUES ('k', 'f', 'disk:x')`,
  );
}

test("a service emptied of accounts takes their backup, each audit event once", async () => {
  await emptyTheService();
  await database.account();
  const event = `INSERT INTO audit_events (id, actor_kind, action, changes, created_at)
     VALUES ($1, 'operator', 'invitation.created', '{}', now())`;
  const [kept, later] = [newId(), newId()];
  await database.pool.query(event, [kept]);
  await writeBackup(join(place, "kept"));
  await database.pool.query("TRUNCATE accounts CASCADE");
  await database.pool.query(event, [later]);
  await restoreBackup(join(place, "kept"));
  const { rows } = await database.pool.query(
    "SELECT id FROM audit_events WHERE actor_kind = 'operator' ORDER BY id",
  );
  expect(rows.map(({ id }) => id)).toEqual([kept, later].sort());
  expect((await database.pool.query("SELECT 1 FROM accounts")).rowCount).toBe(1);
});

test("sessions and mailed links end with a restore; keys go on, unless revoked too", async () => {
  await emptyTheService();
  const { accountId, userId } = await database.account();
  await database.pool.query(
    `INSERT INTO user_sessions (id, user_id, account_id, version, address, user_agent, expires_at)
     VALUES ($1, $2, $3, 0, '::1', 'x', now() + interval '1 day')`,
    [newId(), userId, accountId],
  );
  await database.pool.query(
    "INSERT INTO user_tokens (id, user_id, purpose, hash, expires_at) VALUES ($1, $2, " +
      "'reset-password', '\\x01', now() + interval '1 day')",
    [newId(), userId],
  );
  const keys = `SELECT count(*)::int AS all,
       count(*) FILTER (WHERE revoked_at IS NULL)::int AS valid
     FROM api_keys`;
  await database.pool.query(
    "INSERT INTO api_keys (id, account_id, name, hash, prefix, last_four) VALUES ($1, $2, 'k', " +
      "'\\x02', 'svc_sk_', 'abcd')",
    [newId(), accountId],
  );
  await writeBackup(join(place, "access"));
  for (const revokeKeys of [false, true]) {
    await emptyTheService();
    expect(await restoreBackup(join(place, "access"), { revokeKeys })).toMatchObject({
      sessions_ended: 1,
      keys_revoked: revokeKeys ? 1 : 0,
    });
    const { rows } = await database.pool.query(
      `SELECT EXISTS (SELECT 1 FROM user_sessions s JOIN users u ON u.id = s.user_id
         WHERE s.version = u.session_version OR s.ended_at IS NULL) AS session,
         EXISTS (SELECT 1 FROM user_tokens WHERE used_at IS NULL) AS link`,
    );
    expect(rows).toEqual([{ session: false, link: false }]);
    expect((await database.pool.query(keys)).rows).toEqual([{ all: 1, valid: revokeKeys ? 0 : 1 }]);
  }
});

test("an open backup says that its keys lie clear, is its user's, or leaves them out", async () => {
  await emptyTheService();
  await emptySecret();
  await storeFile((await database.account()).accountId, "x");
  const saved = await writeBackup(join(place, "clear"));
  expect(saved).toMatchObject({
    sealed: false,
    keys: "in_clear",
    warning: expect.stringContaining("in clear"),
  });
  for (const path of await filesIn(join(place, "clear")))
    expect((await stat(path)).mode & 0o077, path).toBe(0);
  const without = await writeBackup(join(place, "without"), { withKeys: false });
  expect(without).toMatchObject({
    keys: "left_out",
    warning: expect.stringContaining("secrets.json"),
  });
  await emptyTheService();
  await writeFile(join(folder, "secrets.json"), secretsOf("new"));
  expect(await restoreBackup(join(place, "without"))).toMatchObject({ keys: "left_out" });
  expect(await readFile(join(folder, "secrets.json"), "utf8")).toBe(secretsOf("new"));
});

test("a sealed backup shows nothing, opens by its passphrase or identity", async () => {
  const identity = await generateX25519Identity();
  const recipient = await identityToRecipient(identity);
  const passphrase = "correct horse battery staple";
  const ways = [
    {
      name: "by passphrase",
      sealTo: { passphrase },
      openWith: { passphrase },
      wrong: { passphrase: "another" },
    },
    {
      name: "by recipient",
      sealTo: {
        recipients: [await identityToRecipient(await generateX25519Identity()), recipient],
      },
      openWith: { identities: `# created: 2026-11-23\n# public key: ${recipient}\n${identity}\n` },
      wrong: { identities: await generateX25519Identity() },
    },
  ];
  for (const { name, sealTo, openWith, wrong } of ways) {
    await emptyTheService();
    await emptySecret();
    const marker = "a tenant's own words";
    const { accountId } = await database.account();
    await database.pool.query("UPDATE accounts SET name = $2 WHERE id = $1", [accountId, marker]);
    const key = await storeFile(accountId, `${marker} `.repeat(20_000));
    const path = join(place, name);
    expect(await writeBackup(path, { sealTo })).toMatchObject({ sealed: true, keys: "sealed" });
    const before = await dump();
    const files = await filesIn(path);
    expect(files.filter((file) => !file.endsWith(".age"))).toEqual([join(path, "backup.json")]);
    for (const file of files) {
      const bytes = await readFile(file);
      for (const part of [marker, accountId, "ENCRYPTION_KEYS", "AGE-SECRET-KEY"])
        expect(bytes.includes(part), file).toBe(false);
    }
    const decrypter = new Decrypter();
    if (openWith.identities) decrypter.addIdentity(identity);
    else decrypter.addPassphrase(passphrase);
    const own = new Decrypter();
    own.addIdentity(
      (await decrypter.decrypt(await readFile(join(path, "key.age")), "text")).trim(),
    );
    expect(await own.decrypt(await readFile(join(path, "secrets.json.age")), "text")).toBe(
      secretsOf("old"),
    );

    await emptyTheService();
    await writeFile(join(folder, "secrets.json"), secretsOf("new"));
    await expect(restoreBackup(path)).rejects.toThrow("is sealed");
    await expect(restoreBackup(path, { openWith: wrong as OpenWith })).rejects.toThrow(
      "does not open",
    );
    await restoreBackup(path, { openWith: openWith as OpenWith, mustBeSealed: true });
    expect(lasting(await dump())).toEqual(lasting(before));
    expect(await new Response(await fileStore().read(key)).text()).toBe(
      `${marker} `.repeat(20_000),
    );
    expect(await readFile(join(folder, "secrets.json"), "utf8")).toBe(secretsOf("old"));
  }
});

test("a sealed part cut, changed or of another backup of the key restores nothing", async () => {
  await emptyTheService();
  await emptySecret();
  const { accountId } = await database.account();
  await storeFile(accountId, "first".repeat(50_000));
  const identities = await generateX25519Identity();
  const sealTo = { recipients: [await identityToRecipient(identities)] };
  for (const name of ["sealed", "other"]) await writeBackup(join(place, name), { sealTo });
  await emptyTheService();
  const path = join(place, "sealed");
  for (const part of [
    "tables/accounts.ndjson.age",
    "files/0.age",
    "secrets.json.age",
    "contents.json.age",
  ]) {
    const whole = await readFile(join(path, part));
    const flipped = Buffer.from(whole);
    flipped[flipped.length - 20] = (flipped.at(-20) ?? 0) ^ 1;
    for (const bytes of [
      whole.subarray(0, whole.length - 30),
      flipped,
      await readFile(join(place, "other", part)),
      Buffer.alloc(0),
    ]) {
      await writeFile(join(path, part), bytes);
      await expect(restoreBackup(path, { openWith: { identities } }), part).rejects.toThrow(
        /Nothing was changed/,
      );
    }
    await writeFile(join(path, part), whole);
  }
  expect((await database.pool.query("SELECT 1 FROM accounts")).rowCount).toBe(0);
  await writeBackup(join(place, "unsealed"));
  await expect(
    restoreBackup(join(place, "unsealed"), { openWith: { identities }, mustBeSealed: true }),
  ).rejects.toThrow("is not sealed");
  await expect(
    writeBackup(join(place, "nobody"), {
      sealTo: { recipients: [await generateX25519Identity()] },
    }),
  ).rejects.toThrow("age1");
});
