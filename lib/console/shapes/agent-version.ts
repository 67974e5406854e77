import type { AgentRecord } from "@/lib/console/shapes/agent";

/** What lists carry of a version: all but its texts. */
export interface AgentVersionMetadata {
  version_id: string;
  /** Counts up from 1 within the agent. */
  number: number;
  version: string;
  release_note: string | null;
  source: "create" | "patch" | "edit" | "restore";
  /** The creation or edit run that made it. */
  run_id: string | null;
  created_at: string;
}

/** What an agent says: the fields that versions keep and compare. */
export type AgentContent = Pick<
  AgentRecord,
  "name" | "description" | "version" | "write_autonomy" | "skill_content" | "config_content" | "dashboard_template"
>;

/** An agent as it was. Immutable. */
export interface AgentVersion extends AgentVersionMetadata, AgentContent {
  version: string;
}
