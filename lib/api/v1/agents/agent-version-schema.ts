import "server-only";
import { z } from "zod";
import { idField, timeField } from "@/lib/api/v1/schemas/fields";
import type { AgentVersionMetadata, AgentVersionRecord } from "@/lib/domain/agents/agent-store";
import { WRITE_AUTONOMIES } from "@/lib/model/write-autonomy";

const metadata = {
  version_id: idField,
  number: z.number().int().meta({ description: "Counts up from 1 within the agent." }),
  version: z.string(),
  release_note: z.string().nullable(),
  source: z.enum(["create", "patch", "edit", "restore"]),
  run_id: idField.nullable().meta({ description: "The creation or edit run that made it; null where none did." }),
  created_at: timeField,
};

export const agentVersionMetadataSchema = z.object(metadata).meta({ id: "AgentVersionMetadata" });

export const agentVersionSchema = z
  .object({
    ...metadata,
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
