import "server-only";
import { z } from "zod";
import { NAME_MAX_CHARACTERS } from "@/lib/model/limits";
import { textOf } from "@/lib/model/text-of";

const SENTENCE_MAX_CHARACTERS = 1000;
const TEXT_MAX_CHARACTERS = 20_000;
const URL_MAX_CHARACTERS = 2048;
const ENTRIES_MAX = 50;

const text = (max: number) => textOf(max).nullable().default(null);
const url = textOf(URL_MAX_CHARACTERS)
  .refine((value) => /^https?:\/\//i.test(value) && URL.canParse(value), "must be an http or https URL")
  .meta({ format: "uri" });

const link = z.union(
  [
    url,
    z
      .object({ url })
      .catchall(textOf(SENTENCE_MAX_CHARACTERS).nullable())
      .refine((value) => Object.keys(value).length <= 8, "may have at most 8 properties"),
  ],
  "must be an http or https URL, or an object with such a url",
);

const brand = z.strictObject({
  colors: z
    .array(textOf(64, { min: 1, message: "must have 1 to 64 characters" }))
    .max(ENTRIES_MAX, `may have at most ${ENTRIES_MAX} entries`)
    .default([]),
  logo_url: url.nullable().default(null),
});

/** The whole profile: what a PUT leaves out becomes null, `colors` and `links` empty. */
export const productProfileSchema = z
  .strictObject({
    name: text(NAME_MAX_CHARACTERS),
    tagline: text(SENTENCE_MAX_CHARACTERS),
    description: text(TEXT_MAX_CHARACTERS),
    audience: text(TEXT_MAX_CHARACTERS),
    tone: text(TEXT_MAX_CHARACTERS),
    instructions: text(TEXT_MAX_CHARACTERS),
    brand: brand.default({ colors: [], logo_url: null }),
    links: z
      .array(link)
      .max(ENTRIES_MAX, `may have at most ${ENTRIES_MAX} entries`)
      .default([])
      .meta({ description: "Each a URL, or an object with `url` and texts of your own, such as `title`." }),
  })
  .meta({ id: "ProductProfile", description: "Persona and brand of the account's product; the super-agent knows it." });
