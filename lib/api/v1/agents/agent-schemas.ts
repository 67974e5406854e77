import "server-only";
import { z } from "zod";
import type { Reply } from "@/lib/api/http/operation";
import { EXAMPLE_IDS, idField, timeField } from "@/lib/api/schemas/fields";
import type {
  AgentRecord as Agent,
  AgentRecord,
  AgentVersionMetadata,
  AgentVersionRecord,
} from "@/lib/domain/agents/agent-store";
import type { AgentMetadata } from "@/lib/domain/agents/list-agents";
import type { agentDocumentSchema } from "@/lib/model/agent-document/agent-document";
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

const agentMetadata = {
  agent_id: idField,
  name: z.string(),
  description: z.string().nullable(),
  version: z.string(),
  status: z.enum(["active", "archived"]),
  write_autonomy: z.enum(WRITE_AUTONOMIES).meta({
    description:
      "Whether calls that write outside the service run (`full_auto`), ask a person first, or are refused (`blocked`).",
  }),
  created_at: timeField,
  updated_at: timeField,
};

export const agentMetadataSchema = z.object(agentMetadata).meta({ id: "AgentMetadata" });

export const agentSchema = z
  .object({
    ...agentMetadata,
    skill_content: z.string().meta({ description: "Markdown: what the agent does." }),
    config_content: z.string().meta({ description: "The config as YAML, with its comments." }),
    config: z
      .record(z.string(), z.unknown())
      .meta({ description: "The same as `config_content`, as an object." }),
    inputs_schema: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: "The config's `inputs`: JSON Schema of a run's `input`." }),
    dashboard_template: z.record(z.string(), z.unknown()).nullable(),
    current_version_id: idField,
  })
  .meta({ id: "Agent" });

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
  version: textOf(VERSION_MAX_CHARACTERS, { min: 1, message: VERSION_LENGTH }).meta({
    example: "1.1.0",
  }),
  skill_content: textOf(SKILL_CONTENT_MAX_CHARACTERS, { message: SKILL_LENGTH })
    .refine((text) => Buffer.byteLength(text, "utf8") <= SKILL_CONTENT_MAX_BYTES, SKILL_LENGTH)
    .meta({ description: "Replacement Markdown skill definition, at most 256 KB of UTF-8." }),
  config_content: textOf(CONFIG_CONTENT_MAX_CHARACTERS).meta({
    description:
      "Replacement config as YAML; its comments are kept. With `config` given too, `config` wins.",
    example: "version: 1\n",
  }),
  config: z.record(z.string(), z.unknown()).meta({
    description: "Replacement config; its JSON Schema is `/v1/schemas/agent-config.json`.",
    example: { version: 1 },
  }),
  dashboard_template: z.record(z.string(), z.unknown()).nullable().meta({
    description:
      "Replaces the dashboard, null clears it; its JSON Schema is `/v1/schemas/dashboard-template.json`.",
  }),
  write_autonomy: z.enum(WRITE_AUTONOMIES, `must be one of ${WRITE_AUTONOMIES.join(", ")}`),
  release_note: releaseNoteField,
};

const versionMetadata = {
  version_id: idField,
  number: z.number().int().meta({ description: "Counts up from 1 within the agent." }),
  version: z.string(),
  release_note: z.string().nullable(),
  source: z.enum(["create", "patch", "edit", "restore"]),
  run_id: idField
    .nullable()
    .meta({ description: "The creation or edit run that made it; null where none did." }),
  created_at: timeField,
};

export const agentVersionMetadataSchema = z
  .object(versionMetadata)
  .meta({ id: "AgentVersionMetadata" });

export const agentVersionSchema = z
  .object({
    ...versionMetadata,
    agent_id: idField,
    name: z.string(),
    description: z.string().nullable(),
    write_autonomy: z.enum(WRITE_AUTONOMIES),
    skill_content: z.string(),
    config_content: z.string(),
    config: z.record(z.string(), z.unknown()),
    dashboard_template: z.record(z.string(), z.unknown()).nullable(),
  })
  .meta({ id: "AgentVersion", description: "An agent as it was. Immutable." });

export function toAgentVersionMetadata(version: AgentVersionMetadata) {
  return {
    version_id: version.id,
    number: version.number,
    version: version.version,
    release_note: version.releaseNote,
    source: version.source,
    run_id: version.runId,
    created_at: version.createdAt.toISOString(),
  };
}

