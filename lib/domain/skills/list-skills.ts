import "server-only";
import { type Page, type PageRequest, readCursor, rowsToRead, toPage } from "@/lib/domain/page";
import type { Principal } from "@/lib/domain/principal";
import {
  SKILL_VIEW,
  type SkillView,
  toBuiltInView,
  toCustomView,
} from "@/lib/domain/skills/skill-view";
import { BUILT_IN_SKILLS } from "@/lib/runtime/skills/built-in/built-in-skills";
import { prisma } from "@/lib/storage/prisma";

/** The account's skills and the built-in ones in one list, newest first. */
export async function listSkills(
  principal: Principal,
  page: PageRequest,
): Promise<Page<SkillView>> {
  const before = readCursor(page.cursor);
  const rows = await prisma().skill.findMany({
    where: { accountId: principal.accountId, ...(before && { id: { lt: before } }) },
    select: SKILL_VIEW,
    orderBy: { id: "desc" },
    take: rowsToRead(page),
  });
  const builtIns = BUILT_IN_SKILLS.filter(({ skillId }) => before === null || skillId < before).map(
    toBuiltInView,
  );
  // Ids of both kinds begin with their time, so one order holds for all.
  const all = [...rows.map(toCustomView), ...builtIns].sort((a, b) => (a.id < b.id ? 1 : -1));
  return toPage(all, page.limit, (skill) => skill.id);
}
