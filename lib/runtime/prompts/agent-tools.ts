import "server-only";
import { z } from "zod";
import { AGENT_CONFIG_JSON_SCHEMA } from "@/lib/model/agent-config/agent-config-json-schema";
import type { ToolFacts } from "@/lib/model/agent-config/tool-facts";
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
import { asked, shownAs, shownSchema } from "@/lib/runtime/prompts/shown-schema";

/** A tool of a build. Its calls are carried out by the domain, as they draft, try and end. */
export interface BuildTool<Args extends z.ZodObject = z.ZodObject> {
  name: string;
  description: string;
  /** What its model is shown, made of `schema`. */
  inputSchema: JsonObject;
  /** What the domain checks a call against; what does not fit is answered with the places. */
  schema: Args;
  facts: ToolFacts;
  /** The builds that have it; absent: all. */
  of?: "creation" | "edit";
}

interface BuildToolDefinition<Args extends z.ZodObject>
  extends Pick<BuildTool<Args>, "name" | "description" | "of">,
    Pick<ToolFacts, "writes" | "keepsName"> {
  args: Args;
}

/** A tool of builds whose arguments are said once, as those of `defineTool` are. */
function defineBuildTool<Args extends z.ZodObject>({
  args,
  writes,
  keepsName,
  ...tool
}: BuildToolDefinition<Args>): BuildTool<Args> {
  const facts = {
    name: tool.name,
    offered: "build",
    writes,
    ...(keepsName && { keepsName }),
  } as const;
  return { ...tool, inputSchema: shownSchema(args), schema: args, facts };
}

const NOTES_MAX = 20;
const NOTE_MAX_CHARACTERS = 1000;
const TEXT_MAX_CHARACTERS = 20_000;
const EDITS_MAX = 100;
/** That one build writes. */
const CASES_MAX = 5;

const loose = () => z.record(z.string(), z.unknown());
/** Any object, of which its model is told in words. */
const told = (description?: string) =>
  shownAs(loose(), { type: "object", ...(description !== undefined && { description }) });

// Vendors refuse the dialect's name inside a tool.
const { $schema: _dialect, ...configSchema } = AGENT_CONFIG_JSON_SCHEMA as Record<string, unknown>;

const name = z.string().trim().min(1).max(NAME_MAX_CHARACTERS);
const description = z.string().max(DESCRIPTION_MAX_CHARACTERS);
const skill = z
  .string()
  .min(1)
  .max(SKILL_CONTENT_MAX_CHARACTERS)
  .meta({ description: "The agent's skill as Markdown." });
const config = shownAs(loose(), configSchema as JsonObject); // JSON by its making
const dashboard = shownAs(loose().nullable(), {
  type: ["object", "null"],
  description: "Only when a dashboard is asked for. Its grammar: read_guide dashboard.",
});
const autonomy = z.enum(WRITE_AUTONOMIES);

const notes = (description: string) =>
  z.array(z.string().trim().min(1).max(NOTE_MAX_CHARACTERS)).max(NOTES_MAX).meta({ description });
const leftOut = notes("What of the request the agent does not do, and why. The person reads it.");

export const CREATE_AGENT_TOOL = defineBuildTool({
  name: "create_agent",
  description:
    "Draft the agent that the person asked for, whole. It is checked, and stored when you " +
    "finish; call it again to replace the draft.",
  of: "creation",
  writes: "inside",
  keepsName: true,
  args: z.strictObject({
    name,
    description,
    skill_content: skill,
    config,
    dashboard_template: dashboard.optional(),
    write_autonomy: autonomy,
    left_out: leftOut.optional(),
  }),
});

const pathSegment = z.union([z.string().max(500), z.number().int().nonnegative()]);

const configEdit = z
  .strictObject({
    path: shownAs(z.union([z.string().min(1).max(2000), z.array(pathSegment).min(1).max(64)]), {
      type: "string",
      minLength: 1,
      description: "`limits.max_steps`, or a JSON Pointer where a key holds a dot.",
    }),
    value: shownAs(z.unknown(), { description: "What stands there from now on." }).optional(),
    remove: shownAs(z.literal(true), {
      const: true,
      description: "In place of value: takes it away.",
    }).optional(),
  })
  .refine(
    (edit) => (edit.remove === true) !== Object.hasOwn(edit, "value"),
    "must have either value or remove: true",
  );

