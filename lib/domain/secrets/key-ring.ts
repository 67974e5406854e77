import "server-only";
import { env } from "@/lib/env";
import { type KeyRing, parseKeyRing } from "@/lib/platform/crypto/key-ring";
import { once } from "@/lib/platform/once";

/** The keys that stored secrets are sealed with, of ENCRYPTION_KEYS. */
export function keyRing(): KeyRing {
  return once("key-ring", () => parseKeyRing(env().ENCRYPTION_KEYS));
}
