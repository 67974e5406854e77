import "server-only";
import { createHash } from "node:crypto";

/** The id of the run that an event starts of a function: the same pair gives the same id, so that one event starts a function once. */
export function runIdOf(functionId: string, eventId: string): string {
  const bytes = createHash("sha256").update(`${functionId}\n${eventId}`).digest().subarray(0, 16);
  bytes[6] = 0x80 | ((bytes[6] ?? 0) & 0x0f); // version 8, RFC 9562 §5.8
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
