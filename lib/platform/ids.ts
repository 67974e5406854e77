import "server-only";
import { randomFillSync } from "node:crypto";

const ID_BYTES = 16;
/** Random bytes for 256 ids: asking the system for each id costs more than all else about it. */
const supply = Buffer.alloc(256 * ID_BYTES);
let used = supply.length;

/**
 * A UUIDv7 in lower case: sorts by time to the millisecond, random below it (RFC 9562 §5.7). By
 * hand, as the `uuid` package has no `firstIdAt`.
 */
export function newId(now: number = Date.now()): string {
  if (used === supply.length) {
    randomFillSync(supply);
    used = 0;
  }
  const bytes = supply.subarray(used, used + ID_BYTES);
  used += ID_BYTES;
  bytes.writeUIntBE(now, 0, 6);
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const hex = bytes.toString("hex");
  return (
    `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-` +
    `${hex.slice(20)}`
  );
}

/**
 * The least UUIDv7 of a millisecond: rows with ids of `newId` made from then on have this id or a
 * greater one.
 */
export function firstIdAt(time: number): string {
  const hex = Math.max(0, Math.trunc(time)).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
