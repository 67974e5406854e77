import "server-only";
import { BUILT_IN_SKILLS, type BuiltInSkill } from "@/lib/runtime/skills/built-in/built-in-skills";
import type { Skill } from "@/lib/storage/generated/client";

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
  return { id: skillId, name, description, source: "built_in", enabled: true, version, createdAt, updatedAt: createdAt };
}

/** The built-in skill of an id; null when there is none. */
export function findBuiltIn(skillId: string): BuiltInSkill | null {
  return BUILT_IN_SKILLS.find((skill) => skill.skillId === skillId) ?? null;
}
