import "server-only";
import type { Principal } from "@/lib/domain/principal";
import type { SkillPackage } from "@/lib/domain/skills/install-skill";
import { workOnRequest } from "@/lib/domain/work-on-request";
import { ServiceError } from "@/lib/model/errors";

/**
 * A skill that is one SKILL.md alone. @throws ServiceError INVALID_INPUT with a detail for each
 * fault, its line and column in the message
 */
export async function readSkillText(
  { accountId }: Principal,
  content: string,
): Promise<SkillPackage> {
  const parsed = await workOnRequest("read-skill", content, {
    account: accountId,
    field: "content",
  });
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
