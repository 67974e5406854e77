import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import {
  adoptFileStore,
  adoptKeyRing,
  isServiceRunning,
  requireIdentity,
  requireStopped,
} from "@/lib/domain/admin/service-identity";
import { fileStore } from "@/lib/domain/blobs/stored-bytes";
import type { Principal } from "@/lib/domain/principal";
import { createSecret } from "@/lib/domain/secrets/create-secret";
import { heldRing } from "@/lib/domain/secrets/key-ring";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { insertEndedRun } from "@/lib/domain/test/insert-ended-run";
import { LIFE_LOCK, SILENCE_SECONDS } from "@/lib/engine/processes";
import { parseKeyRing } from "@/lib/platform/crypto/key-ring";
import { createDiskFileStore } from "@/lib/storage/files/disk-file-store";

const K1 = { id: "k1", key: Buffer.alloc(32, 1).toString("base64") };
const K2 = { id: "k2", key: Buffer.alloc(32, 2).toString("base64") };
let database: DomainDatabase;
let owner: Principal;
let folder: string;

/** As a process that was started with these keys, and this folder for files. */
function startWith(keys: readonly { id: string; key: string }[], files = folder): Promise<void> {
  database.service.give(heldRing, { stamp: "", ring: parseKeyRing(JSON.stringify(keys)) });
  database.service.give(fileStore, createDiskFileStore(files));
  return requireIdentity();
}

const newFolder = () => mkdtempSync(join(tmpdir(), "lathe-identity-"));

beforeEach(async () => {
  await database?.close();
  database = await openDomainDatabase({ env: { ENCRYPTION_KEYS: JSON.stringify([K1]) } });
  folder = newFolder();
  await startWith([K1]);
  owner = await database.account();
});
afterAll(() => database.close());

const useSecret = () =>
  createSecret(owner, { name: "A", value: "x", description: null, allowedHosts: ["a.example"] });

test("the keys and store of the database start again, a newer key first or behind", async () => {
  await useSecret();
  await insertEndedRun(owner, new Date());
  for (const keys of [[K1], [K1, K2], [K2, K1], [K2]]) await startWith(keys);
});

test("a ring without the sealing key, or another of its name, is refused", async () => {
  await useSecret();
  await expect(startWith([K2])).rejects.toThrow(
    /sealed with the key k1, which is not in ENCRYPTION_KEYS; .+ by "npm run -s admin -- secrets adopt"\.$/,
  );
  await expect(startWith([{ id: "k1", key: K2.key }])).rejects.toThrow(
    /the key k1, which is another one in ENCRYPTION_KEYS/,
  );
  await startWith([K1]);
  await expect(startWith([K2])).rejects.toMatchObject({ name: "SettingsError" });
  expect(await adoptKeyRing()).toEqual({ key_id: "k2" });
  await startWith([K2]);
  await expect(startWith([K1])).rejects.toThrow("sealed with the key k2");
});

test("another store is refused while there are files, until they are moved", async () => {
  const { storageKey, fileKey } = await insertEndedRun(owner, new Date());
  const other = newFolder();
  await expect(startWith([K1], other)).rejects.toThrow(
    /^The files of this database lie in disk:[0-9a-f-]{36}, and this process would look for them in disk:/,
  );
  await expect(adoptFileStore()).rejects.toMatchObject({
    code: "CONFLICT",
    message: expect.stringContaining(storageKey),
  });
  await createDiskFileStore(other).put(storageKey, new Blob(["bytes"]).stream(), { maxBytes: 100 });
  await expect(adoptFileStore()).rejects.toMatchObject({
    message: expect.stringContaining(fileKey),
  });
  await createDiskFileStore(other).put(fileKey, new Blob([]).stream(), { maxBytes: 100 });
  expect(await adoptFileStore()).toMatchObject({ files: 2 });
  await startWith([K1], other);
  await expect(startWith([K1])).rejects.toMatchObject({ name: "SettingsError" });
  await database.pool.query("TRUNCATE artifacts");
  await expect(startWith([K1])).rejects.toMatchObject({ name: "SettingsError" });
  await database.pool.query("TRUNCATE run_files");
  await startWith([K1]);
});

test("a database without secrets or files takes what it is given", async () => {
  await startWith([K2], newFolder());
  await startWith([K1]);
});

test("a service runs while a process of it beats; silent ones do not count", async () => {
  const { pool } = database;
  const seen = (ago: number | null) =>
    pool.query(
      `INSERT INTO engine_processes (seen_at) VALUES (clock_timestamp() - make_interval(secs => $1))
       RETURNING id`,
      [ago],
    );
  expect(await isServiceRunning(pool)).toBe(false);
  await seen(SILENCE_SECONDS + 1);
  await requireStopped(pool, "it reads.");
  // Of an older version: it beats by holding the lock of its number.
  const older: number = (await seen(null)).rows[0].id;
  expect(await isServiceRunning(pool)).toBe(false);
  const holder = await pool.connect();
  try {
    await holder.query("SELECT pg_advisory_lock($1, $2)", [LIFE_LOCK, older + 1]);
    await holder.query("SELECT pg_advisory_lock($1, $2)", [LIFE_LOCK + 1, older]);
    expect(await isServiceRunning(pool)).toBe(false);
    await holder.query("SELECT pg_advisory_lock($1, $2)", [LIFE_LOCK, older]);
    expect(await isServiceRunning(pool)).toBe(true);
    await holder.query("SELECT pg_advisory_unlock_all()");
  } finally {
    holder.release();
  }
  expect(await isServiceRunning(pool)).toBe(false);
  await seen(0);
  await expect(requireStopped(pool, "it reads the keys at its start.")).rejects.toMatchObject({
    code: "CONFLICT",
    message: "A service runs on this database. Stop it first: it reads the keys at its start.",
  });
});
