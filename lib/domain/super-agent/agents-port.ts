import "server-only";
import { requireAgent } from "@/lib/domain/agents/agent-store";
import { listAgents } from "@/lib/domain/agents/list-agents";
import { requestAgentCreation } from "@/lib/domain/builds/request-agent-creation";
import { requestAgentEdit } from "@/lib/domain/builds/request-agent-edit";
import { BudgetShort } from "@/lib/domain/execution/pay/paid-call";
import { accountPrincipal, type Principal } from "@/lib/domain/principal";
import type { Idempotency, ParentCall, Replay } from "@/lib/domain/runs/accept-run";
import { hashRequest, requestRun } from "@/lib/domain/runs/request-run";
import { getRun, type RunView } from "@/lib/domain/runs/run-view";
import type { AgentConfig } from "@/lib/model/agent-config/agent-config-schema";
import { effectiveConfig } from "@/lib/model/agent-config/effective-config";
import { ServiceError } from "@/lib/model/errors";
import type { JsonObject } from "@/lib/model/json-schema/json-value";
import { budgetActionOf, type OnBudget } from "@/lib/model/run/on-budget";
import { toMicros } from "@/lib/model/run/run-result";
import { isTerminal } from "@/lib/model/run/run-status";
import { isUuid } from "@/lib/model/uuid";
import { failpoint } from "@/lib/platform/failpoint";
import { postgres } from "@/lib/platform/postgres";
import type { AgentsPort, ChildRun } from "@/lib/runtime/tools/super-agent-tools";
import { RunPending, type ToolContext, ToolFailure } from "@/lib/runtime/tools/tool";

const LISTED_MAX = 100;

/** Of a super-agent's run, what its calls need. */
export interface ParentRun {
  id: string;
  accountId: string;
  maxCreditsMicros: bigint | null;
  onBudget: OnBudget | null;
  cost: { spentMicros: bigint };
}

/**
 * The account's agents in the hands of one tool call of a super-agent run. What the account may not
 * do, neither may it: blocks, the hourly cap, credits and the run's own `max_credits` hold. A child
 * run is an ordinary run of the account; its end is waited for by the engine, which has the call
 * made again then.
 */
export function agentsPort(
  run: ParentRun,
  { toolCallId, isResumed }: Pick<ToolContext, "toolCallId" | "isResumed">,
): AgentsPort {
  const answer = async (principal: Principal, childId: string): Promise<ChildRun> => {
    const child = await getRun(principal, childId);
    // What waits for credits waits with this run, whose limit, or account, does not cover it.
    if (budgetActionOf(child.requiresAction)) throw new RunPending(childId, true);
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
    const accepted = await refusalsAsFailures(() =>
      request(principal, childIdempotency(run.id, toolCallId, body)).catch((error: unknown) =>
        orShort(run, error),
      ),
    );
    failpoint("child.accepted");
    return answer(principal, "replayed" in accepted ? replayedId(accepted) : accepted.id);
  };
  return {
    list: (search) => list(run, search),
    read: (agentId) => read(run, agentId),
    create: (text) =>
      start({ text }, async (principal, idempotency) =>
        requestAgentCreation(
          principal,
          { text, ...PLAIN_BUILD, ...(await childOf(run, toolCallId)) },
          idempotency,
        ),
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
        requestRun(
          principal,
          "agent",
          { agentId: idOf(agentId), input, ...(await childOf(run, toolCallId)) },
          idempotency,
        ),
      ),
    readRun: async (runId) => {
      if (!(await isChildRun(run, runId)))
        throw new ToolFailure("You have not started such a run.");
      return answer(await requirePrincipal(run), runId);
    },
  };
}

const PLAIN_BUILD = { conversationId: null, webhookUrl: null };

async function requirePrincipal(run: ParentRun): Promise<Principal> {
  const principal = await accountPrincipal(run.accountId);
  if (!principal?.superAgentAccess)
    throw new ToolFailure("The account is no longer on the super-agent's allowlist.");
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
async function findStarted(run: ParentRun, toolCallId: string): Promise<string | null> {
  const { rows } = await postgres().query<{ id: string }>(
    "SELECT id FROM runs WHERE parent_run_id = $1 AND account_id = $2 AND parent_call_id = $3",
    [run.id, run.accountId, toolCallId],
  );
  return rows[0]?.id ?? null;
}

function replayedId(replay: Replay): string {
  return (JSON.parse(replay.body) as { run_id: string }).run_id; // our own stored answer
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
    inputs: effectiveConfig(agent.config as unknown as AgentConfig).inputs, // stored only after validation
    skill_content: agent.skillContent,
    config_content: agent.configContent,
  };
}

