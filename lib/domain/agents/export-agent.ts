import "server-only";
import { requireAgent } from "@/lib/domain/agents/agent-store";
import type { Principal } from "@/lib/domain/principal";
import { type AgentDocument, agentDocumentToText } from "@/lib/model/agent-document/agent-document";

/**
 * The account's agent, an archived one too, as one YAML document that `importAgent` takes. @throws
 * ServiceError AGENT_NOT_FOUND
 */
export async function exportAgent(
  principal: Principal,
  agentId: string,
): Promise<{ name: string; text: string }> {
  const agent = await requireAgent(principal, agentId);
  const document = {
    kind: "agent",
    format: 1,
    name: agent.name,
    description: agent.description,
    version: agent.version,
    write_autonomy: agent.writeAutonomy,
    skill_content: agent.skillContent,
    config: agent.config,
    dashboard_template: agent.dashboardTemplate,
  } as AgentDocument; // stored only after validation; the columns' types know less
  return { name: agent.name, text: agentDocumentToText(document, agent.configContent) };
}
