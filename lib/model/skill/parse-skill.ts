import { z } from "zod";
import { loadYaml } from "@/lib/model/agent-config/yaml/load-yaml";
import { type TextError, toPosition } from "@/lib/model/agent-config/yaml/scan-yaml";
import { FRONTMATTER_MAX_CHARACTERS, splitFrontmatter } from "@/lib/model/skill/split-frontmatter";

/**
 * A skill as its SKILL.md says it (Agent Skills format). `content` is the whole file, `body` what
 * follows the frontmatter.
 */
export type Skill = {
  name: string;
  description: string;
  license: string | null;
  compatibility: string | null;
  metadata: Record<string, string>;
  /**
   * Tools that the skill says it uses, or null when it says nothing. A note for the reader, never a
   * permission.
   */
  allowedTools: string[] | null;
  body: string;
  content: string;
};

/** Largest SKILL.md, in bytes of UTF-8. */
export const SKILL_MAX_BYTES = 262_144;

/** What `parseSkill` answers: at most 20 errors, with their lines in the whole file. */
export type ParsedSkill = { ok: true; skill: Skill } | { ok: false; errors: TextError[] };

const NUL_OR_LONE_SURROGATE = /\0|[\uD800-\uDFFF]/u;
const ERRORS_MAX = 20;

/** Reads a SKILL.md, which may be hostile: bounded like every YAML text, and nothing is thrown. */
export function parseSkill(content: string): ParsedSkill {
  const bad = findBadContent(content);
  if (bad !== null) return bad;
  const split = splitFrontmatter(content);
  if (split === null)
    return refuse(
      "A SKILL.md starts with frontmatter: a line ---, then name and description, then a line ---.",
    );
  const loaded = loadYaml(split.frontmatter, {
    maxCharacters: FRONTMATTER_MAX_CHARACTERS,
    maxValues: 500,
    scalars: "text",
  });
  if (!loaded.ok) return { ok: false, errors: loaded.errors.map(belowFence) };
  const parsed = skillFrontmatterSchema.safeParse(loaded.value);
  if (!parsed.success) {
    // Paths of JSON hold no symbols.
    const issues = parsed.error.issues
      .slice(0, ERRORS_MAX)
      .map(({ path, message }) => ({ path: path as (string | number)[], message }));
    return { ok: false, errors: issues.map(loaded.errorAt).map(belowFence) };
  }
  const {
    name,
    description,
    license,
    compatibility,
    metadata,
    "allowed-tools": tools,
  } = parsed.data;
  const allowedTools = typeof tools === "string" ? splitToolList(tools) : (tools ?? null);
  return {
    ok: true,
    skill: {
      name,
      description,
      license,
      compatibility,
      metadata: metadata ?? {},
      allowedTools,
      body: split.body,
      content,
    },
  };
}

function findBadContent(content: string): ParsedSkill | null {
  const isTooLong =
    content.length > SKILL_MAX_BYTES || new TextEncoder().encode(content).length > SKILL_MAX_BYTES;
  if (isTooLong) return refuse(`A SKILL.md has at most ${SKILL_MAX_BYTES} bytes.`);
  const bad = NUL_OR_LONE_SURROGATE.exec(content);
  if (bad === null) return null;
  return {
    ok: false,
    errors: [
      {
        path: "",
        message: "NUL characters and halves of surrogate pairs are not allowed.",
        ...toPosition(content, bad.index),
      },
    ],
  };
}

function belowFence(error: TextError): TextError {
  return { ...error, line: error.line + 1 };
}

function refuse(message: string): ParsedSkill {
  return { ok: false, errors: [{ path: "", message, line: 1, column: 1 }] };
}

/**
 * The names in a list such as `Read, Bash(git add:*) Write`: divided by spaces or commas that stand
 * in no parentheses.
 */
export function splitToolList(text: string): string[] {
  const names: string[] = [];
  let name = "";
  let depth = 0;
  for (const character of text) {
    if (character === "(") depth += 1;
    if (character === ")") depth = Math.max(0, depth - 1);
    const isBreak = depth === 0 && (character === "," || character.trim() === "");
    if (!isBreak) name += character;
    else if (name !== "") names.push(name);
    if (isBreak) name = "";
  }
  return name === "" ? names : [...names, name];
}

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
 * The frontmatter of a SKILL.md. Every scalar arrives as text. Keys that the format does not know
 * are passed over: skills made for other hosts carry some.
 */
const skillFrontmatterSchema = z.object({
  name: z
    .string()
    .min(1)
    .max(64)
    .regex(NAME, "Must be of lower-case letters, digits and single hyphens between them."),
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
  "allowed-tools": z.preprocess(
    emptyToNull,
    z.union([z.string().max(4_000), z.array(z.string().min(1).max(200)).max(100)]).nullish(),
  ),
});
