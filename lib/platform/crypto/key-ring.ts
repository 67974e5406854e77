import "server-only";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";

const KEY_BYTES = 32;

/** The keys that open what was sealed, by id; only the current one seals. */
export type KeyRing = { currentId: string; keys: ReadonlyMap<string, Uint8Array> };

const ringSchema = z
  .array(z.strictObject({ id: z.string().regex(/^[A-Za-z0-9_-]{1,32}$/), key: z.base64() }))
  .min(1)
  .max(100);

/**
 * Reads `ENCRYPTION_KEYS`: JSON `[{"id", "key"}]`, each key 32 bytes in base64, the current one
 * first.
 * @throws Error in one sentence, which never contains a key
 */
export function parseKeyRing(text: string): KeyRing {
  const entries = ringSchema.safeParse(readJson(text));
  if (!entries.success)
    throw new Error(
      'ENCRYPTION_KEYS must be JSON like [{"id":"k1","key":"<32 bytes in base64>"}], the ' +
        "current key first.",
    );
  const keys = new Map<string, Uint8Array>();
  for (const { id, key } of entries.data) {
    const bytes = Buffer.from(key, "base64");
    if (bytes.byteLength !== KEY_BYTES)
      throw new Error(`The key "${id}" in ENCRYPTION_KEYS must have ${KEY_BYTES} bytes.`);
    if (keys.has(id)) throw new Error(`The key id "${id}" stands twice in ENCRYPTION_KEYS.`);
    keys.set(id, bytes);
  }
  return { currentId: entries.data[0]?.id ?? "", keys };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** One key as it is written: 32 bytes in base64. */
interface RingEntry {
  id: string;
  key: string;
}

/** Tells one state of the file from any other: each write makes a new file. */
export function ringFileStamp(path: string): string {
  const { ino, mtimeNs, size } = statSync(path, { bigint: true });
  return `${ino}.${mtimeNs}.${size}`;
}

/**
 * The ring that the generated secrets of a data folder hold. @throws Error in one sentence, which
 * never contains a key
 */
export function readRingFile(path: string): { ring: KeyRing; entries: RingEntry[] } {
  const text = JSON.stringify(readSecrets(path).ENCRYPTION_KEYS);
  const ring = parseKeyRing(text);
  return { ring, entries: JSON.parse(text) as RingEntry[] }; // the ring's schema has just read it
}

/**
 * Replaces the ring among the generated secrets; the others stay. Whoever reads at the time, and a
 * crash at any moment, finds the old file or the whole new one, and what was written survives a
 * loss of power: nothing may be sealed with a key before it is kept. Owner and mode stay as they
 * are.
 */
export function writeRingFile(path: string, entries: readonly RingEntry[]): void {
  replaceFile(
    path,
    `${JSON.stringify({ ...readSecrets(path), ENCRYPTION_KEYS: entries }, null, 2)}\n`,
    statSync(path),
  );
}

/**
 * Puts generated secrets from elsewhere, a backup's, in the place of those of a data folder, as
 * `writeRingFile` does.
 * @throws Error in one sentence when `text` does not hold such secrets: nothing is replaced then
 */
export function replaceSecretsFile(path: string, text: string): void {
  const secrets = readJson(text);
  if (typeof secrets !== "object" || secrets === null)
    throw new Error("The file of secrets is no JSON object.");
  // An object, by the line above.
  parseKeyRing(JSON.stringify((secrets as Record<string, unknown>).ENCRYPTION_KEYS));
  const there = statSync(path, { throwIfNoEntry: false });
  replaceFile(path, text, there ?? { ...statSync(dirname(path)), mode: 0o600 });
}

function replaceFile(
  path: string,
  text: string,
  { uid, gid, mode }: { uid: number; gid: number; mode: number },
): void {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
  try {
    const handle = openSync(draft, "wx", 0o600);
    try {
      writeFileSync(handle, text);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    // By root, on behalf of the service's own user.
    if (process.getuid?.() === 0) chownSync(draft, uid, gid);
    chmodSync(draft, mode & 0o777);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  syncFolder(dirname(path));
}

/**
 * The renamed entry itself. Not every system can do that to a folder; those keep renames in order
 * by themselves.
 */
function syncFolder(path: string): void {
  try {
    const handle = openSync(path, "r");
    fsyncSync(handle);
    closeSync(handle);
  } catch {
    // The file's own content has been synced above.
  }
}

function readSecrets(path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(path, "utf8"));
}
