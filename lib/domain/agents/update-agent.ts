import "server-only";
import { takeHourlyWrite } from "@/lib/domain/account/take-hourly-write";
import type { AgentRecord } from "@/lib/domain/agents/agent-record";
import { type AgentChangeRequest, type CheckedAgentChange, checkAgentChange } from "@/lib/domain/agents/check-agent-change";
import { lockAgent } from "@/lib/domain/agents/lock-agent";
import { requireActive } from "@/lib/domain/agents/require-agent";
import { type AgentState, storeAgentState } from "@/lib/domain/agents/store-agent-state";
import type { Principal } from "@/lib/domain/principal";
import { rewriteConfigText } from "@/lib/model/agent-config/rewrite-config-text";
import { ServiceError } from "@/lib/model/errors";
import type { JsonValue } from "@/lib/model/json-schema/json-value";
import { sameJson } from "@/lib/model/json-schema/same-json";
import { WorkBudget } from "@/lib/model/json-schema/work-budget";
import { transaction } from "@/lib/storage/transaction";

/**
 * Replaces what is given and keeps the outcome as a new version; what changes nothing stores nothing. `config` and `configContent` say the same
 * ever after. Nothing is stored when it throws.
 * @param isExpected whether the caller's idea of the agent (an `If-Match`) still holds; asked under the agent's lock
 * @throws ServiceError INVALID_INPUT, AGENT_NOT_FOUND, CONFLICT (archived), VERSION_CONFLICT, RATE_LIMITED
 */
export async function updateAgent(
  principal: Principal,
  agentId: string,
  request: AgentChangeRequest,
  isExpected: (agent: AgentRecord) => boolean = () => true,
): Promise<AgentRecord> {
  const change = await checkAgentChange(request);
  return transaction(async (tx) => {
    const agent = await lockAgent(tx, principal, agentId);
    requireActive(agent);
    if (!isExpected(agent)) {
      throw new ServiceError("VERSION_CONFLICT", "The agent was changed since you read it. Fetch it again and make your change on that.");
    }
    await takeHourlyWrite(tx, principal);
    const state = nextState(agent, change);
    if (isSameState(agent, state)) return agent;
    return storeAgentState(tx, principal, agent, state, { source: "patch", releaseNote: change.releaseNote ?? null, runId: null });
  });
}

function nextState(agent: AgentRecord, change: CheckedAgentChange): AgentState {
  return {
    name: change.name ?? agent.name,
    description: change.description === undefined ? agent.description : change.description,
    version: change.version ?? agent.version,
    writeAutonomy: change.writeAutonomy ?? agent.writeAutonomy,
    skillContent: change.skillContent ?? agent.skillContent,
    // Checked as JSON before; the column's type knows less.
    dashboardTemplate: (change.dashboardTemplate === undefined
      ? agent.dashboardTemplate
      : change.dashboardTemplate) as AgentState["dashboardTemplate"],
    ...nextConfig(agent, change),
  };
}

/** A text that says the config already is kept as it is, comments and all; else it is rewritten from the new text, or the stored one. */
function nextConfig(agent: AgentRecord, { config, configText }: CheckedAgentChange): Pick<AgentState, "config" | "configContent"> {
  if (!config) return { config: agent.config, configContent: agent.configContent };
  return { config: config as AgentState["config"], configContent: rewriteConfigText(configText ?? agent.configContent, config) }; // checked JSON
}

function isSameState(agent: AgentState, state: AgentState): boolean {
  const texts = ["name", "description", "version", "writeAutonomy", "skillContent", "configContent"] as const;
  return (
    texts.every((field) => agent[field] === state[field]) &&
    isSameJson(agent.config, state.config) &&
    isSameJson(agent.dashboardTemplate, state.dashboardTemplate)
  );
}

/** Both are bounded to 8,000 values by their formats. */
function isSameJson(left: AgentState["config"], right: AgentState["config"]): boolean {
  return sameJson(left as JsonValue, right as JsonValue, new WorkBudget(100_000)); // stored and checked as JSON
}
