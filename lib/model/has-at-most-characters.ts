/** Whether a text has at most `max` characters, counted in code points: an emoji is one, as in JSON Schema's `maxLength`. */
export function hasAtMostCharacters(text: string, max: number): boolean {
  if (text.length <= max) return true;
  if (text.length > 2 * max) return false;
  let characters = 0;
  for (const _ of text) characters += 1;
  return characters <= max;
}