function idOf(text: string): string {
  if (!isUuid(text))
    throw new ToolFailure("There is no such agent: an agent_id is a uuid that list_agents gives.");
  return text.toLowerCase();
}

/**
 * A child may cost what the run and those that it has started leave of the run's own limit; null
 * without one.
 */
async function childOf(
  run: ParentRun,
  toolCallId: string,
): Promise<{
  parent: ParentCall;
  maxCreditsMicros: bigint | null;
  onBudget: OnBudget | null;
}> {
  const remaining = await remainingMicros(run);
  return {
    parent: { runId: run.id, toolCallId },
    maxCreditsMicros: remaining !== null && remaining < 0n ? 0n : remaining,
    // Its agent's config does not decide for the run that waits for it.
    onBudget: run.onBudget ?? "fail",
  };
}

/**
 * A run that cannot be started for want of credits is a step that is not covered. What this run
 * holds for its own next turn does not pay for it. What the agent's own limit refuses no raise of
 * this run's would let pass. @throws BudgetShort where this run waits then; else what it is given
 */
async function orShort(run: ParentRun, error: unknown): Promise<never> {
  const required = error instanceof ServiceError ? error.extras.required : undefined;
  if (!(error instanceof ServiceError) || run.onBudget !== "wait" || required === undefined)
    throw error;
  const remaining = await remainingMicros(run);
  const isOfAgent = remaining === null || remaining >= toMicros(required);
  if ("max_credits" in error.extras && isOfAgent) throw error;
  const { rows } = await postgres().query<{ held: string }>(
    "SELECT amount_micros AS held FROM credit_holds WHERE run_id = $1 AND account_id = $2",
    [run.id, run.accountId],
  );
  throw new BudgetShort(toMicros(required) + BigInt(rows[0]?.held ?? 0));
}

async function refusalsAsFailures<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ServiceError) throw new ToolFailure(`${error.code}: ${error.message}`);
    throw error;
  }
}

/**
 * The route under which the idempotency keys of a super-agent's child runs stand: `<run id>:<tool
 * call id>`. The surfaces' routes are named otherwise.
 */
const CHILD_ROUTE = "superAgentChild";

/** Whether a super-agent run has started this run. */
async function isChildRun(run: ParentRun, runId: string): Promise<boolean> {
  if (!isUuid(runId)) return false;
  const { rowCount } = await postgres().query(
    "SELECT 1 FROM runs WHERE id = $1 AND account_id = $2 AND parent_run_id = $3",
    [runId, run.accountId, run.id],
  );
  return rowCount === 1;
}

/**
 * What a super-agent run and the runs that it started may still cost, in millionths of a credit,
 * less what those hold; null without a `max_credits`.
 */
async function remainingMicros(run: ParentRun): Promise<bigint | null> {
  if (run.maxCreditsMicros === null) return null;
  const { rows } = await postgres().query<{ taken: string }>(
    `SELECT coalesce(sum((SELECT coalesce(sum(u.credits_micros), 0) FROM run_usage u WHERE u.run_id = c.id)
       + coalesce((SELECT h.amount_micros FROM credit_holds h WHERE h.run_id = c.id), 0)), 0) AS taken
     FROM runs c WHERE c.account_id = $1 AND c.parent_run_id = $2`,
    [run.accountId, run.id],
  );
  return run.maxCreditsMicros - run.cost.spentMicros - BigInt(rows[0]?.taken ?? 0);
}

/** What a super-agent's model is told of a run that it started. */
function toChildRun(run: RunView): ChildRun {
  return {
    run_id: run.id,
    status: run.status,
    ...(run.agentId && { agent_id: run.agentId }),
    ...(run.result && {
      text: run.result.text,
      ...(run.result.agent_name && { agent_name: run.result.agent_name }),
    }),
    ...(run.result?.build && { build: { ...run.result.build } }),
    ...(run.result?.data !== undefined && { data: run.result.data as ChildRun["status"] }), // stored as JSON
    ...(run.result &&
      run.result.artifacts.length > 0 && {
        artifacts: run.result.artifacts.map(({ id, title }) => ({ id, title })),
      }),
    ...(run.error && { error: run.error.message, error_code: run.error.code }),
    ...(isTerminal(run.status) && { credits: run.usage.credits }),
    ...(!isTerminal(run.status) && { note: noteFor(run) }),
  };
}

function noteFor(run: RunView): string {
  if (run.requiresAction?.type === "client_tool")
    return "The run waits for results of client tools, which only the account's own program can post. Say so in your answer.";
  if (run.requiresAction?.type === "question")
    return "The run asks a person a question, which they answer on its page. Say so in your answer.";
  if (run.requiresAction) return "The run waits for a person's approval. Say so in your answer.";
  return "The run has not ended. Call read_run with its run_id to wait for it.";
}
