import { z } from "zod";
import {
  type AbsentKey,
  type Field,
  type FieldTable,
  field,
  json,
  keysOf,
  nullable,
  pickFields,
  type RowOf,
  text,
  time,
  unsaidOf,
  uuid,
} from "@/lib/model/fields/field-table";
import { EXAMPLE_IDS, idField, timeField } from "@/lib/model/fields/shared-fields";
import {
  CONFIG_CONTENT_MAX_CHARACTERS,
  DESCRIPTION_MAX_CHARACTERS,
  NAME_MAX_CHARACTERS,
  SKILL_CONTENT_MAX_BYTES,
  SKILL_CONTENT_MAX_CHARACTERS,
  VERSION_MAX_CHARACTERS,
} from "@/lib/model/limits";
import { textOf } from "@/lib/model/text-of";
import { WRITE_AUTONOMIES, type WriteAutonomy } from "@/lib/model/write-autonomy";

const utf8 = new TextEncoder();

const NAME_LENGTH = `must have 1 to ${NAME_MAX_CHARACTERS} characters`;
const VERSION_LENGTH = `must have 1 to ${VERSION_MAX_CHARACTERS} characters`;
const SKILL_LENGTH =
  `must have at most ${SKILL_CONTENT_MAX_CHARACTERS} characters and ${SKILL_CONTENT_MAX_BYTES} ` +
  "bytes of UTF-8";

/** An agent's inputs in the examples. */
const INPUTS = {
  type: "object",
  properties: { question: { type: "string", title: "Question" } },
  required: ["question"],
};

/** What is said of a field of an agent beside what each noun's says. */
interface AgentField {
  /** Of what is shown: lists show it too. */
  listed?: boolean;
}
type Decided<T> = {
  [K in keyof T]: T[K] extends { shown: unknown } ? Required<Pick<AgentField, "listed">> : object;
};
const decided = <T extends FieldTable & Decided<T>>(table: T): T => table;

/** What an agent is made of. */
export const AGENT_FIELDS = decided({
  id: field(uuid, {
    wire: "agent_id",
    shown: idField,
    example: EXAMPLE_IDS.agent_id,
    listed: true,
  }),
  accountId: field(uuid),
  name: field(text(), {
    shown: z.string(),
    example: "Sales reader",
    given: textOf(NAME_MAX_CHARACTERS, { min: 1, message: NAME_LENGTH }),
    listed: true,
    kept: true,
  }),
  description: field(nullable(text()), {
    shown: z.string().nullable(),
    example: "Answers questions about a table of sales.",
    given: textOf(DESCRIPTION_MAX_CHARACTERS).nullable(),
    listed: true,
    kept: true,
  }),
  version: field(text(), {
    shown: z.string(),
    example: "1.0.1",
    given: textOf(VERSION_MAX_CHARACTERS, { min: 1, message: VERSION_LENGTH }).meta({
      example: "1.1.0",
    }),
    listed: true,
    kept: true,
  }),
  status: field(text<"active" | "archived">(), {
    shown: z.enum(["active", "archived"]),
    example: "active",
    listed: true,
  }),
  writeAutonomy: field(text<WriteAutonomy>(), {
    shown: z.enum(WRITE_AUTONOMIES).meta({
      description:
        "Whether calls that write outside the service run (`full_auto`), ask a person first, " +
        "or are refused (`blocked`).",
    }),
    example: "approval_required",
    given: z.enum(WRITE_AUTONOMIES, `must be one of ${WRITE_AUTONOMIES.join(", ")}`),
    listed: true,
    kept: true,
  }),
  createdAt: field(time, { shown: timeField, example: "2026-01-30T08:00:00.000Z", listed: true }),
  updatedAt: field(time, { shown: timeField, example: "2026-01-31T09:00:00.000Z", listed: true }),
  skillContent: field(text(), {
    shown: z.string().meta({ description: "Markdown: what the agent does." }),
    example:
      "# Sales reader\n\n1. List the workspace's files.\n2. Read the table.\n3. Answer with " +
      "figures, and name the file.\n",
    given: textOf(SKILL_CONTENT_MAX_CHARACTERS, { message: SKILL_LENGTH })
      .refine((text) => utf8.encode(text).length <= SKILL_CONTENT_MAX_BYTES, SKILL_LENGTH)
      .meta({ description: "Replacement Markdown skill definition, at most 256 KB of UTF-8." }),
    listed: false,
    kept: true,
  }),
  configContent: field(text(), {
    shown: z.string().meta({ description: "The config as YAML, with its comments." }),
    example:
      "version: 1\ninputs:\n  type: object\n  properties:\n    question:\n      type: " +
      "string\n      title: Question\n  required:\n    - question\n",
    given: textOf(CONFIG_CONTENT_MAX_CHARACTERS).meta({
      description:
        "Replacement config as YAML; its comments are kept. With `config` given too, " +
        "`config` wins.",
      example: "version: 1\n",
    }),
    listed: false,
    kept: true,
  }),
  config: field(json<JsonObject>(), {
    shown: z
      .record(z.string(), z.unknown())
      .meta({ description: "The same as `config_content`, as an object." }),
    example: { version: 1, inputs: INPUTS },
    given: z.record(z.string(), z.unknown()).meta({
      description: "Replacement config; its JSON Schema is `/v1/schemas/agent-config.json`.",
      example: { version: 1 },
    }),
    listed: false,
    kept: true,
  }),
  /** The order of the config's keys, which the column does not keep. */
  keyOrder: field(nullable(json<unknown>()), { kept: true }),
  dashboardTemplate: field(nullable(json<JsonObject>()), {
    shown: z.record(z.string(), z.unknown()).nullable(),
    example: null,
    given: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({
        description:
          "Replaces the dashboard, null clears it; its JSON Schema is " +
          "`/v1/schemas/dashboard-template.json`.",
      }),
    listed: false,
    kept: true,
  }),
  currentVersionId: field(uuid, {
    shown: idField,
    example: EXAMPLE_IDS.version_id,
    listed: false,
  }),
  createdByRunId: field(nullable(uuid)),
});

