import "server-only";
import { randomUUID } from "node:crypto";

const SEGMENT = "[a-z0-9][a-z0-9_-]{0,63}";
const KEY = new RegExp(`^${SEGMENT}(/${SEGMENT}){0,7}$`);

/** A key for new bytes of this owner: `<owner>/<two characters>/<random>`; the middle keeps folders small. `owner` is an account's id. */
export function newFileKey(owner: string): string {
  const name = randomUUID();
  return requireFileKey(`${owner}/${name.slice(0, 2)}/${name}`);
}

/**
 * Lower case, digits, `_` and `-` in at most eight segments: no key can leave the store's folder, and none differs from another only by
 * case. @throws TypeError, which is a fault of ours: keys are never made of what users send
 */
export function requireFileKey(key: string): string {
  if (!KEY.test(key)) throw new TypeError("not a key of the file store");
  return key;
}

/** Whether `newFileKey` may have made it: in a bucket there may be things of others. */
export function isOwnFileKey(key: string): boolean {
  const match = /^[0-9a-f-]{36}\/([0-9a-f]{2})\/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/.exec(key);
  return match !== null && match[2]?.startsWith(match[1] ?? "-") === true;
}
