import "server-only";
import { env } from "@/lib/env";
import {
  type KeyRing,
  parseKeyRing,
  readRingFile,
  ringFileStamp,
} from "@/lib/platform/crypto/key-ring";
import type { Queryable } from "@/lib/platform/postgres";
import { definePart } from "@/lib/service";

/** "lathe key ring": no other lock of this database has the pair. */
const RING_LOCK = [0x6c61_7468, 0x7269_6e67] as const;

export const heldRing = definePart("key-ring", (): { stamp: string; ring: KeyRing | null } => ({
  ...{ stamp: "", ring: null },
}));

/**
 * The keys that stored values are sealed with: of `ENCRYPTION_KEYS`, or of the file of generated
 * secrets, read anew whenever it has changed. A key that this process has seen it keeps, so that a
 * value that was read just before the last rotation still opens. Ask for the ring after the value
 * has been read.
 */
export function keyRing(): KeyRing {
  const path = env().ENCRYPTION_KEYS_FILE;
  const held = heldRing();
  if (path === "") held.ring ??= parseKeyRing(env().ENCRYPTION_KEYS);
  else {
    const stamp = ringFileStamp(path);
    if (held.ring === null || held.stamp !== stamp) {
      const { ring } = readRingFile(path);
      held.ring = {
        currentId: ring.currentId,
        keys: new Map([...(held.ring?.keys ?? []), ...ring.keys]),
      };
      held.stamp = stamp; // taken before reading: a change between the two is seen by the next call
    }
  }
  return held.ring;
}

/**
 * The ring for a value that `tx` is about to store. Until the transaction ends no other key becomes
 * the current one, so nothing is ever sealed with a key that a rotation is about to retire. Take it
 * first in the transaction, before any row's lock.
 */
export async function sealingRing(tx: Queryable): Promise<KeyRing> {
  await tx.query({
    name: "seal-lock",
    text: "SELECT pg_advisory_xact_lock_shared($1, $2)",
    values: [...RING_LOCK],
  });
  return keyRing();
}

/**
 * Waits until no transaction is about to store a sealed value, and lets none begin until `tx` has
 * ended: for a change of the current key.
 */
export async function lockKeyRing(tx: Queryable): Promise<void> {
  await tx.query("SELECT pg_advisory_xact_lock($1, $2)", [...RING_LOCK]);
}

/** What a webhook secret is bound to beside its account. No account secret has such a name. */
export const WEBHOOK_SECRET_SCOPE = "webhook-signing";

/** What the secret of an authenticator app is bound to beside its account. */
export const TOTP_SCOPE = "totp";
