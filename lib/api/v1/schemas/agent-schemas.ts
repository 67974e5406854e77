import "server-only";
import { z } from "zod";
import { idField, timeField } from "@/lib/api/v1/schemas/fields";
import { WRITE_AUTONOMIES } from "@/lib/model/write-autonomy";

const metadata = {
  agent_id: idField,
  name: z.string(),
  description: z.string().nullable(),
  version: z.string(),
  status: z.enum(["active", "archived"]),
  write_autonomy: z.enum(WRITE_AUTONOMIES),
  created_at: timeField,
  updated_at: timeField,
};

export const agentMetadataSchema = z.object(metadata).meta({ id: "AgentMetadata" });

export const agentSchema = z
  .object({
    ...metadata,
    skill_content: z.string(),
    config_content: z.string(),
    config: z.record(z.string(), z.unknown()),
    inputs_schema: z.record(z.string(), z.unknown()).nullable(),
    dashboard_template: z.record(z.string(), z.unknown()).nullable(),
    current_version_id: idField,
  })
  .meta({ id: "Agent" });
