import "server-only";
import { z } from "zod";
import { AGENT_CONFIG_JSON_SCHEMA } from "@/lib/model/agent-config/agent-config-json-schema";
import { CHECK_TYPES } from "@/lib/model/evaluation/check-types";
import type { JsonObject } from "@/lib/model/json-schema/json-value";
import {
  DESCRIPTION_MAX_CHARACTERS,
  NAME_MAX_CHARACTERS,
  SKILL_CONTENT_MAX_CHARACTERS,
} from "@/lib/model/limits";
import { BUILD_NEEDS, BUILD_OUTCOMES } from "@/lib/model/run/run-result";
import { WRITE_AUTONOMIES } from "@/lib/model/write-autonomy";
import { GUIDE_TOPICS } from "@/lib/runtime/prompts/guides";

/**
 * A tool of a build, whose call the domain checks against `schema`; what does not fit is answered
 * with the places.
 */
export interface BuildTool<Schema extends z.ZodType = z.ZodType> {
  name: string;
  description: string;
  inputSchema: JsonObject;
  schema: Schema;
}

const loose = z.record(z.string(), z.unknown());
const name = z.string().trim().min(1).max(NAME_MAX_CHARACTERS);
const description = z.string().max(DESCRIPTION_MAX_CHARACTERS);
const skill = z.string().min(1).max(SKILL_CONTENT_MAX_CHARACTERS);

const NOTES_MAX = 20;
const NOTE_MAX_CHARACTERS = 1000;
const TEXT_MAX_CHARACTERS = 20_000;
const EDITS_MAX = 100;
/** That one build writes. */
const CASES_MAX = 5;

const notes = z.array(z.string().trim().min(1).max(NOTE_MAX_CHARACTERS)).max(NOTES_MAX);

const createAgentSchema = z.strictObject({
  name,
  description,
  skill_content: skill,
  config: loose,
  dashboard_template: loose.nullable().optional(),
  write_autonomy: z.enum(WRITE_AUTONOMIES),
  left_out: notes.optional(),
});

const pathSegment = z.union([z.string().max(500), z.number().int().nonnegative()]);

const configEditSchema = z
  .strictObject({
    path: z.union([z.string().min(1).max(2000), z.array(pathSegment).min(1).max(64)]),
    value: z.unknown().optional(),
    remove: z.literal(true).optional(),
  })
  .refine(
    (edit) => (edit.remove === true) !== Object.hasOwn(edit, "value"),
    "must have either value or remove: true",
  );

const editAgentSchema = z.strictObject({
  name: name.optional(),
  description: description.nullable().optional(),
  skill_edits: z
    .array(z.strictObject({ old: z.string().min(1), new: z.string() }))
    .min(1)
    .max(EDITS_MAX)
    .optional(),
  skill_content: skill.optional(),
  config_edits: z.array(configEditSchema).min(1).max(EDITS_MAX).optional(),
  config: loose.optional(),
  dashboard_template: loose.nullable().optional(),
  write_autonomy: z.enum(WRITE_AUTONOMIES).optional(),
  summary: z.string().trim().min(1).max(2000).optional(),
});

const finishSchema = z.strictObject({
  outcome: z.enum(BUILD_OUTCOMES),
  text: z.string().max(TEXT_MAX_CHARACTERS).default(""),
  assumptions: notes.default([]),
  left_out: notes.default([]),
  needs: z
    .array(
      z.strictObject({
        kind: z.enum(BUILD_NEEDS),
        text: z.string().trim().min(1).max(NOTE_MAX_CHARACTERS),
      }),
    )
    .max(NOTES_MAX)
    .default([]),
  question: z.string().trim().max(NOTE_MAX_CHARACTERS).nullable().default(null),
  cases: z.array(loose).max(CASES_MAX).default([]),
});

export type ConfigEdit = z.infer<typeof configEditSchema>;
export type FinishArgs = z.infer<typeof finishSchema>;

