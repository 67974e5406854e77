import { z } from "zod";
import {
  DESCRIPTION_MAX_CHARACTERS,
  NAME_MAX_CHARACTERS,
  SKILL_CONTENT_MAX_BYTES,
  SKILL_CONTENT_MAX_CHARACTERS,
  VERSION_MAX_CHARACTERS,
} from "@/lib/model/limits";
import { WRITE_AUTONOMIES } from "@/lib/model/write-autonomy";

const utf8 = new TextEncoder();

/** One agent as a document that is exported and imported. `config` and `dashboard_template` have formats of their own. */
export const agentDocumentSchema = z
  .strictObject({
    kind: z.literal("agent", 'must be "agent"'),
    format: z.literal(1, "must be 1, the format that this service reads"),
    name: z.string("must be a text").min(1, "must have 1 to 255 characters").max(NAME_MAX_CHARACTERS, "must have 1 to 255 characters"),
    description: z
      .string("must be a text or null")
      .max(DESCRIPTION_MAX_CHARACTERS, `must have at most ${DESCRIPTION_MAX_CHARACTERS} characters`)
      .nullable()
      .default(null),
    version: z
      .string("must be a text: put a number into quotes")
      .min(1, "must have 1 to 64 characters")
      .max(VERSION_MAX_CHARACTERS, "must have 1 to 64 characters")
      .default("1.0.0"),
    write_autonomy: z.enum(WRITE_AUTONOMIES, `must be one of ${WRITE_AUTONOMIES.join(", ")}`).default("approval_required"),
    skill_content: z
      .string("must be a text")
      .max(SKILL_CONTENT_MAX_CHARACTERS, `must have at most ${SKILL_CONTENT_MAX_CHARACTERS} characters`)
      .refine((text) => utf8.encode(text).length <= SKILL_CONTENT_MAX_BYTES, `must have at most ${SKILL_CONTENT_MAX_BYTES} bytes of UTF-8`),
    config: z.record(z.string(), z.unknown(), "must be an agent config").default({ version: 1 }),
    dashboard_template: z.record(z.string(), z.unknown(), "must be a dashboard template or null").nullable().default(null),
  })
  .meta({ id: "AgentDocument" });

export type AgentDocument = z.output<typeof agentDocumentSchema>;
