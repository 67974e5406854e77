import "server-only";
import { accountPrincipal } from "@/lib/domain/account/account-principal";
import { listAgents } from "@/lib/domain/agents/list-agents";
import { requestAgentCreation } from "@/lib/domain/agents/request-agent-creation";
import { requestAgentEdit } from "@/lib/domain/agents/request-agent-edit";
import { requireAgent } from "@/lib/domain/agents/require-agent";
import type { LoadedRun } from "@/lib/domain/execution/load-run";
import type { Principal } from "@/lib/domain/principal";
import type { ParentCall } from "@/lib/domain/runs/accept-run";
import { getRun } from "@/lib/domain/runs/get-run";
import { hashRequest, type Idempotency, type Replay } from "@/lib/domain/runs/idempotency";
import { requestRun } from "@/lib/domain/runs/request-run";
import type { RunView } from "@/lib/domain/runs/run-view";
import { CHILD_ROUTE } from "@/lib/domain/super-agent/child-route";
import { isChildRun } from "@/lib/domain/super-agent/is-child-run";
import { remainingMicros } from "@/lib/domain/super-agent/remaining-micros";
import { toChildRun } from "@/lib/domain/super-agent/to-child-run";
import type { AgentConfig } from "@/lib/model/agent-config/agent-config-schema";
import { effectiveConfig } from "@/lib/model/agent-config/effective-config";
import { ServiceError } from "@/lib/model/errors";
import type { JsonObject } from "@/lib/model/json-schema/json-value";
import { isTerminal } from "@/lib/model/run/run-status";
import { isUuid } from "@/lib/model/uuid";
import { failpoint } from "@/lib/platform/failpoint";
import { postgres } from "@/lib/platform/postgres";
import { RunPending } from "@/lib/runtime/tools/run-pending";
import type { AgentsPort, ChildRun } from "@/lib/runtime/tools/super-agent/agents-port";
import type { ToolContext } from "@/lib/runtime/tools/tool";
import { ToolFailure } from "@/lib/runtime/tools/tool-failure";

const LISTED_MAX = 100;

/**
 * The account's agents in the hands of one tool call of a super-agent run. What the account may not do, neither may it: blocks, the hourly cap, credits and
 * the run's own `max_credits` hold. A child run is an ordinary run of the account; its end is waited for by the engine, which has the call made again then.
 */
export function agentsPort(run: LoadedRun, { toolCallId, isResumed }: Pick<ToolContext, "toolCallId" | "isResumed">): AgentsPort {
  const answer = async (principal: Principal, childId: string): Promise<ChildRun> => {
    const child = await getRun(principal, childId);
    // A run that waits for a person may wait for a day: the model is told at once.
    if (isTerminal(child.status) || child.requiresAction || isResumed) return toChildRun(child);
    throw new RunPending(childId);
  };
  const start = async (
    body: unknown,
    request: (principal: Principal, idempotency: Idempotency) => Promise<RunView | Replay>,
  ): Promise<ChildRun> => {
    const principal = await requirePrincipal(run);
    const started = await findStarted(run, toolCallId);
    if (started) return answer(principal, started);
    const accepted = await refusalsAsFailures(() => request(principal, childIdempotency(run.id, toolCallId, body)));
    failpoint("child.accepted");
    return answer(principal, "replayed" in accepted ? replayedId(accepted) : accepted.id);
  };
  return {
    list: (search) => list(run, search),
    read: (agentId) => read(run, agentId),
    create: (text) =>
      start({ text }, async (principal, idempotency) =>
        requestAgentCreation(principal, { text, ...PLAIN_BUILD, ...(await childOf(run, toolCallId)) }, idempotency),
      ),
    edit: (agentId, text) =>
      start({ agentId, text }, async (principal, idempotency) =>
        requestAgentEdit(
          principal,
          idOf(agentId),
          { text, ...PLAIN_BUILD, releaseNote: null, ...(await childOf(run, toolCallId)) },
          idempotency,
        ),
      ),
    run: (agentId, input) =>
      start({ agentId, input }, async (principal, idempotency) =>
        requestRun(principal, "agent", { ...PLAIN_RUN, agentId: idOf(agentId), input, ...(await childOf(run, toolCallId)) }, idempotency),
      ),
    readRun: async (runId) => {
      if (!(await isChildRun(run, runId))) throw new ToolFailure("You have not started such a run.");
      return answer(await requirePrincipal(run), runId);
    },
  };
}

const PLAIN_BUILD = { conversationId: null, webhookUrl: null };
const PLAIN_RUN = {
  conversationId: null,
  workspaceId: null,
  webhookUrl: null,
  shouldNotify: false,
  model: null,
  metadata: {},
};

async function requirePrincipal(run: LoadedRun): Promise<Principal> {
  const principal = await accountPrincipal(run.accountId);
  if (!principal?.superAgentAccess) throw new ToolFailure("The account is no longer on the super-agent's allowlist.");
  return principal;
}

/** A repeated step finds the child that it started. */
function childIdempotency(runId: string, toolCallId: string, body: unknown): Idempotency {
  return {
    route: CHILD_ROUTE,
    key: `${runId}:${toolCallId}`,
    requestHash: hashRequest(body),
    answer: (child) => ({ status: 202, body: JSON.stringify({ run_id: child.id }) }),
  };
}

/** The run that this call has started before its step was repeated. */
async function findStarted(run: LoadedRun, toolCallId: string): Promise<string | null> {
  const { rows } = await postgres().query<{ id: string }>(
    "SELECT id FROM runs WHERE parent_run_id = $1 AND account_id = $2 AND parent_call_id = $3",
    [run.id, run.accountId, toolCallId],
  );
  return rows[0]?.id ?? null;
}

function replayedId(replay: Replay): string {
  return (JSON.parse(replay.body) as { run_id: string }).run_id; // our own stored answer
}

async function list(run: LoadedRun, search: string | null) {
  const page = await listAgents(await requirePrincipal(run), { limit: LISTED_MAX, cursor: null, status: "active", search });
  return page.data.map(({ id, name, description, version }) => ({ agent_id: id, name, description, version }));
}

async function read(run: LoadedRun, agentId: string): Promise<JsonObject> {
  const principal = await requirePrincipal(run);
  const agent = await refusalsAsFailures(() => requireAgent(principal, idOf(agentId)));
  return {
    agent_id: agent.id,
    name: agent.name,
    description: agent.description,
    status: agent.status,
    version: agent.version,
    write_autonomy: agent.writeAutonomy,
    inputs: effectiveConfig(agent.config as unknown as AgentConfig).inputs, // stored only after validation
    skill_content: agent.skillContent,
    config_content: agent.configContent,
  };
}

function idOf(text: string): string {
  if (!isUuid(text)) throw new ToolFailure("There is no such agent: an agent_id is a uuid that list_agents gives.");
  return text.toLowerCase();
}

/** A child may cost what the run and those that it has started leave of the run's own limit; null without one. */
async function childOf(run: LoadedRun, toolCallId: string): Promise<{ parent: ParentCall; maxCreditsMicros: bigint | null }> {
  const remaining = await remainingMicros(run);
  return { parent: { runId: run.id, toolCallId }, maxCreditsMicros: remaining !== null && remaining < 0n ? 0n : remaining };
}

async function refusalsAsFailures<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ServiceError) throw new ToolFailure(`${error.code}: ${error.message}`);
    throw error;
  }
}
