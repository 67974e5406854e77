import "server-only";
import type { Reply } from "@/lib/api/http/operation";
import { agentETag, toAgent } from "@/lib/api/v1/agents/to-agent";
import type { AgentRecord } from "@/lib/domain/agents/agent-store";

/** The full record with its `ETag`; of a new agent with its `Location` too. */
export function agentReply(agent: AgentRecord, status: 200 | 201 = 200): Reply {
  const headers = { ETag: agentETag(agent) };
  return { status, body: toAgent(agent), headers: status === 201 ? { ...headers, Location: `/v1/agents/${agent.id}` } : headers };
}
