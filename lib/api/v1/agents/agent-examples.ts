import "server-only";
import type { z } from "zod";
import { EXAMPLE_IDS } from "@/lib/api/schemas/fields";
import type { agentMetadataSchema, agentSchema, agentVersionMetadataSchema, agentVersionSchema } from "@/lib/api/v1/agents/agent-schemas";
import type { agentDocumentSchema } from "@/lib/model/agent-document/agent-document";

const inputs = { type: "object", properties: { question: { type: "string", title: "Question" } }, required: ["question"] };

/** What the agent of the examples is written in. */
const CONTENT = {
  skill_content: "# Sales reader\n\n1. List the workspace's files.\n2. Read the table.\n3. Answer with figures, and name the file.\n",
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
