import { loadYaml } from "@/lib/model/agent-config/yaml/load-yaml";
import { type TextError, toPosition } from "@/lib/model/agent-config/yaml/text-error";
import type { Skill } from "./skill";
import { skillFrontmatterSchema } from "./skill-frontmatter-schema";
import { FRONTMATTER_MAX_CHARACTERS, splitFrontmatter } from "./split-frontmatter";
import { splitToolList } from "./split-tool-list";

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
  if (split === null) return refuse("A SKILL.md starts with frontmatter: a line ---, then name and description, then a line ---.");
  const loaded = loadYaml(split.frontmatter, { maxCharacters: FRONTMATTER_MAX_CHARACTERS, maxValues: 500, scalars: "text" });
  if (!loaded.ok) return { ok: false, errors: loaded.errors.map(belowFence) };
  const parsed = skillFrontmatterSchema.safeParse(loaded.value);
  if (!parsed.success) {
    // Paths of JSON hold no symbols.
    const issues = parsed.error.issues.slice(0, ERRORS_MAX).map(({ path, message }) => ({ path: path as (string | number)[], message }));
    return { ok: false, errors: issues.map(loaded.errorAt).map(belowFence) };
  }
  const { name, description, license, compatibility, metadata, "allowed-tools": tools } = parsed.data;
  const allowedTools = typeof tools === "string" ? splitToolList(tools) : (tools ?? null);
  return {
    ok: true,
    skill: { name, description, license, compatibility, metadata: metadata ?? {}, allowedTools, body: split.body, content },
  };
}

function findBadContent(content: string): ParsedSkill | null {
  const isTooLong = content.length > SKILL_MAX_BYTES || new TextEncoder().encode(content).length > SKILL_MAX_BYTES;
  if (isTooLong) return refuse(`A SKILL.md has at most ${SKILL_MAX_BYTES} bytes.`);
  const bad = NUL_OR_LONE_SURROGATE.exec(content);
  if (bad === null) return null;
  return {
    ok: false,
    errors: [{ path: "", message: "NUL characters and halves of surrogate pairs are not allowed.", ...toPosition(content, bad.index) }],
  };
}

function belowFence(error: TextError): TextError {
  return { ...error, line: error.line + 1 };
}

function refuse(message: string): ParsedSkill {
  return { ok: false, errors: [{ path: "", message, line: 1, column: 1 }] };
}
