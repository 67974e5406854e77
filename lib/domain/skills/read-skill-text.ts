import "server-only";
import type { SkillPackage } from "@/lib/domain/skills/install-skill";
import { ServiceError } from "@/lib/model/errors";
import { parseSkill } from "@/lib/model/skill/parse-skill";

/**
 * A skill that is one SKILL.md alone. @throws ServiceError INVALID_INPUT with a detail for each
 * fault, its line and column in the message
 */
export function readSkillText(content: string): SkillPackage {
  const parsed = parseSkill(content);
  if (parsed.ok) return { skill: parsed.skill, files: [] };
  const details = parsed.errors.map(({ path, message, line, column }) => ({
    path: "content",
    message: `line ${line}, column ${column}${path === "" ? "" : `, ${path}`}: ${message}`,
  }));
  throw new ServiceError(
    "INVALID_INPUT",
    details.map(({ path, message }) => `${path}: ${message}`).join("; "),
    { details },
  );
}
