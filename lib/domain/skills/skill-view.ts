import "server-only";
import type { Principal } from "@/lib/domain/principal";
import { ServiceError } from "@/lib/model/errors";
import { postgres } from "@/lib/platform/postgres";
import { BUILT_IN_SKILLS, type BuiltInSkill } from "@/lib/runtime/skills/built-in/built-in-skills";
import type { Skill } from "@/lib/storage/generated/client";
import { prisma } from "@/lib/storage/prisma";

/** A skill as it is listed, whether the account's own or a built-in one. */
export interface SkillView {
  id: string;
  name: string;
  description: string;
  source: "custom" | "built_in";
  enabled: boolean;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

/** The columns of a custom skill's view: not its text, which may be long. */
export const SKILL_VIEW = {
  id: true,
  name: true,
  description: true,
  enabled: true,
  version: true,
  createdAt: true,
  updatedAt: true,
} as const;

export function toCustomView(row: Pick<Skill, keyof typeof SKILL_VIEW>): SkillView {
  return { ...row, source: "custom" };
}

export function toBuiltInView({ skillId, version, createdAt, skill }: BuiltInSkill): SkillView {
  const { name, description } = skill;
  return {
    id: skillId,
    name,
    description,
    source: "built_in",
    enabled: true,
    version,
    createdAt,
    updatedAt: createdAt,
  };
}

/** The built-in skill of an id; null when there is none. */
export function findBuiltIn(skillId: string): BuiltInSkill | null {
  return BUILT_IN_SKILLS.find((skill) => skill.skillId === skillId) ?? null;
}

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
  const row = await prisma().skill.findFirst({
    where: { id: skillId, accountId: principal.accountId },
  });
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

export interface RunSkill {
  name: string;
  description: string;
}

/** What all descriptions together may take of a model's context. */
const DESCRIPTIONS_MAX_CHARACTERS = 40_000;

/** Which skills a run may read, of those that there are. */
interface SkillChoice {
  /** Null: the config names none, and all that are of use to it count. */
  names: readonly string[] | null;
  /** The tools that the run has: a built-in skill is of use with all that it works by. */
  tools: readonly string[];
}

/**
 * Names and descriptions of the skills that an account's runs may read, by name. With very many of
 * them each description is shortened.
 * @param own those that the account has installed and switched on
 * @param choice absent: all of them
 */
export function listRunSkills(own: readonly RunSkill[], choice?: SkillChoice): RunSkill[] {
  const isUseful = ({ skill }: BuiltInSkill) =>
    !choice ||
    choice.names !== null ||
    (skill.allowedTools ?? []).every((tool) => choice.tools.includes(tool));
  const builtIns = BUILT_IN_SKILLS.filter(isUseful).map(({ skill: { name, description } }) => ({
    name,
    description,
  }));
  const all = [...own, ...builtIns]
    .filter(({ name }) => choice?.names?.includes(name) ?? true)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const characters = all.reduce((sum, { description }) => sum + description.length, 0);
  if (characters <= DESCRIPTIONS_MAX_CHARACTERS) return all;
  const most = Math.floor(DESCRIPTIONS_MAX_CHARACTERS / all.length);
  return all.map(({ name, description }) => ({
    name,
    description: description.slice(0, most).toWellFormed(),
  }));
}
