import "server-only";
import { parseSkill } from "@/lib/model/skill/parse-skill";
import type { Skill } from "@/lib/model/skill/skill";
import { CSV_ANALYSIS } from "./csv-analysis";
import { REPORT_WRITING } from "./report-writing";
import { TASK_PLANNING } from "./task-planning";
import { WEB_RESEARCH } from "./web-research";

/** A skill that every account has, always on. Its id is the same in every installation, its `version` grows with its text. */
export type BuiltInSkill = { skillId: string; version: number; createdAt: Date; skill: Skill };

const CREATED_AT = new Date("2026-01-01T00:00:00.000Z");

/** The built-in skills, by name. */
export const BUILT_IN_SKILLS: readonly BuiltInSkill[] = [
  builtIn("019b76da-a800-7000-8000-000000000001", CSV_ANALYSIS),
  builtIn("019b76da-a800-7000-8000-000000000002", REPORT_WRITING),
  builtIn("019b76da-a800-7000-8000-000000000003", TASK_PLANNING),
  builtIn("019b76da-a800-7000-8000-000000000004", WEB_RESEARCH),
];

function builtIn(skillId: string, content: string): BuiltInSkill {
  const parsed = parseSkill(content);
  if (!parsed.ok) throw new Error(`A built-in skill is broken: ${JSON.stringify(parsed.errors)}`);
  return { skillId, version: 1, createdAt: CREATED_AT, skill: parsed.skill };
}
