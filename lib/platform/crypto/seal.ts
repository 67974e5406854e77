import "server-only";
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { KeyRing } from "@/lib/platform/crypto/key-ring";

/**
 * What a sealed value belongs to. It is bound in: copied to another account's or another name's
 * row, the value no longer opens.
 */
export type SealScope = { accountId: string; name: string };

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SHAPE = /^s1\.([A-Za-z0-9_-]{1,32})\.([A-Za-z0-9_-]+)$/;

/**
 * A sealed value that does not open: damaged, of another account or name, or its key has left the
 * ring. Tells no more than that.
 */
export class SealBroken extends Error {
  override readonly name = "SealBroken";

  constructor() {
    super("The sealed value cannot be opened.");
  }
}

/**
 * Encrypts with the ring's current key (AES-256-GCM, a random nonce each time). The answer is text:
 * `s1.<key id>.<base64url>`.
 */
export function seal(ring: KeyRing, plaintext: string, scope: SealScope): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", keyOf(ring, ring.currentId), nonce, {
    authTagLength: TAG_BYTES,
  });
  cipher.setAAD(bindingOf(ring.currentId, scope));
  const sealed = Buffer.concat([
    nonce,
    cipher.update(plaintext, "utf8"),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
  return `s1.${ring.currentId}.${sealed.toString("base64url")}`;
}

/** @throws SealBroken */
export function openSealed(ring: KeyRing, sealed: string, scope: SealScope): string {
  const [, keyId = "", text = ""] = SHAPE.exec(sealed) ?? [];
  const bytes = Buffer.from(text, "base64url");
  if (bytes.byteLength < NONCE_BYTES + TAG_BYTES) throw new SealBroken();
  try {
    const decipher = createDecipheriv(
      "aes-256-gcm",
      keyOf(ring, keyId),
      bytes.subarray(0, NONCE_BYTES),
      { authTagLength: TAG_BYTES },
    );
    decipher.setAAD(bindingOf(keyId, scope));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    return Buffer.concat([
      decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)),
      decipher.final(),
    ]).toString("utf8");
  } catch {
    throw new SealBroken();
  }
}

/**
 * Whether the value was sealed with another key than the current one, and so should be opened and
 * sealed anew.
 */
export function needsRotation(ring: KeyRing, sealed: string): boolean {
  return sealedBy(sealed) !== ring.currentId;
}

/** The id of the key that sealed a value; empty for what no key sealed. */
export function sealedBy(sealed: string): string {
  return SHAPE.exec(sealed)?.[1] ?? "";
}

function keyOf(ring: KeyRing, id: string): Uint8Array {
  const key = ring.keys.get(id);
  if (key === undefined) throw new SealBroken();
  return key;
}

/** JSON keeps the parts apart: no account and name read together like another pair. */
function bindingOf(keyId: string, scope: SealScope): Buffer {
  return Buffer.from(JSON.stringify(["s1", keyId, scope.accountId, scope.name]), "utf8");
}
