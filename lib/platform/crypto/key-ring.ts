import "server-only";
import { z } from "zod";

const KEY_BYTES = 32;

/** The keys that open what was sealed, by id; only the current one seals. */
export type KeyRing = { currentId: string; keys: ReadonlyMap<string, Uint8Array> };

const ringSchema = z
  .array(z.strictObject({ id: z.string().regex(/^[A-Za-z0-9_-]{1,32}$/), key: z.base64() }))
  .min(1)
  .max(100);

/**
 * Reads `ENCRYPTION_KEYS`: JSON `[{"id", "key"}]`, each key 32 bytes in base64, the current one first.
 * @throws Error in one sentence, which never contains a key
 */
export function parseKeyRing(text: string): KeyRing {
  const entries = ringSchema.safeParse(readJson(text));
  if (!entries.success)
    throw new Error('ENCRYPTION_KEYS must be JSON like [{"id":"k1","key":"<32 bytes in base64>"}], the current key first.');
  const keys = new Map<string, Uint8Array>();
  for (const { id, key } of entries.data) {
    const bytes = Buffer.from(key, "base64");
    if (bytes.byteLength !== KEY_BYTES) throw new Error(`The key "${id}" in ENCRYPTION_KEYS must have ${KEY_BYTES} bytes.`);
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
