import "server-only";
import type { JsonObject, JsonValue } from "@/lib/model/json-schema/json-value";

/** An agent of the account, as the super-agent's model sees it. */
export interface AgentSummary extends JsonObject {
  agent_id: string;
  name: string;
  description: string | null;
}

/** A run that the super-agent started. While it is not terminal, `note` says how to go on. */
export interface ChildRun extends JsonObject {
  run_id: string;
  status: string;
}

/**
 * What the super-agent may do with the account's agents. Each call that starts a run starts it once, however often its step is repeated, and waits for
 * its end for a bounded time. Throws `ToolFailure` for what the service refuses.
 */
export interface AgentsPort {
  list(search: string | null): Promise<AgentSummary[]>;
  /** With its skill, config and inputs. */
  read(agentId: string): Promise<JsonObject>;
  create(request: string): Promise<ChildRun>;
  edit(agentId: string, request: string): Promise<ChildRun>;
  run(agentId: string, input: { [name: string]: JsonValue }): Promise<ChildRun>;
  /** A run that this super-agent run started. */
  readRun(runId: string): Promise<ChildRun>;
}
