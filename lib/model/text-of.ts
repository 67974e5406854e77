import { z } from "zod";

/**
 * A text of at most `max` characters, and `min` at least, counted as the published `maxLength` is:
 * in code points. `message` says so in words.
 */
export function textOf(
  max: number,
  { min = 0, message = `must have at most ${max} characters`, type = "must be a text" } = {},
) {
  return z
    .string(type)
    .refine((text) => text.length >= min && hasAtMostCharacters(text, max), {
      message,
      abort: true,
    })
    .meta({ ...(min > 0 && { minLength: min }), maxLength: max });
}

/**
 * Whether a text has at most `max` characters, counted in code points: an emoji is one, as in JSON
 * Schema's `maxLength`.
 */
export function hasAtMostCharacters(text: string, max: number): boolean {
  if (text.length <= max) return true;
  if (text.length > 2 * max) return false;
  let characters = 0;
  for (const _ of text) characters += 1;
  return characters <= max;
}