export type ConfigEdit = z.infer<typeof configEdit>;

export const EDIT_AGENT_TOOL = defineBuildTool({
  name: "edit_agent",
  description:
    "Draft a change of the agent, which is stored when you finish. Give only what changes: " +
    "small changes by skill_edits and config_edits, a whole field only where most of it " +
    "changes. Further calls change the draft further.",
  of: "edit",
  writes: "inside",
  keepsName: true,
  args: z.strictObject({
    name: name.optional(),
    description: description.nullable().optional(),
    skill_content: skill.optional(),
    config: config.optional(),
    dashboard_template: dashboard.optional(),
    write_autonomy: autonomy.optional(),
    skill_edits: z
      .array(z.strictObject({ old: z.string().min(1), new: z.string() }))
      .min(1)
      .max(EDITS_MAX)
      .meta({
        description:
          "Replaces texts of the skill, one after the other. `old` must stand in it exactly " +
          "once: give enough of the text around.",
      })
      .optional(),
    config_edits: z
      .array(configEdit)
      .min(1)
      .max(EDITS_MAX)
      .meta({
        description:
          "Changes places of the config; in a list `-` as the last part of a path adds at " +
          "its end. Comments stay.",
      })
      .optional(),
    summary: asked(
      z
        .string()
        .trim()
        .min(1)
        .max(2000)
        .meta({
          description: "What changes, in a sentence or two: the version's release note.",
        })
        .optional(),
    ),
  }),
});

const CHECKS = {
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
} satisfies JsonObject;

/** What it is the cases' own schema checks, with its words. */
const agentCase = shownAs(loose(), {
  type: "object",
  properties: {
    name: { type: "string", minLength: 1, maxLength: 120 },
    input: { type: "object" },
    answers: { type: "object", description: "As of try_agent." },
    files: { type: "object", description: "As of try_agent." },
    checks: CHECKS,
  },
  required: ["name", "input", "checks"],
  additionalProperties: false,
});

export const FINISH_TOOL = defineBuildTool({
  name: "finish",
  description:
    "End the work; the draft is stored with outcome built. It may stand in the same turn as " +
    "the draft. outcome: built; unchanged (there is nothing to change); question (only the " +
    "person can say how to go on); refused (it cannot be done).",
  writes: "inside",
  keepsName: true,
  args: z.strictObject({
    outcome: z.enum(BUILD_OUTCOMES),
    text: asked(
      z
        .string()
        .max(TEXT_MAX_CHARACTERS)
        .meta({ description: "What the person reads, in their language." })
        .default(""),
    ),
    assumptions: notes("What the request left open, and how you took it.").default([]),
    left_out: leftOut.default([]),
    needs: z
      .array(
        z.strictObject({
          kind: z.enum(BUILD_NEEDS),
          text: z.string().trim().min(1).max(NOTE_MAX_CHARACTERS),
        }),
      )
      .max(NOTES_MAX)
      .meta({
        description:
          "What somebody has to add before the agent works: a secret, a file, a schedule, a " +
          "connector.",
      })
      .default([]),
    question: z
      .string()
      .trim()
      .max(NOTE_MAX_CHARACTERS)
      .nullable()
      .meta({ description: "With outcome question: what you ask." })
      .default(null),
    cases: z
      .array(agentCase)
      .max(CASES_MAX)
      .meta({
        description:
          "With outcome built: two or three cases that stay with the agent and are run " +
          "before and after each later change of it. Each has an input, what tools give " +
          "(answers), and checks of what must be so of every good answer: facts and forms, " +
          "no wording.",
      })
      .default([]),
  }),
});

export type FinishArgs = z.infer<typeof FINISH_TOOL.schema>;

const versionNumber = (description: string) =>
  z.number().int().positive().meta({ description, minimum: 1 });

