import "server-only";
import { z } from "zod";
import {
  CONFIG_CONTENT_MAX_CHARACTERS,
  DESCRIPTION_MAX_CHARACTERS,
  NAME_MAX_CHARACTERS,
  RELEASE_NOTE_MAX_CHARACTERS,
  SKILL_CONTENT_MAX_BYTES,
  SKILL_CONTENT_MAX_CHARACTERS,
  VERSION_MAX_CHARACTERS,
} from "@/lib/model/limits";
import { textOf } from "@/lib/model/text-of";
import { WRITE_AUTONOMIES } from "@/lib/model/write-autonomy";

const NAME_LENGTH = `must have 1 to ${NAME_MAX_CHARACTERS} characters`;
const VERSION_LENGTH = `must have 1 to ${VERSION_MAX_CHARACTERS} characters`;
const SKILL_LENGTH = `must have at most ${SKILL_CONTENT_MAX_CHARACTERS} characters and ${SKILL_CONTENT_MAX_BYTES} bytes of UTF-8`;

/** A changelog note of a version. */
export const releaseNoteField = textOf(RELEASE_NOTE_MAX_CHARACTERS)
  .nullable()
  .meta({ description: "Changelog note, kept with the version.", example: "Answers in German." });

/** The fields that a PATCH replaces (specification §4.3). */
export const agentPatchFields = {
  name: textOf(NAME_MAX_CHARACTERS, { min: 1, message: NAME_LENGTH }),
  description: textOf(DESCRIPTION_MAX_CHARACTERS).nullable(),
  version: textOf(VERSION_MAX_CHARACTERS, { min: 1, message: VERSION_LENGTH }).meta({ example: "1.1.0" }),
  skill_content: textOf(SKILL_CONTENT_MAX_CHARACTERS, { message: SKILL_LENGTH })
    .refine((text) => Buffer.byteLength(text, "utf8") <= SKILL_CONTENT_MAX_BYTES, SKILL_LENGTH)
    .meta({ description: "Replacement Markdown skill definition, at most 256 KB of UTF-8." }),
  config_content: textOf(CONFIG_CONTENT_MAX_CHARACTERS).meta({
    description: "Replacement config as YAML; its comments are kept. With `config` given too, `config` wins.",
    example: "version: 1\n",
  }),
  config: z
    .record(z.string(), z.unknown())
    .meta({ description: "Replacement config; its JSON Schema is `/v1/schemas/agent-config.json`.", example: { version: 1 } }),
  dashboard_template: z
    .record(z.string(), z.unknown())
    .nullable()
    .meta({ description: "Replaces the dashboard, null clears it; its JSON Schema is `/v1/schemas/dashboard-template.json`." }),
  write_autonomy: z.enum(WRITE_AUTONOMIES, `must be one of ${WRITE_AUTONOMIES.join(", ")}`),
  release_note: releaseNoteField,
};
