/** Characters that a reader cannot see or that turn the reading direction; line ends are the layout's own. */
const UNSEEN = /(?!\n)(?:[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]|\u034f|\u17b4|\u17b5)/gu;

/**
 * JSON for a person to judge: indented, and whatever would not show itself (direction marks, zero-width and control characters)
 * written as its escape, so that nothing can hide between the letters. It stays valid JSON.
 */
export function toShownJson(value: unknown): string {
  return (JSON.stringify(value, null, 2) ?? "null").replace(UNSEEN, escapeUnits);
}

function escapeUnits(character: string): string {
  return Array.from({ length: character.length }, (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`).join("");
}
