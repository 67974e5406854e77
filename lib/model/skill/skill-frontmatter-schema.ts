import { z } from "zod";

const NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** An optional text; an empty one counts as left out. */
const note = (maxCharacters: number) =>
  z
    .string()
    .max(maxCharacters)
    .nullable()
    .optional()
    .transform((text) => text?.trim() || null);

/** A key with nothing behind it arrives as an empty text. */
function emptyToNull(value: unknown): unknown {
  return value === "" ? null : value;
}

/**
 * The frontmatter of a SKILL.md. Every scalar arrives as text. Keys that the format does not know are passed over: skills made
 * for other hosts carry some.
 */
export const skillFrontmatterSchema = z.object({
  name: z.string().min(1).max(64).regex(NAME, "Must be of lower-case letters, digits and single hyphens between them."),
  description: z.string().trim().min(1).max(1_024),
  license: note(500),
  compatibility: note(500),
  metadata: z.preprocess(
    emptyToNull,
    z
      .record(z.string().min(1).max(100), z.string().max(2_000))
      .refine((map) => Object.keys(map).length <= 50, "Has at most 50 keys.")
      .nullish(),
  ),
  "allowed-tools": z.preprocess(emptyToNull, z.union([z.string().max(4_000), z.array(z.string().min(1).max(200)).max(100)]).nullish()),
});
