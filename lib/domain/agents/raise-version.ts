import "server-only";
import { hasAtMostCharacters } from "@/lib/model/has-at-most-characters";
import { VERSION_MAX_CHARACTERS } from "@/lib/model/limits";

/** `1.4.9` → `1.4.10`; a version without a last number, or without room for a longer one, gets one. */
export function raiseVersion(version: string): string {
  const match = /^(.*?)(\d+)$/s.exec(version);
  const raised = match ? `${match[1]}${BigInt(match[2] ?? 0) + 1n}` : `${version}.1`;
  if (hasAtMostCharacters(raised, VERSION_MAX_CHARACTERS)) return raised;
  const characters = [...version].slice(0, VERSION_MAX_CHARACTERS - 2);
  return `${characters.join("")}.1`;
}