type JsonObject = Record<string, unknown>;
type Table = typeof AGENT_FIELDS;
type With<Flag> = { [K in keyof Table]: Table[K] extends Flag ? K : never }[keyof Table];

function keysWith<Key extends keyof Table>(test: (field: Field & AgentField) => unknown): Key[] {
  const table: Record<string, Field & AgentField> = AGENT_FIELDS;
  // The type finds them by the same rule.
  return keysOf(AGENT_FIELDS).filter((key) => table[key] && test(table[key])) as Key[];
}

/** What lists show of an agent. */
export type ListedAgentKey = With<{ listed: true }>;
export const LISTED_AGENT_KEYS = keysWith<ListedAgentKey>(({ listed }) => listed);

/** What a version of an agent consists of. */
export type KeptAgentKey = With<{ kept: true }>;
export const KEPT_AGENT_KEYS = keysWith<KeptAgentKey>(({ kept }) => kept);

/** The part of the table that lists show, and the part that versions keep. */
export const LISTED_AGENT_FIELDS = pickFields(AGENT_FIELDS, LISTED_AGENT_KEYS);
export const KEPT_AGENT_FIELDS = pickFields(AGENT_FIELDS, KEPT_AGENT_KEYS);

/** What of an agent a draft of it says, by a person's words or a model's: all but its version. */
type DraftedAgentKey = Exclude<KeptAgentKey, "version">;
export const DRAFTED_AGENT_KEYS = KEPT_AGENT_KEYS.filter(
  (key): key is DraftedAgentKey => key !== "version",
);
/** What may be left out of a creation need not be said here. */
export type DraftedAgent = Pick<RowOf<Table>, Exclude<DraftedAgentKey, AbsentKey<Table>>> &
  Partial<Pick<RowOf<Table>, Extract<DraftedAgentKey, AbsentKey<Table>>>>;
export const UNSAID_AGENT = unsaidOf(AGENT_FIELDS);

/** Whether a field is JSON, which is compared by what it says. */
export function isJsonField(key: KeptAgentKey): boolean {
  return AGENT_FIELDS[key].stored.type === "jsonb";
}
