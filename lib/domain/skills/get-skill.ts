import "server-only";
import type { Principal } from "@/lib/domain/principal";
import { findBuiltIn, type SkillView, toBuiltInView, toCustomView } from "@/lib/domain/skills/skill-view";
import { ServiceError } from "@/lib/model/errors";
import { postgres } from "@/lib/platform/postgres";
import { prisma } from "@/lib/storage/prisma";

/** A skill with its text and the files beside it. */
export interface SkillDetail extends SkillView {
  /** The whole SKILL.md. */
  content: string;
  files: { path: string; sizeBytes: number }[];
}

/** A skill of the account, or a built-in one. @throws ServiceError SKILL_NOT_FOUND */
export async function getSkill(principal: Principal, skillId: string): Promise<SkillDetail> {
  const builtIn = findBuiltIn(skillId);
  if (builtIn) return { ...toBuiltInView(builtIn), content: builtIn.skill.content, files: [] };
  const row = await prisma().skill.findFirst({ where: { id: skillId, accountId: principal.accountId } });
  if (!row) throw skillNotFound();
  return { ...toCustomView(row), content: row.content, files: await listFiles(skillId) };
}

export function skillNotFound(): ServiceError {
  return new ServiceError("SKILL_NOT_FOUND", "There is no such skill.");
}

/** Names and sizes only: the bytes stay where they are. */
async function listFiles(skillId: string): Promise<SkillDetail["files"]> {
  const { rows } = await postgres().query<{ path: string; size: number }>(
    "SELECT path, octet_length(bytes) AS size FROM skill_files WHERE skill_id = $1 ORDER BY path",
    [skillId],
  );
  return rows.map((row) => ({ path: row.path, sizeBytes: row.size }));
}