export const LIST_VERSIONS_TOOL = defineBuildTool({
  name: "list_versions",
  description:
    "The agent's versions, newest first, with their notes; with compare_with, what has " +
    "changed since that version, line by line.",
  of: "edit",
  writes: "nothing",
  args: z.strictObject({ compare_with: versionNumber("The number of a version.").optional() }),
});

export const RESTORE_VERSION_TOOL = defineBuildTool({
  name: "restore_version",
  description:
    "Draft the agent as it was in an earlier version: for `undo that`. It replaces the draft.",
  of: "edit",
  writes: "inside",
  args: z.strictObject({
    number: versionNumber("The number of the version, from list_versions."),
  }),
});

const SAMPLE_FILES_MAX = 10;
const SAMPLE_FILE_MAX_CHARACTERS = 100_000;

const sampleFiles = shownAs(
  z
    .record(z.string().min(1).max(255), z.string().max(SAMPLE_FILE_MAX_CHARACTERS))
    .refine((files) => Object.keys(files).length <= SAMPLE_FILES_MAX, {
      error: `must have at most ${SAMPLE_FILES_MAX} files`,
    }),
  {
    type: "object",
    additionalProperties: { type: "string" },
    description: 'Small texts among its files: {"sales.csv": "day,total\n…"}.',
  },
);

export const TRY_AGENT_TOOL = defineBuildTool({
  name: "try_agent",
  description:
    "Run the draft once, as its runs will be, and see what it does. Nothing is sent or " +
    "written: tools that act outside are answered with what you give in answers, and the try " +
    "stops at the first call that has none there. Only a web search, and reading from hosts " +
    "that the person named, are real. You are told its calls, its answer, whether that fits " +
    "the output_schema, how it ended and what it cost; a failure is a result, and the draft " +
    "stands. Without an input it takes the first starter.",
  writes: "nothing",
  keepsName: true,
  args: z
    .strictObject({
      input: told("The run's input.").optional(),
      starter: z
        .string()
        .min(1)
        .max(20_000)
        .meta({ description: "In its place: a request in words." })
        .optional(),
      answers: told(
        'What tools give, by their names: {"get_order": {"id": 7, "state": "sent"}}. Write ' +
          'what the real ones would answer, the odd case too; {"error": "…"} is a failure. A ' +
          "list answers one call after the other.",
      ).optional(),
      files: sampleFiles.optional(),
      workspace: z
        .string()
        .min(1)
        .max(255)
        .meta({ description: "The name of a workspace whose files it may read." })
        .optional(),
    })
    .refine(
      ({ input, starter }) => input === undefined || starter === undefined,
      "must have an input or a starter, not both",
    ),
});

export const READ_GUIDE_TOOL = defineBuildTool({
  name: "read_guide",
  description:
    "What a topic needs, in full: config (schema and advice), dashboard (schema), " +
    "skill_writing, example (one whole agent, and the names of templates; with a template's " +
    "name, that one).",
  writes: "nothing",
  args: z.strictObject({
    topic: z.enum(GUIDE_TOPICS),
    template: z
      .string()
      .min(1)
      .max(100)
      .meta({ description: "Of topic example: a template that is near to the work." })
      .optional(),
  }),
});

export const READ_WORKSPACE_TOOL = defineBuildTool({
  name: "read_workspace",
  description: "The files of a workspace with how they begin; with a path, more of that one.",
  writes: "nothing",
  args: z.strictObject({
    name: z.string().min(1).max(255),
    path: z.string().min(1).max(1024).optional(),
  }),
});

export const READ_CONNECTOR_TOOL = defineBuildTool({
  name: "read_connector",
  description:
    "The tools of an MCP server that the account uses already, with their arguments: for the " +
    "skill's text, and for tools, read_only and permissions of the config.",
  writes: "nothing",
  args: z.strictObject({
    url: z
      .string()
      .min(1)
      .max(2048)
      .meta({ description: "Its address, as the account's MCP servers are listed." }),
  }),
});

/** All tools of builds, in the order in which a model sees them, a line each. */
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
