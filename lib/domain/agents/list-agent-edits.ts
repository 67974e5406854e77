import "server-only";
import { requireAgent } from "@/lib/domain/agents/require-agent";
import type { Page, PageRequest } from "@/lib/domain/page";
import type { Principal } from "@/lib/domain/principal";
import { listRuns } from "@/lib/domain/runs/list-runs";
import type { RunView } from "@/lib/domain/runs/run-view";

/** The edit runs of the account's agent, newest first. @throws ServiceError AGENT_NOT_FOUND */
export async function listAgentEdits(principal: Principal, agentId: string, page: PageRequest): Promise<Page<RunView>> {
  await requireAgent(principal, agentId);
  return listRuns(principal, page, {
    kinds: ["agent_edit"],
    statuses: null,
    agentId,
    conversationId: null,
    createdAfter: null,
    createdBefore: null,
    metadata: {},
  });
}