export function toAgentVersion(version: AgentVersionRecord) {
  return {
    ...toAgentVersionMetadata(version),
    agent_id: version.agentId,
    name: version.name,
    description: version.description,
    write_autonomy: version.writeAutonomy,
    skill_content: version.skillContent,
    config_content: version.configContent,
    config: version.config,
    dashboard_template: version.dashboardTemplate ?? null,
  };
}

export function toAgentMetadata(agent: AgentMetadata) {
  return {
    agent_id: agent.id,
    name: agent.name,
    description: agent.description,
    version: agent.version,
    status: agent.status,
    write_autonomy: agent.writeAutonomy,
    created_at: agent.createdAt.toISOString(),
    updated_at: agent.updatedAt.toISOString(),
  };
}

/** The full record of an agent, with `inputs_schema` out of its config. */
export function toAgent(agent: Agent) {
  const config = agent.config as { inputs?: unknown }; // stored only after agent-config validation
  return {
    ...toAgentMetadata(agent),
    skill_content: agent.skillContent,
    config_content: agent.configContent,
    config: agent.config,
    inputs_schema: config.inputs ?? null,
    dashboard_template: agent.dashboardTemplate ?? null,
    current_version_id: agent.currentVersionId,
  };
}

/** The strong validator of an agent's record: changes with every change of it. */
export function agentETag(agent: Pick<Agent, "currentVersionId" | "updatedAt" | "status">): string {
  return `"${agent.currentVersionId}-${agent.updatedAt.getTime().toString(36)}"`;
}

/** The full record with its `ETag`; of a new agent with its `Location` too. */
export function agentReply<Status extends 200 | 201>(
  agent: AgentRecord,
  status: Status,
): Reply<Status> {
  const headers = { ETag: agentETag(agent) };
  return {
    status,
    body: toAgent(agent),
    headers: status === 201 ? { ...headers, Location: `/v1/agents/${agent.id}` } : headers,
  };
}

const inputs = {
  type: "object",
  properties: { question: { type: "string", title: "Question" } },
  required: ["question"],
};

/** What the agent of the examples is written in. */
const CONTENT = {
  skill_content:
    "# Sales reader\n\n1. List the workspace's files.\n2. Read the table.\n3. Answer with figures, and name the file.\n",
  config: { version: 1, inputs },
  dashboard_template: null,
};

const CONFIG_CONTENT =
  "version: 1\ninputs:\n  type: object\n  properties:\n    question:\n      type: string\n      title: Question\n  required:\n    - question\n";

export const EXAMPLE_AGENT_METADATA: z.output<typeof agentMetadataSchema> = {
  agent_id: EXAMPLE_IDS.agent_id,
  name: "Sales reader",
  description: "Answers questions about a table of sales.",
  version: "1.0.1",
  status: "active",
  write_autonomy: "approval_required",
  created_at: "2026-01-30T08:00:00.000Z",
  updated_at: "2026-01-31T09:00:00.000Z",
};

export const EXAMPLE_AGENT: z.output<typeof agentSchema> = {
  ...EXAMPLE_AGENT_METADATA,
  ...CONTENT,
  config_content: CONFIG_CONTENT,
  inputs_schema: inputs,
  current_version_id: EXAMPLE_IDS.version_id,
};

export const EXAMPLE_VERSION_METADATA: z.output<typeof agentVersionMetadataSchema> = {
  version_id: EXAMPLE_IDS.version_id,
  number: 2,
  version: "1.0.1",
  release_note: "Names the file that a figure is from.",
  source: "patch",
  run_id: null,
  created_at: "2026-01-31T09:00:00.000Z",
};

export const EXAMPLE_VERSION: z.output<typeof agentVersionSchema> = {
  ...EXAMPLE_VERSION_METADATA,
  ...CONTENT,
  agent_id: EXAMPLE_IDS.agent_id,
  name: "Sales reader",
  description: "Answers questions about a table of sales.",
  write_autonomy: "approval_required",
  config_content: CONFIG_CONTENT,
};

export const EXAMPLE_AGENT_DOCUMENT: z.output<typeof agentDocumentSchema> = {
  kind: "agent",
  format: 1,
  name: "Sales reader",
  description: "Answers questions about a table of sales.",
  version: "1.0.1",
  write_autonomy: "approval_required",
  ...CONTENT,
};
