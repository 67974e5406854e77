/** A skill as lists carry it (contract §8). */
export interface Skill {
  skill_id: string;
  name: string;
  description: string;
  source: "custom" | "built_in";
  enabled: boolean;
  version: number;
  created_at: string;
  updated_at: string;
}

/** One skill, fetched singly. */
export interface SkillDetail extends Skill {
  /** The whole SKILL.md. */
  content: string;
  files: { path: string; size_bytes: number }[];
}
