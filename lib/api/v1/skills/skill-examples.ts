import "server-only";
import type { z } from "zod";
import { EXAMPLE_IDS } from "@/lib/api/v1/schemas/example-ids";
import type { skillDetailSchema, skillSchema } from "@/lib/api/v1/skills/skill-schema";

export const EXAMPLE_SKILL_TEXT =
  "---\nname: invoice-check\ndescription: Checks invoices. Use it for any bill.\n---\n\n# Checking\n\n1. Add the lines up.\n";

export const EXAMPLE_SKILL: z.output<typeof skillSchema> = {
  skill_id: EXAMPLE_IDS.skill_id,
  name: "invoice-check",
  description: "Checks invoices. Use it for any bill.",
  source: "custom",
  enabled: true,
  version: 1,
  created_at: "2026-01-31T09:00:00.000Z",
  updated_at: "2026-01-31T09:00:00.000Z",
};

export const EXAMPLE_SKILL_DETAIL: z.output<typeof skillDetailSchema> = {
  ...EXAMPLE_SKILL,
  content: EXAMPLE_SKILL_TEXT,
  files: [{ path: "references/vat.md", size_bytes: 2048 }],
};