const { $schema: _dialect, ...configSchema } = AGENT_CONFIG_JSON_SCHEMA as Record<string, unknown>; // vendors refuse the dialect's name inside a tool

const PROPERTIES = {
  name: { type: "string", minLength: 1, maxLength: NAME_MAX_CHARACTERS },
  description: { type: "string", maxLength: DESCRIPTION_MAX_CHARACTERS },
  skill_content: { type: "string", minLength: 1, description: "The agent's skill as Markdown." },
  config: configSchema as JsonObject, // JSON by its making
  dashboard_template: {
    type: ["object", "null"],
    description: "Only when a dashboard is asked for. Its grammar: read_guide dashboard.",
  },
  write_autonomy: { type: "string", enum: [...WRITE_AUTONOMIES] },
} satisfies JsonObject;

const noteList = (text: string): JsonObject => ({
  type: "array",
  maxItems: NOTES_MAX,
  items: { type: "string", minLength: 1, maxLength: NOTE_MAX_CHARACTERS },
  description: text,
});

const LEFT_OUT = noteList(
  "What of the request the agent does not do, and why. The person reads it.",
);

export const CREATE_AGENT_TOOL: BuildTool<typeof createAgentSchema> = {
  name: "create_agent",
  description:
    "Draft the agent that the person asked for, whole. It is checked, and stored when you finish; call it again to replace the draft.",
  inputSchema: {
    type: "object",
    properties: { ...PROPERTIES, left_out: LEFT_OUT },
    required: ["name", "description", "skill_content", "config", "write_autonomy"],
    additionalProperties: false,
  },
  schema: createAgentSchema,
};

export const EDIT_AGENT_TOOL: BuildTool<typeof editAgentSchema> = {
  name: "edit_agent",
  description:
    "Draft a change of the agent, which is stored when you finish. Give only what changes: small changes by skill_edits and config_edits, a whole field only where most of it changes. Further calls change the draft further.",
  inputSchema: {
    type: "object",
    properties: {
      ...PROPERTIES,
      description: { type: ["string", "null"], maxLength: DESCRIPTION_MAX_CHARACTERS },
      skill_edits: {
        type: "array",
        minItems: 1,
        maxItems: EDITS_MAX,
        items: {
          type: "object",
          properties: { old: { type: "string", minLength: 1 }, new: { type: "string" } },
          required: ["old", "new"],
          additionalProperties: false,
        },
        description:
          "Replaces texts of the skill, one after the other. `old` must stand in it exactly once: give enough of the text around.",
      },
      config_edits: {
        type: "array",
        minItems: 1,
        maxItems: EDITS_MAX,
        items: {
          type: "object",
          properties: {
            path: {
              type: "string",
              minLength: 1,
              description: "`limits.max_steps`, or a JSON Pointer where a key holds a dot.",
            },
            value: { description: "What stands there from now on." },
            remove: { const: true, description: "In place of value: takes it away." },
          },
          required: ["path"],
          additionalProperties: false,
        },
        description:
          "Changes places of the config; in a list `-` as the last part of a path adds at its end. Comments stay.",
      },
      summary: {
        type: "string",
        minLength: 1,
        maxLength: 2000,
        description: "What changes, in a sentence or two: the version's release note.",
      },
    },
    required: ["summary"],
    additionalProperties: false,
  },
  schema: editAgentSchema,
};

