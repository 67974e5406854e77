import { z } from "zod";
import { hasAtMostCharacters } from "@/lib/model/has-at-most-characters";

/** A text of at most `max` characters, and `min` at least, counted as the published `maxLength` is: in code points. `message` says so in words. */
export function textOf(max: number, { min = 0, message = `must have at most ${max} characters`, type = "must be a text" } = {}) {
  return z
    .string(type)
    .refine((text) => text.length >= min && hasAtMostCharacters(text, max), { message, abort: true })
    .meta({ ...(min > 0 && { minLength: min }), maxLength: max });
}
