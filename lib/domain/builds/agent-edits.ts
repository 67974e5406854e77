import "server-only";
import { requireAgent } from "@/lib/domain/agents/agent-store";
import { getRunAndActions } from "@/lib/domain/execution/trace/read-run-actions";
import type { Page, PageRequest } from "@/lib/domain/page";
import type { Principal } from "@/lib/domain/principal";
import { listRuns } from "@/lib/domain/runs/list-runs";
import { noSuchRun, type RunView } from "@/lib/domain/runs/run-view";
import type { RunActions } from "@/lib/model/run/run-action";

/**
 * An edit run of the account's agent, with what it did and read where it has ended. @throws
 * ServiceError AGENT_NOT_FOUND, RUN_NOT_FOUND (also for another agent's edit, or a run of another
 * kind)
 */
export async function getAgentEdit(
  principal: Principal,
  agentId: string,
  runId: string,
): Promise<{ run: RunView; actions: RunActions | null }> {
  await requireAgent(principal, agentId);
  const found = await getRunAndActions(principal, runId, ["agent_edit"]);
  if (found.run.agentId !== agentId) throw noSuchRun();
  return found;
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
