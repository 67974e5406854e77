import "server-only";
import { createHmac } from "node:crypto";
import { findMissingFiles } from "@/lib/domain/blobs/blob-audit";
import { fileStore } from "@/lib/domain/blobs/stored-bytes";
import { keyRing } from "@/lib/domain/secrets/key-ring";
import { LIFE_LOCK, SILENCE_SECONDS } from "@/lib/engine/processes";
import { env, SettingsError } from "@/lib/env";
import { ServiceError } from "@/lib/model/errors";
import type { KeyRing } from "@/lib/platform/crypto/key-ring";
import { postgres, type Queryable, transaction } from "@/lib/platform/postgres";

interface Identity {
  key_id: string;
  key_fingerprint: string;
  file_store: string;
}

/** Tells a key from any other that has its id, without giving it away. */
function fingerprint(key: Uint8Array): string {
  return createHmac("sha256", key).update("lathe key ring").digest("hex").slice(0, 32);
}

/**
 * Looks whether this process has the key ring and the file store of its database, and remembers
 * them for an empty one. The ring fits when it holds the key that the database's values are sealed
 * with now; it may have a newer one first, which is remembered in its place.
 * @throws SettingsError, one sentence: with another ring no secret opens, with another store no
 * file is found
 */
export async function requireIdentity(): Promise<void> {
  const ring = keyRing();
  const store = await fileStore().identity();
  await transaction(async (tx) => {
    await tx.query(
      `INSERT INTO service_identity (id, key_id, key_fingerprint, file_store) VALUES (1, $1, $2, $3)
       ON CONFLICT (id) DO NOTHING`,
      [ring.currentId, currentFingerprint(ring), store],
    );
    const { rows } = await tx.query<Identity & { has_secrets: boolean; has_files: boolean }>(
      `SELECT key_id, key_fingerprint, file_store, EXISTS (SELECT 1 FROM secrets)
         OR EXISTS (SELECT 1 FROM webhook_secrets) OR EXISTS (SELECT 1 FROM mcp_connections)
         OR EXISTS (SELECT 1 FROM totp_factors) AS has_secrets,
         EXISTS (SELECT 1 FROM workspace_files) OR EXISTS (SELECT 1 FROM artifacts)
         OR EXISTS (SELECT 1 FROM run_files) AS has_files FROM service_identity WHERE id = 1
       FOR UPDATE`,
    );
    const [known] = rows;
    if (!known) throw new Error("the service's identity was not stored");
    if (known.has_secrets) requireRing(known, ring);
    if (known.has_files) requireStore(known, store);
    await rememberKey(tx, ring);
    if (known.file_store !== store)
      await tx.query(
        "UPDATE service_identity SET file_store = $1, updated_at = now() WHERE id = 1",
        [store],
      );
  });
}

function currentFingerprint(ring: KeyRing): string {
  const key = ring.keys.get(ring.currentId);
  if (!key) throw new Error("a key ring without its current key");
  return fingerprint(key);
}

function requireRing(known: Identity, ring: KeyRing): void {
  const key = ring.keys.get(known.key_id);
  if (key && fingerprint(key) === known.key_fingerprint) return;
  const given = env().ENCRYPTION_KEYS_FILE === "" ? "ENCRYPTION_KEYS" : env().ENCRYPTION_KEYS_FILE;
  throw new SettingsError(
    `The secrets in this database are sealed with the key ${known.key_id}, which is ` +
      `${key ? "another one" : "not"} in ${given}; give this process the keys of the others, or, ` +
      'if they are lost, accept these by "npm run -s admin -- secrets adopt".',
  );
}

function requireStore(known: Identity, store: string): void {
  if (known.file_store === store) return;
  throw new SettingsError(
    `The files of this database lie in ${known.file_store}, and this process would look for them ` +
      `in ${store}; set S3_BUCKET, S3_ENDPOINT or DATA_DIR as the others have it, or, if you ` +
      'have moved them there, say so by "npm run -s admin -- files adopt".',
  );
}

/** Remembers the key that seals from now on. Call it before an older one leaves the ring. */
export async function rememberKey(tx: Queryable, ring: KeyRing): Promise<void> {
  await tx.query(
    `UPDATE service_identity SET key_id = $1, key_fingerprint = $2, updated_at = now()
     WHERE id = 1 AND (key_id, key_fingerprint) <> ($1, $2)`,
    [ring.currentId, currentFingerprint(ring)],
  );
}

/** Remembers the file store as the database's. */
export async function rememberStore(tx: Queryable, store: string): Promise<void> {
  await tx.query("UPDATE service_identity SET file_store = $1, updated_at = now() WHERE id = 1", [
    store,
  ]);
}

/**
 * The operator says that this process's ring is the database's from now on: what older keys sealed
 * stays closed unless they come back.
 */
export async function adoptKeyRing(): Promise<{ key_id: string }> {
  await rememberKey(postgres(), keyRing());
  return { key_id: keyRing().currentId };
}

/**
 * The operator says that the files lie in this process's store. @throws ServiceError CONFLICT where
 * bytes are missing there
 */
export async function adoptFileStore(): Promise<{ file_store: string; files: number }> {
  const { rows, missing } = await findMissingFiles();
  if (missing.length > 0)
    throw new ServiceError(
      "CONFLICT",
      `${missing.length} of ${rows} files are not in this store, ${missing[0]?.key} for one. ` +
        "Copy them there first; nothing was changed.",
    );
  const store = await fileStore().identity();
  await rememberStore(postgres(), store);
  return { file_store: store, files: rows };
}

/**
 * A process of the service beats; one of an older version, which does not, holds the advisory lock
 * of its number while it lives.
 */
const RUNNING = `
SELECT EXISTS (SELECT 1 FROM engine_processes p
  WHERE p.seen_at > clock_timestamp() - interval '${SILENCE_SECONDS} seconds'
  OR (p.seen_at IS NULL AND EXISTS (SELECT 1 FROM pg_locks l WHERE l.locktype = 'advisory'
        AND l.granted AND l.classid = ${LIFE_LOCK} AND l.objid = p.id
    AND l.database = (SELECT oid FROM pg_database
      WHERE datname = current_database())))) AS running`;

export async function isServiceRunning(on: Queryable): Promise<boolean> {
  const { rows } = await on.query<{ running: boolean }>(RUNNING);
  return rows[0]?.running ?? false;
}

/** @throws ServiceError CONFLICT while a service works on this database */
export async function requireStopped(on: Queryable, why: string): Promise<void> {
  if (await isServiceRunning(on))
    throw new ServiceError("CONFLICT", `A service runs on this database. Stop it first: ${why}`);
}