export const FINISH_TOOL: BuildTool<typeof finishSchema> = {
  name: "finish",
  description:
    "End the work; the draft is stored with outcome built. It may stand in the same turn as the draft. outcome: built; unchanged (there is nothing to change); question (only the person can say how to go on); refused (it cannot be done).",
  inputSchema: {
    type: "object",
    properties: {
      outcome: { type: "string", enum: [...BUILD_OUTCOMES] },
      text: {
        type: "string",
        maxLength: TEXT_MAX_CHARACTERS,
        description: "What the person reads, in their language.",
      },
      assumptions: noteList("What the request left open, and how you took it."),
      left_out: LEFT_OUT,
      needs: {
        type: "array",
        maxItems: NOTES_MAX,
        items: {
          type: "object",
          properties: {
            kind: { type: "string", enum: [...BUILD_NEEDS] },
            text: { type: "string", minLength: 1, maxLength: NOTE_MAX_CHARACTERS },
          },
          required: ["kind", "text"],
          additionalProperties: false,
        },
        description:
          "What somebody has to add before the agent works: a secret, a file, a schedule, a connector.",
      },
      question: {
        type: ["string", "null"],
        maxLength: NOTE_MAX_CHARACTERS,
        description: "With outcome question: what you ask.",
      },
      cases: {
        type: "array",
        maxItems: CASES_MAX,
        items: {
          type: "object",
          properties: {
            name: { type: "string", minLength: 1, maxLength: 120 },
            input: { type: "object" },
            answers: { type: "object", description: "As of try_agent." },
            files: { type: "object", description: "As of try_agent." },
            checks: {
              type: "array",
              minItems: 1,
              maxItems: 20,
              items: {
                type: "object",
                properties: {
                  type: { type: "string", enum: [...CHECK_TYPES] },
                  value: { description: "Of contains, not_contains, equals and json_path." },
                  pattern: { type: "string", description: "Of matches: a regular expression." },
                  path: { type: "string", description: "Of json_path: /items/0/total" },
                  schema: { type: "object", description: "Of schema: a JSON Schema." },
                  tool: { type: "string", description: "Of tool_called and tool_not_called." },
                },
                required: ["type"],
              },
            },
          },
          required: ["name", "input", "checks"],
          additionalProperties: false,
        },
        description:
          "With outcome built: two or three cases that stay with the agent and are run before and after each later change of it. Each has an input, what tools give (answers), and checks of what must be so of every good answer: facts and forms, no wording.",
      },
    },
    required: ["outcome", "text"],
    additionalProperties: false,
  },
  schema: finishSchema,
};

const listVersionsSchema = z.strictObject({ compare_with: z.number().int().positive().optional() });

export const LIST_VERSIONS_TOOL: BuildTool<typeof listVersionsSchema> = {
  name: "list_versions",
  description:
    "The agent's versions, newest first, with their notes; with compare_with, what has changed since that version, line by line.",
  inputSchema: {
    type: "object",
    properties: {
      compare_with: { type: "integer", minimum: 1, description: "The number of a version." },
    },
    additionalProperties: false,
  },
  schema: listVersionsSchema,
};

const restoreVersionSchema = z.strictObject({ number: z.number().int().positive() });

export const RESTORE_VERSION_TOOL: BuildTool<typeof restoreVersionSchema> = {
  name: "restore_version",
  description:
    "Draft the agent as it was in an earlier version: for `undo that`. It replaces the draft.",
  inputSchema: {
    type: "object",
    properties: {
      number: {
        type: "integer",
        minimum: 1,
        description: "The number of the version, from list_versions.",
      },
    },
    required: ["number"],
    additionalProperties: false,
  },
  schema: restoreVersionSchema,
};

const SAMPLE_FILES_MAX = 10;
const SAMPLE_FILE_MAX_CHARACTERS = 100_000;

const sampleFilesSchema = z
  .record(z.string().min(1).max(255), z.string().max(SAMPLE_FILE_MAX_CHARACTERS))
  .refine((files) => Object.keys(files).length <= SAMPLE_FILES_MAX, {
    error: `must have at most ${SAMPLE_FILES_MAX} files`,
  });

const tryAgentSchema = z
  .strictObject({
    input: loose.optional(),
    starter: z.string().min(1).max(20_000).optional(),
    answers: loose.optional(),
    files: sampleFilesSchema.optional(),
    workspace: z.string().min(1).max(255).optional(),
  })
  .refine(
    ({ input, starter }) => input === undefined || starter === undefined,
    "must have an input or a starter, not both",
  );

