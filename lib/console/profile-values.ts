import { z } from "zod";
import type { ProductProfile } from "@/lib/client/schemas";

const SENTENCE_MAX_CHARACTERS = 1000;
const TEXT_MAX_CHARACTERS = 20_000;
const ENTRIES_MAX = 50;
const WEB_ADDRESS = /^https?:\/\//i;

const text = (max: number) =>
  z.string().max(max, `At most ${max.toLocaleString("en")} characters.`);
const isWebAddress = (value: string): boolean => WEB_ADDRESS.test(value) && URL.canParse(value);

type ProfileLink = Exclude<ProductProfile["links"][number], string>;

/** The profile as its form holds it: one text a field, colours and links one a line. */
export const profileValuesSchema = z.object({
  name: text(255),
  tagline: text(SENTENCE_MAX_CHARACTERS),
  description: text(TEXT_MAX_CHARACTERS),
  audience: text(TEXT_MAX_CHARACTERS),
  tone: text(TEXT_MAX_CHARACTERS),
  instructions: text(TEXT_MAX_CHARACTERS),
  colors: z
    .string()
    .refine((value) => linesOf(value).length <= ENTRIES_MAX, `At most ${ENTRIES_MAX} colours.`)
    .refine(
      (value) => linesOf(value).every((line) => line.length <= 64),
      "A colour has at most 64 characters.",
    ),
  logo_url: z
    .string()
    .refine(
      (value) => value.trim() === "" || isWebAddress(value.trim()),
      "An address that begins with https:// or http://.",
    ),
  links: z
    .string()
    .refine((value) => linesOf(value).length <= ENTRIES_MAX, `At most ${ENTRIES_MAX} links.`)
    .superRefine((value, context) => {
      const broken = linesOf(value).find((line) => !isWebAddress(line.split(/\s+/, 1)[0] ?? ""));
      if (broken !== undefined)
        context.addIssue({
          code: "custom",
          message: `“${broken.slice(0, 80)}” does not begin with an http or https address.`,
        });
    }),
});

export type ProfileValues = z.infer<typeof profileValuesSchema>;

export function toProfileValues(profile: ProductProfile): ProfileValues {
  return {
    name: profile.name ?? "",
    tagline: profile.tagline ?? "",
    description: profile.description ?? "",
    audience: profile.audience ?? "",
    tone: profile.tone ?? "",
    instructions: profile.instructions ?? "",
    colors: profile.brand.colors.join("\n"),
    logo_url: profile.brand.logo_url ?? "",
    links: profile.links.map(toLine).join("\n"),
  };
}

/**
 * The whole profile of what the form holds; an empty text is null. A link keeps the other texts
 * that it had (the API takes any), as long as its line keeps the address.
 */
export function toProductProfile(values: ProfileValues, before: ProductProfile): ProductProfile {
  const known = before.links.filter((link) => typeof link !== "string");
  const orNull = (value: string) => value.trim() || null;
  return {
    name: orNull(values.name),
    tagline: orNull(values.tagline),
    description: orNull(values.description),
    audience: orNull(values.audience),
    tone: orNull(values.tone),
    instructions: orNull(values.instructions),
    brand: { colors: linesOf(values.colors), logo_url: orNull(values.logo_url) },
    links: linesOf(values.links).map((line) => toLink(line, known)),
  };
}

/** The lines that say something. */
export function linesOf(value: string): string[] {
  return value
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function toLine(link: string | ProfileLink): string {
  if (typeof link === "string") return link;
  return link.title ? `${link.url} ${link.title.replaceAll(/\s+/g, " ").trim()}` : link.url;
}

function toLink(line: string, known: ProfileLink[]): string | ProfileLink {
  const [url = line] = line.split(/\s+/, 1);
  const title = line.slice(url.length).trim();
  const { title: _before, ...kept } = known.find((link) => link.url === url) ?? { url };
  if (title !== "") return { ...kept, url, title };
  return Object.keys(kept).length > 1 ? { ...kept, url } : url;
}
