import "server-only";
import { BUILT_IN_SKILLS } from "@/lib/runtime/skills/built-in/built-in-skills";

export interface RunSkill {
  name: string;
  description: string;
}

/** What all descriptions together may take of a model's context. */
const DESCRIPTIONS_MAX_CHARACTERS = 40_000;

/**
 * Names and descriptions of the skills that an account's runs may read, by name. With very many of them each description is shortened.
 * @param own those that the account has installed and switched on
 */
export function listRunSkills(own: readonly RunSkill[]): RunSkill[] {
  const builtIns = BUILT_IN_SKILLS.map(({ skill: { name, description } }) => ({ name, description }));
  const all = [...own, ...builtIns].sort((a, b) => (a.name < b.name ? -1 : 1));
  const characters = all.reduce((sum, { description }) => sum + description.length, 0);
  if (characters <= DESCRIPTIONS_MAX_CHARACTERS) return all;
  const most = Math.floor(DESCRIPTIONS_MAX_CHARACTERS / all.length);
  return all.map(({ name, description }) => ({ name, description: description.slice(0, most).toWellFormed() }));
}
