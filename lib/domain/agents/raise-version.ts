import "server-only";
import { VERSION_MAX_CHARACTERS } from "@/lib/model/limits";

/** `1.4.9` → `1.4.10`; a version without a last number, or without room for a longer one, gets one. */
export function raiseVersion(version: string): string {
  const match = /^(.*?)(\d+)$/s.exec(version);
  const raised = match ? `${match[1]}${BigInt(match[2] ?? 0) + 1n}` : `${version}.1`;
  return raised.length <= VERSION_MAX_CHARACTERS ? raised : `${version.slice(0, VERSION_MAX_CHARACTERS - 2)}.1`;
}
