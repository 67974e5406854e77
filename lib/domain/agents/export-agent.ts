import "server-only";
import { requireAgent } from "@/lib/domain/agents/agent-store";
import { listCases } from "@/lib/domain/datasets/agent-cases";
import type { Principal } from "@/lib/domain/principal";
import { workOnRequest } from "@/lib/domain/work-on-request";
import { toAgentDocument } from "@/lib/model/agent-document/agent-document";

/** A document at its limits has some four million, half of which quotes double. */
const TEXT_MAX_CHARACTERS = 16_000_000;

/**
 * The account's agent with its cases, an archived one too, as one YAML document that `importAgent`
 * takes. What a person approved for it stays here: a document is a text that anybody may change.
 * @throws ServiceError AGENT_NOT_FOUND
 */
export async function exportAgent(
  principal: Principal,
  agentId: string,
): Promise<{ name: string; text: string }> {
  const agent = await requireAgent(principal, agentId);
  const document = toAgentDocument(agent, await listCases(principal.accountId, agentId));
  const { configContent } = agent;
  const text = await workOnRequest(
    "write-agent-document",
    { document, configContent },
    { account: principal.accountId, field: "", answerMaxCharacters: TEXT_MAX_CHARACTERS },
  );
  return { name: agent.name, text };
}
