import { z } from "zod";
import {
  METADATA_KEY_MAX_CHARACTERS,
  METADATA_MAX_PAIRS,
  METADATA_VALUE_MAX_CHARACTERS,
  VERSION_MAX_CHARACTERS,
  WEBHOOK_URL_MAX_CHARACTERS,
} from "@/lib/model/limits";
import { textOf } from "@/lib/model/text-of";
import { isUuid } from "@/lib/model/uuid";

/** Fields that many requests share. Each gives its own clear message. */
export const idField = z
  .string("must be a uuid")
  .refine(isUuid, "must be a uuid")
  .overwrite((text) => text.toLowerCase())
  .meta({ format: "uuid" });

export const timeField = z.iso
  .datetime({
    message: "must be an RFC 3339 time in UTC, such as 2026-01-31T09:30:00.000Z",
    offset: true,
  })
  .meta({ format: "date-time" });
export const nullableTime = timeField.nullable();

export const webhookUrlField = textOf(WEBHOOK_URL_MAX_CHARACTERS, {
  min: 1,
  message: `must have 1 to ${WEBHOOK_URL_MAX_CHARACTERS} characters`,
}).meta({
  format: "uri",
  description: "Public http or https URL that is sent the terminal result.",
  example: "https://example.com/hooks/runs",
});

const pairs = z.record(
  textOf(METADATA_KEY_MAX_CHARACTERS, {
    min: 1,
    message: `a key may have 1 to ${METADATA_KEY_MAX_CHARACTERS} characters`,
  }),
  textOf(METADATA_VALUE_MAX_CHARACTERS),
);

const PAIRS_AS_DOCUMENTED = z.toJSONSchema(pairs, { io: "input" });

/** How many there are comes first: of a hundred thousand that do not fit each would be told. */
export const metadataField = z
  .record(z.string(), z.unknown())
  .refine(
    (given) => Object.keys(given).length <= METADATA_MAX_PAIRS,
    `may have at most ${METADATA_MAX_PAIRS} pairs`,
  )
  .pipe(pairs)
  .meta({
    description: "Your own pairs; `GET /v1/runs` filters by them.",
    example: { customer: "c_42" },
    override: ({ jsonSchema }) => Object.assign(jsonSchema, PAIRS_AS_DOCUMENTED),
  });

export const creditsField = z
  .number()
  .positive("must be more than 0")
  .max(1_000_000_000)
  .refine((credits) => Number.isSafeInteger(Math.round(credits * 1e6)), "has too many digits")
  .meta({ description: "The most that this run may cost, in credits." });

const INT4_MAX = 2_147_483_647;

/** Which version of an agent: a text is an id or a label, a number is the version's own. */
export const versionField = z
  .union(
    [textOf(VERSION_MAX_CHARACTERS, { min: 1 }), z.number().int().min(1).max(INT4_MAX)],
    `must be a version's version_id, its label of 1 to ${VERSION_MAX_CHARACTERS} characters, or ` +
      "its number",
  )
  .meta({
    description:
      "The version of the agent to keep to: its `version_id`, its label (of several that " +
      "have it, the newest), or its `number`. Absent: the current one.",
    example: "1.0.1",
  });

/** A version as a request names it. */
export type VersionName = z.output<typeof versionField>;

const id = (number: number) => `01939d3b-7c1a-7b60-9f5e-3f7a2c1d${String(number).padStart(4, "0")}`;

/**
 * The ids of the document's examples: one a kind of thing, under the name that paths and bodies
 * give it.
 */
export const EXAMPLE_IDS = {
  agent_id: id(1),
  run_id: id(2),
  conversation_id: id(3),
  workspace_id: id(4),
  file_id: id(5),
  version_id: id(6),
  schedule_id: id(7),
  approval_id: id(8),
  delivery_id: id(9),
  skill_id: id(10),
  message_id: id(11),
  artifact_id: id(12),
  account_id: id(13),
  memory_id: id(14),
  connection_id: id(15),
  endpoint_id: id(16),
  event_id: id(17),
  firing_id: id(18),
  remembered_id: id(41),
  case_id: id(42),
} as const;
