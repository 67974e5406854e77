import "server-only";
import { requireAgent } from "@/lib/domain/agents/agent-store";
import { listAgents } from "@/lib/domain/agents/list-agents";
import { requestAgentCreation } from "@/lib/domain/builds/request-agent-creation";
import { requestAgentEdit } from "@/lib/domain/builds/request-agent-edit";
import {
  childRuns,
  type ParentRun,
  refusalsAsFailures,
} from "@/lib/domain/execution/tools/child-runs";
import { accountPrincipal, type Principal } from "@/lib/domain/principal";
import { requestRun } from "@/lib/domain/runs/request-run";
import type { AgentConfig } from "@/lib/model/agent-config/agent-config-schema";
import { effectiveConfig } from "@/lib/model/agent-config/effective-config";
import type { JsonObject } from "@/lib/model/json-schema/json-value";
import { isUuid } from "@/lib/model/uuid";
import type { AgentsPort } from "@/lib/runtime/tools/super-agent-tools";
import { type ToolContext, ToolFailure } from "@/lib/runtime/tools/tool";

const LISTED_MAX = 100;

/**
 * The account's agents in the hands of one tool call of a super-agent run. What the account may not
 * do, neither may it: blocks, the hourly cap, credits and the run's own `max_credits` hold.
 */
export function agentsPort(
  run: ParentRun,
  call: Pick<ToolContext, "toolCallId" | "isResumed">,
): AgentsPort {
  const { start, read: readRun } = childRuns(run, call, () => requirePrincipal(run));
  return {
    list: (search) => list(run, search),
    read: (agentId) => read(run, agentId),
    create: (text) =>
      start({ text }, (principal, child, idempotency) =>
        requestAgentCreation(principal, { text, ...PLAIN_BUILD, ...child }, idempotency),
      ),
    edit: (agentId, text) =>
      start({ agentId, text }, (principal, child, idempotency) =>
        requestAgentEdit(
          principal,
          idOf(agentId),
          { text, ...PLAIN_BUILD, releaseNote: null, ...child },
          idempotency,
        ),
      ),
    run: (agentId, input) =>
      start({ agentId, input }, (principal, child, idempotency) =>
        requestRun(principal, "agent", { agentId: idOf(agentId), input, ...child }, idempotency),
      ),
    readRun,
  };
}

const PLAIN_BUILD = { conversationId: null, webhookUrl: null };

async function requirePrincipal(run: ParentRun): Promise<Principal> {
  const principal = await accountPrincipal(run.accountId);
  if (!principal?.superAgentAccess)
    throw new ToolFailure("The account is no longer on the super-agent's allowlist.");
  return principal;
}

async function list(run: ParentRun, search: string | null) {
  const page = await listAgents(await requirePrincipal(run), {
    limit: LISTED_MAX,
    cursor: null,
    status: "active",
    search,
  });
  return page.data.map(({ id, name, description, version }) => ({
    agent_id: id,
    name,
    description,
    version,
  }));
}

async function read(run: ParentRun, agentId: string): Promise<JsonObject> {
  const principal = await requirePrincipal(run);
  const agent = await refusalsAsFailures(() => requireAgent(principal, idOf(agentId)));
  return {
    agent_id: agent.id,
    name: agent.name,
    description: agent.description,
    status: agent.status,
    version: agent.version,
    write_autonomy: agent.writeAutonomy,
    // Stored only after validation.
    inputs: effectiveConfig(agent.config as unknown as AgentConfig).inputs,
    skill_content: agent.skillContent,
    config_content: agent.configContent,
  };
}

function idOf(text: string): string {
  if (!isUuid(text))
    throw new ToolFailure("There is no such agent: an agent_id is a uuid that list_agents gives.");
  return text.toLowerCase();
}
