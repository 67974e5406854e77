import type { JsonObject } from "@/lib/model/json-schema/json-value";

export const WRITE_AUTONOMIES = ["full_auto", "approval_required", "blocked"] as const;
export type WriteAutonomy = (typeof WRITE_AUTONOMIES)[number];

/** An agent as lists carry it (specification §2.2). */
export interface Agent {
  agent_id: string;
  name: string;
  description: string | null;
  version: string;
  status: string;
  write_autonomy: WriteAutonomy;
  created_at: string;
  updated_at: string;
}

/** One agent, fetched singly. */
export interface AgentRecord extends Agent {
  skill_content: string;
  config_content: string;
  config: JsonObject;
  inputs_schema: JsonObject | null;
}
