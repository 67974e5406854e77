import "server-only";
import { BudgetShort } from "@/lib/domain/execution/pay/paid-call";
import type { Principal } from "@/lib/domain/principal";
import type { Idempotency, ParentCall, Replay } from "@/lib/domain/runs/accept-run";
import { hashRequest } from "@/lib/domain/runs/request-run";
import { getRun, type RunView } from "@/lib/domain/runs/run-view";
import { ServiceError } from "@/lib/model/errors";
import { budgetActionOf, type OnBudget } from "@/lib/model/run/on-budget";
import { toMicros } from "@/lib/model/run/run-result";
import { isTerminal } from "@/lib/model/run/run-status";
import { isUuid } from "@/lib/model/uuid";
import { callSql } from "@/lib/platform/call-sql";
import { failpoint } from "@/lib/platform/failpoint";
import { postgres } from "@/lib/platform/postgres";
import type { ChildRun } from "@/lib/runtime/tools/super-agent-tools";
import { RunPending, type ToolContext, ToolFailure } from "@/lib/runtime/tools/tool";

/** Of a run that starts others, what its calls need. */
export interface ParentRun {
  id: string;
  accountId: string;
  maxCreditsMicros: bigint | null;
  onBudget: OnBudget | null;
}

/** What a request for a child says of its parent. */
export interface ChildOf {
  parent: ParentCall;
  /** What it may cost at most, in millionths of a credit. */
  maxCreditsMicros: bigint | null;
  /** Its agent's config does not decide for the run that waits for it. */
  onBudget: OnBudget;
}

/** The runs that one call of a run starts, and how it waits for them. */
export interface ChildRuns {
  /**
   * Starts a run, once however often the call is made, and answers how it ended.
   * @param body what tells this request from another
   * @throws ToolFailure for what the service refuses; RunPending while it works
   */
  start(
    body: unknown,
    request: (
      principal: Principal,
      child: ChildOf,
      idempotency: Idempotency,
    ) => Promise<RunView | Replay>,
  ): Promise<ChildRun>;
  /** The same of one that an earlier call has started. */
  read(runId: string): Promise<ChildRun>;
}

/**
 * What one tool call of a run may do with runs below it: a child is an ordinary run of the account;
 * its end is waited for by the engine, which has the call made again then.
 * @param principalOf whose right it is to start runs; throws `ToolFailure` where it is not
 */
export function childRuns(
  run: ParentRun,
  { toolCallId, isResumed }: Pick<ToolContext, "toolCallId" | "isResumed">,
  principalOf: () => Promise<Principal>,
): ChildRuns {
  const answer = async (principal: Principal, childId: string): Promise<ChildRun> => {
    const child = await getRun(principal, childId);
    // What waits for credits waits with this run, whose limit, or account, does not cover it.
    if (budgetActionOf(child.requiresAction)) throw new RunPending(childId, true);
    // A run that waits for a person may wait for a day: the model is told at once.
    if (isTerminal(child.status) || child.requiresAction || isResumed) return toChildRun(child);
    throw new RunPending(childId);
  };
  return {
    async start(body, request) {
      const principal = await principalOf();
      const started = await findStarted(run, toolCallId);
      if (started) return answer(principal, started);
      const child = await childOf(run, toolCallId);
      const accepted = await refusalsAsFailures(() =>
        request(principal, child, childIdempotency(run.id, toolCallId, body)).catch(
          (error: unknown) => orShort(run, child.maxCreditsMicros, error),
        ),
      );
      failpoint("child.accepted");
      return answer(principal, "replayed" in accepted ? replayedId(accepted) : accepted.id);
    },
    async read(runId) {
      if (!(await isChildRun(run, runId)))
        throw new ToolFailure("You have not started such a run.");
      return answer(await principalOf(), runId);
    },
  };
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

/**
 * The route under which the idempotency keys of child runs stand: `<run id>:<tool call id>`. The
 * surfaces' routes are named otherwise.
 */
const CHILD_ROUTE = "superAgentChild";

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

/**
 * A child may cost what the run, those above it and those below them leave of their limits; null
 * without one.
 */
async function childOf(run: ParentRun, toolCallId: string): Promise<ChildOf> {
  const [room] = await callSql(postgres(), "run_room", {
    run: run.id,
    account: run.accountId,
    max: run.maxCreditsMicros,
    root: run.id,
  });
  const value = room?.value ?? null;
  const left = value === null ? null : BigInt(value);
  return {
    parent: { runId: run.id, toolCallId },
    maxCreditsMicros: left !== null && left < 0n ? 0n : left,
    onBudget: run.onBudget ?? "fail",
  };
}

/**
 * A run that cannot be started for want of credits is a step that is not covered. What this run
 * holds for its own next turn does not pay for it. What the agent's own limit refuses no raise of
 * this run's would let pass. @throws BudgetShort where this run waits then; else what it is given
 */
async function orShort(run: ParentRun, left: bigint | null, error: unknown): Promise<never> {
  const required = error instanceof ServiceError ? error.extras.required : undefined;
  if (!(error instanceof ServiceError) || run.onBudget !== "wait" || required === undefined)
    throw error;
  const isOfAgent = left === null || left >= toMicros(required);
  if ("max_credits" in error.extras && isOfAgent) throw error;
  const { rows } = await postgres().query<{ held: string }>(
    "SELECT amount_micros AS held FROM credit_holds WHERE run_id = $1 AND account_id = $2",
    [run.id, run.accountId],
  );
  throw new BudgetShort(toMicros(required) + BigInt(rows[0]?.held ?? 0));
}

/** What the service refuses, in words for a model. */
export async function refusalsAsFailures<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ServiceError) throw new ToolFailure(`${error.code}: ${error.message}`);
    throw error;
  }
}

/** Whether this run has started that one. */
async function isChildRun(run: ParentRun, runId: string): Promise<boolean> {
  if (!isUuid(runId)) return false;
  const { rowCount } = await postgres().query(
    "SELECT 1 FROM runs WHERE id = $1 AND account_id = $2 AND parent_run_id = $3",
    [runId, run.accountId, run.id],
  );
  return rowCount === 1;
}

/** What a run's model is told of a run that it started. */
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
    // Stored as JSON.
    ...(run.result?.data !== undefined && { data: run.result.data as ChildRun["status"] }),
    ...(run.result &&
      run.result.artifacts.length > 0 && {
        artifacts: run.result.artifacts.map(({ id, title, name }) => ({ id, title, name })),
      }),
    ...(run.error && { error: run.error.message, error_code: run.error.code }),
    ...(isTerminal(run.status) && { credits: run.usage.credits }),
    ...(!isTerminal(run.status) && { note: noteFor(run) }),
  };
}

function noteFor(run: RunView): string {
  if (run.requiresAction?.type === "client_tool")
    return (
      "The run waits for results of client tools, which only the account's own program can " +
      "post. Say so in your answer."
    );
  if (run.requiresAction?.type === "question")
    return (
      "The run asks a person a question, which they answer on its page. Say so in your " + "answer."
    );
  if (run.requiresAction) return "The run waits for a person's approval. Say so in your answer.";
  return "The run has not ended. Call read_run with its run_id to wait for it.";
}
