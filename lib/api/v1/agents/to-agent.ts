import "server-only";
import type { AgentRecord as Agent } from "@/lib/domain/agents/agent-store";
import type { AgentMetadata } from "@/lib/domain/agents/list-agents";

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
