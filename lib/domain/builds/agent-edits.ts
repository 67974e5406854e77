import "server-only";
import { requireAgent } from "@/lib/domain/agents/agent-store";
import type { Page, PageRequest } from "@/lib/domain/page";
import type { Principal } from "@/lib/domain/principal";
import { listRuns } from "@/lib/domain/runs/list-runs";
import { getRun, type RunView } from "@/lib/domain/runs/run-view";
import { ServiceError } from "@/lib/model/errors";

/**
 * An edit run of the account's agent. @throws ServiceError AGENT_NOT_FOUND, RUN_NOT_FOUND (also for
 * another agent's edit, or a run of another kind)
 */
export async function getAgentEdit(
  principal: Principal,
  agentId: string,
  runId: string,
): Promise<RunView> {
  await requireAgent(principal, agentId);
  const run = await getRun(principal, runId, ["agent_edit"]);
  if (run.agentId !== agentId) throw new ServiceError("RUN_NOT_FOUND", "There is no such run.");
  return run;
}

/** The edit runs of the account's agent, newest first. @throws ServiceError AGENT_NOT_FOUND */
export async function listAgentEdits(
  principal: Principal,
  agentId: string,
  page: PageRequest,
): Promise<Page<RunView>> {
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
