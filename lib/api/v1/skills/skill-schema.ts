import "server-only";
import { z } from "zod";
import { idField, timeField } from "@/lib/api/v1/schemas/fields";
import type { SkillDetail } from "@/lib/domain/skills/get-skill";
import type { SkillView } from "@/lib/domain/skills/skill-view";

export const skillSchema = z
  .object({
    skill_id: idField,
    name: z.string().meta({ example: "invoice-check" }),
    description: z.string(),
    source: z.enum(["custom", "built_in"]),
    enabled: z.boolean(),
    version: z.number().int().meta({ description: "Grows by 1 with each replacement." }),
    created_at: timeField,
    updated_at: timeField,
  })
  .meta({ id: "Skill" });

export const skillDetailSchema = skillSchema
  .extend({
    content: z.string().meta({ description: "The whole SKILL.md." }),
    files: z.array(z.object({ path: z.string(), size_bytes: z.number().int() })).meta({ description: "The files beside SKILL.md." }),
  })
  .meta({ id: "SkillDetail" });

export function toSkill(skill: SkillView) {
  return {
    skill_id: skill.id,
    name: skill.name,
    description: skill.description,
    source: skill.source,
    enabled: skill.enabled,
    version: skill.version,
    created_at: skill.createdAt.toISOString(),
    updated_at: skill.updatedAt.toISOString(),
  };
}

export function toSkillDetail(skill: SkillDetail) {
  return { ...toSkill(skill), content: skill.content, files: skill.files.map(({ path, sizeBytes }) => ({ path, size_bytes: sizeBytes })) };
}
