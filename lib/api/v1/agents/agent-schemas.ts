import "server-only";
import { z } from "zod";
import type { Reply } from "@/lib/api/http/operation";
import { EXAMPLE_IDS, idField, timeField } from "@/lib/api/schemas/fields";
import { wireOf } from "@/lib/api/schemas/noun-wire";
import type {
  AgentRecord as Agent,
  AgentRecord,
  AgentVersionMetadata,
  AgentVersionRecord,
} from "@/lib/domain/agents/agent-store";
import type { AgentMetadata } from "@/lib/domain/agents/list-agents";
import {
  AGENT_FIELDS,
  KEPT_AGENT_FIELDS,
  LISTED_AGENT_FIELDS,
} from "@/lib/model/agent/agent-fields";
import type { agentDocumentSchema } from "@/lib/model/agent-document/agent-document";
import type { RowOf } from "@/lib/model/fields/field-table";
import type { JsonObject } from "@/lib/model/json-schema/json-value";
import { RELEASE_NOTE_MAX_CHARACTERS } from "@/lib/model/limits";
import { textOf } from "@/lib/model/text-of";

const LISTED = wireOf(LISTED_AGENT_FIELDS);
const KEPT = wireOf(KEPT_AGENT_FIELDS);
const WIRE = wireOf(AGENT_FIELDS);

export const agentMetadataSchema = z.object(LISTED.shown).meta({ id: "AgentMetadata" });

const { dashboard_template, current_version_id, ...shown } = WIRE.shown;
export const agentSchema = z
  .object({
    ...shown,
    inputs_schema: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: "The config's `inputs`: JSON Schema of a run's `input`." }),
    dashboard_template,
    current_version_id,
  })
  .meta({ id: "Agent" });

/** A changelog note of a version. */
export const releaseNoteField = textOf(RELEASE_NOTE_MAX_CHARACTERS)
  .nullable()
  .meta({ description: "Changelog note, kept with the version.", example: "Answers in German." });

/** The fields that a PATCH replaces (specification §4.3). */
export const agentPatchFields = { ...WIRE.changes, release_note: releaseNoteField.optional() };

/** What a PATCH says, in the domain's words: what its body leaves out is not there. */
export const toAgentChange = WIRE.fromChanges;

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
    ...KEPT.shown,
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
    ...KEPT.toWire(version as Stored<AgentVersionRecord>),
  };
}

/** A row whose texts and JSON were stored only after validation: the columns' types know less. */
type Stored<Row> = Omit<Row, keyof Shown> & Shown;
type Shown = Pick<
  RowOf<typeof AGENT_FIELDS>,
  "status" | "writeAutonomy" | "config" | "dashboardTemplate"
>;

export function toAgentMetadata(agent: AgentMetadata) {
  return LISTED.toWire(agent as Stored<AgentMetadata>);
}

/** The full record of an agent, with `inputs_schema` out of its config. */
export function toAgent(agent: Agent) {
  const { dashboard_template, current_version_id, ...record } = WIRE.toWire(agent as Stored<Agent>);
  const { inputs } = record.config;
  return { ...record, inputs_schema: inputs ?? null, dashboard_template, current_version_id };
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

export const EXAMPLE_AGENT_METADATA = LISTED.example;

const { inputs } = WIRE.example.config;

export const EXAMPLE_AGENT: z.output<typeof agentSchema> = {
  ...WIRE.example,
  inputs_schema: inputs as JsonObject, // of our own example
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
  agent_id: EXAMPLE_IDS.agent_id,
  ...KEPT.example,
};

const { config_content, ...documented } = KEPT.example;
export const EXAMPLE_AGENT_DOCUMENT: z.output<typeof agentDocumentSchema> = {
  kind: "agent",
  format: 1,
  ...documented,
};
