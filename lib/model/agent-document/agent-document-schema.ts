import { z } from "zod";
import {
  DESCRIPTION_MAX_CHARACTERS,
  NAME_MAX_CHARACTERS,
  SKILL_CONTENT_MAX_BYTES,
  SKILL_CONTENT_MAX_CHARACTERS,
  VERSION_MAX_CHARACTERS,
} from "@/lib/model/limits";
import { textOf } from "@/lib/model/text-of";
import { WRITE_AUTONOMIES } from "@/lib/model/write-autonomy";

const utf8 = new TextEncoder();

/** One agent as a document that is exported and imported. `config` and `dashboard_template` have formats of their own. */
export const agentDocumentSchema = z
  .strictObject({
    kind: z.literal("agent", 'must be "agent"'),
    format: z.literal(1, "must be 1, the format that this service reads"),
    name: textOf(NAME_MAX_CHARACTERS, { min: 1, message: `must have 1 to ${NAME_MAX_CHARACTERS} characters` }),
    description: textOf(DESCRIPTION_MAX_CHARACTERS, { type: "must be a text or null" }).nullable().default(null),
    version: textOf(VERSION_MAX_CHARACTERS, {
      min: 1,
      message: `must have 1 to ${VERSION_MAX_CHARACTERS} characters`,
      type: "must be a text: put a number into quotes",
    }).default("1.0.0"),
    write_autonomy: z.enum(WRITE_AUTONOMIES, `must be one of ${WRITE_AUTONOMIES.join(", ")}`).default("approval_required"),
    skill_content: textOf(SKILL_CONTENT_MAX_CHARACTERS).refine(
      (text) => utf8.encode(text).length <= SKILL_CONTENT_MAX_BYTES,
      `must have at most ${SKILL_CONTENT_MAX_BYTES} bytes of UTF-8`,
    ),
    config: z.record(z.string(), z.unknown(), "must be an agent config").default({ version: 1 }),
    dashboard_template: z.record(z.string(), z.unknown(), "must be a dashboard template or null").nullable().default(null),
  })
  .meta({ id: "AgentDocument" });

export type AgentDocument = z.output<typeof agentDocumentSchema>;
