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
  write_autonomy: z.enum(WRITE_AUTONOMIES).meta({
    description: "Whether calls that write outside the service run (`full_auto`), ask a person first, or are refused (`blocked`).",
  }),
  created_at: timeField,
  updated_at: timeField,
};

export const agentMetadataSchema = z.object(metadata).meta({ id: "AgentMetadata" });

export const agentSchema = z
  .object({
    ...metadata,
    skill_content: z.string().meta({ description: "Markdown: what the agent does." }),
    config_content: z.string().meta({ description: "The config as YAML, with its comments." }),
    config: z.record(z.string(), z.unknown()).meta({ description: "The same as `config_content`, as an object." }),
    inputs_schema: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: "The config's `inputs`: JSON Schema of a run's `input`." }),
    dashboard_template: z.record(z.string(), z.unknown()).nullable(),
    current_version_id: idField,
  })
  .meta({ id: "Agent" });
