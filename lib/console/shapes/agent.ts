import type { JsonObject } from "@/lib/model/json-schema/json-value";
import type { WriteAutonomy } from "@/lib/model/write-autonomy";

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
  dashboard_template: JsonObject | null;
  current_version_id: string;
}
