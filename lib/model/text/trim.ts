/**
 * Takes characters off the ends of a text, by looking at each once: a pattern such as `/\/+$/`
 * looks at a run of them again from each of its places.
 */

/** The text without those of `characters` that stand at its end. */
export function trimEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** The text without those of `characters` that stand at its beginning or its end. */
export function trimBoth(text: string, characters: string): string {
  let start = 0;
  while (start < text.length && characters.includes(text.charAt(start))) start += 1;
  return trimEnd(text.slice(start), characters);
}

/** An address without slashes at its end. */
export function withoutTrailingSlashes(address: string): string {
  return trimEnd(address, "/");
}