export const TRY_AGENT_TOOL: BuildTool<typeof tryAgentSchema> = {
  name: "try_agent",
  description:
    "Run the draft once, as its runs will be, and see what it does. Nothing is sent or written: tools that act outside are answered with what you give in answers, and the try stops at the first call that has none there. Only a web search, and reading from hosts that the person named, are real. You are told its calls, its answer, whether that fits the output_schema, how it ended and what it cost; a failure is a result, and the draft stands. Without an input it takes the first starter.",
  inputSchema: {
    type: "object",
    properties: {
      input: { type: "object", description: "The run's input." },
      starter: { type: "string", minLength: 1, description: "In its place: a request in words." },
      answers: {
        type: "object",
        description:
          'What tools give, by their names: {"get_order": {"id": 7, "state": "sent"}}. Write what the real ones would answer, the odd case too; {"error": "…"} is a failure. A list answers one call after the other.',
      },
      files: {
        type: "object",
        additionalProperties: { type: "string" },
        description: 'Small texts among its files: {"sales.csv": "day,total\n…"}.',
      },
      workspace: {
        type: "string",
        description: "The name of a workspace whose files it may read.",
      },
    },
    additionalProperties: false,
  },
  schema: tryAgentSchema,
};

const readGuideSchema = z.strictObject({
  topic: z.enum(GUIDE_TOPICS),
  template: z.string().min(1).max(100).optional(),
});

export const READ_GUIDE_TOOL: BuildTool<typeof readGuideSchema> = {
  name: "read_guide",
  description:
    "What a topic needs, in full: config (schema and advice), dashboard (schema), skill_writing, example (one whole agent, and the names of templates; with a template's name, that one).",
  inputSchema: {
    type: "object",
    properties: {
      topic: { type: "string", enum: [...GUIDE_TOPICS] },
      template: {
        type: "string",
        minLength: 1,
        description: "Of topic example: a template that is near to the work.",
      },
    },
    required: ["topic"],
    additionalProperties: false,
  },
  schema: readGuideSchema,
};

const readWorkspaceSchema = z.strictObject({
  name: z.string().min(1).max(255),
  path: z.string().min(1).max(1024).optional(),
});

export const READ_WORKSPACE_TOOL: BuildTool<typeof readWorkspaceSchema> = {
  name: "read_workspace",
  description: "The files of a workspace with how they begin; with a path, more of that one.",
  inputSchema: {
    type: "object",
    properties: { name: { type: "string", minLength: 1 }, path: { type: "string", minLength: 1 } },
    required: ["name"],
    additionalProperties: false,
  },
  schema: readWorkspaceSchema,
};

const readConnectorSchema = z.strictObject({ url: z.string().min(1).max(2048) });

export const READ_CONNECTOR_TOOL: BuildTool<typeof readConnectorSchema> = {
  name: "read_connector",
  description:
    "The tools of an MCP server that the account uses already, with their arguments: for the skill's text, and for tools, read_only and permissions of the config.",
  inputSchema: {
    type: "object",
    properties: {
      url: {
        type: "string",
        minLength: 1,
        description: "Its address, as the account's MCP servers are listed.",
      },
    },
    required: ["url"],
    additionalProperties: false,
  },
  schema: readConnectorSchema,
};

/** All tools of builds; `buildTools` says which of them a build has. */
export const BUILD_TOOLS: readonly BuildTool[] = [
  CREATE_AGENT_TOOL,
  EDIT_AGENT_TOOL,
  TRY_AGENT_TOOL,
  FINISH_TOOL,
  LIST_VERSIONS_TOOL,
  RESTORE_VERSION_TOOL,
  READ_GUIDE_TOOL,
  READ_WORKSPACE_TOOL,
  READ_CONNECTOR_TOOL,
];
