import "server-only";
import { z } from "zod";
import { AGENT_CONFIG_JSON_SCHEMA } from "@/lib/model/agent-config/agent-config-json-schema";
import type { JsonObject } from "@/lib/model/json-schema/json-value";
import { DESCRIPTION_MAX_CHARACTERS, NAME_MAX_CHARACTERS, SKILL_CONTENT_MAX_CHARACTERS } from "@/lib/model/limits";
import { WRITE_AUTONOMIES } from "@/lib/model/write-autonomy";

/** A tool that only proposes: the domain checks what it carries and stores it, or answers what is wrong. */
export interface ProposalTool<Schema extends z.ZodType> {
  name: string;
  description: string;
  inputSchema: JsonObject;
  schema: Schema;
}

const loose = z.record(z.string(), z.unknown());
const name = z.string().trim().min(1).max(NAME_MAX_CHARACTERS);
const description = z.string().max(DESCRIPTION_MAX_CHARACTERS);
const skill = z.string().min(1).max(SKILL_CONTENT_MAX_CHARACTERS);

const LEFT_OUT_MAX = 20;
const LEFT_OUT_MAX_CHARACTERS = 500;

const createAgentSchema = z.strictObject({
  name,
  description,
  skill_content: skill,
  config: loose,
  dashboard_template: loose.nullable().optional(),
  write_autonomy: z.enum(WRITE_AUTONOMIES),
  left_out: z.array(z.string().min(1).max(LEFT_OUT_MAX_CHARACTERS)).max(LEFT_OUT_MAX).optional(),
});

const editAgentSchema = z.strictObject({
  name: name.optional(),
  description: description.nullable().optional(),
  skill_content: skill.optional(),
  config: loose.optional(),
  dashboard_template: loose.nullable().optional(),
  write_autonomy: z.enum(WRITE_AUTONOMIES).optional(),
  summary: z.string().min(1).max(2000),
});

export type CreateAgentArgs = z.infer<typeof createAgentSchema>;
export type EditAgentArgs = z.infer<typeof editAgentSchema>;

const { $schema: _dialect, ...configSchema } = AGENT_CONFIG_JSON_SCHEMA as Record<string, unknown>; // vendors refuse the dialect's name inside a tool

const PROPERTIES = {
  name: { type: "string", minLength: 1, maxLength: NAME_MAX_CHARACTERS },
  description: { type: "string", maxLength: DESCRIPTION_MAX_CHARACTERS },
  skill_content: { type: "string", minLength: 1, description: "The agent's skill as Markdown." },
  config: configSchema as JsonObject, // JSON by its making
  dashboard_template: { type: ["object", "null"], description: "Only when a dashboard is asked for." },
  write_autonomy: { type: "string", enum: [...WRITE_AUTONOMIES] },
} satisfies JsonObject;

export const CREATE_AGENT_TOOL: ProposalTool<typeof createAgentSchema> = {
  name: "create_agent",
  description: "Create the agent that the person asked for.",
  inputSchema: {
    type: "object",
    properties: {
      ...PROPERTIES,
      left_out: {
        type: "array",
        maxItems: LEFT_OUT_MAX,
        items: { type: "string", minLength: 1, maxLength: LEFT_OUT_MAX_CHARACTERS },
        description: "What of the request the agent does not do or still needs, and why. The person reads it.",
      },
    },
    required: ["name", "description", "skill_content", "config", "write_autonomy"],
    additionalProperties: false,
  },
  schema: createAgentSchema,
};

export const EDIT_AGENT_TOOL: ProposalTool<typeof editAgentSchema> = {
  name: "edit_agent",
  description: "Change the agent. Give only the fields that change, each as a whole, and a summary.",
  inputSchema: {
    type: "object",
    properties: {
      ...PROPERTIES,
      description: { type: ["string", "null"], maxLength: DESCRIPTION_MAX_CHARACTERS },
      summary: { type: "string", minLength: 1, maxLength: 2000, description: "What changed, in a sentence or two." },
    },
    required: ["summary"],
    additionalProperties: false,
  },
  schema: editAgentSchema,
};
