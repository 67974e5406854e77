import "server-only";
import { payerOf } from "@/lib/domain/execution/pay/paid-call";
import type { AskOutcome, BudgetRequest } from "@/lib/domain/execution/permission/requests";
import { loadRun } from "@/lib/domain/execution/run/load-run";
import type { LoadedRun, RunPrograms } from "@/lib/domain/execution/run/loaded-run";
import type { RunStep } from "@/lib/domain/execution/session/run-step";
import { withRunLog } from "@/lib/domain/execution/session/with-run-log";
import { runConfig } from "@/lib/domain/execution/tools/run-tools";
import { runLimits } from "@/lib/domain/execution/turn/run-limits";
import { insertNotification } from "@/lib/domain/notifications/insert-notification";
import { settleRun } from "@/lib/domain/runs/settle-run";
import { dispatch } from "@/lib/engine/client";
import { appendRunLog } from "@/lib/engine/events/append-run-log";
import { type BudgetAction, suggestedLimit } from "@/lib/model/run/on-budget";
import { isOfSuperAgent, type RunKind } from "@/lib/model/run/run-status";
import { callSql } from "@/lib/platform/call-sql";
import { failpoint } from "@/lib/platform/failpoint";
import { newId } from "@/lib/platform/ids";
import { postgres, type Transaction, transaction, withinAccount } from "@/lib/platform/postgres";

// A run that waits for credits, from the call that they do not cover to the step that makes it all
// the same. It holds no place and no credits meanwhile.

/**
 * Names the wait beforehand, so that the engine waits for its end before anybody can end it.
 * @param leastMicros what the next call costs at least, in millionths of a credit
 */
export function prepareBudgetWait(run: LoadedRun, leastMicros: bigint): BudgetRequest {
  return {
    waitId: newId(),
    leastMicros: String(leastMicros),
    timeoutSeconds: runConfig(run).limits.approval_timeout_seconds,
  };
}

/** Of a run whose person has used up their day: nothing that is raised has it go on. */
type StoreOutcome = AskOutcome["outcome"] | "refused";

/**
 * Has a run wait for credits: stores the wait, says on the run what it requires, gives back what it
 * holds, and shows the event, all at once. Repeated after a crash it does what is left of this. A
 * run whose person has used up their day waits for nothing: it fails.
 * @param toolCallId the call that waits; null: the turn does
 */
export async function requestBudget(
  programs: RunPrograms,
  runId: string,
  turn: number,
  toolCallId: string | null,
  request: BudgetRequest,
): Promise<AskOutcome> {
  return withRunLog<AskOutcome>(runId, { outcome: "ended" }, async (step, session) => {
    failpoint("budget.waiting");
    const run = await loadRun(programs, runId, session.known);
    const outcome = await withinAccount(run.accountId, () =>
      transaction((tx) => storeWait(tx, run, turn, toolCallId, request, step)),
    );
    failpoint("budget.asked");
    if (outcome !== "refused") return { outcome };
    await settleRun(runId, { status: "failed", error: DAY_IS_USED_UP }, step.log);
    return { outcome: "ended" };
  });
}

const DAY_IS_USED_UP = {
  code: "BUDGET_EXCEEDED",
  message: "The next step may cost more than is left of what the run's end user may use today.",
} as const;

async function storeWait(
  tx: Transaction,
  run: LoadedRun,
  turn: number,
  toolCallId: string | null,
  { waitId, leastMicros, timeoutSeconds }: BudgetRequest,
  step: RunStep,
): Promise<StoreOutcome> {
  const limits = runLimits(run);
  const { rootId } = payerOf(run, limits);
  const [begun] = await callSql(tx, "begin_budget_wait", {
    wait: waitId,
    run: run.id,
    account: run.accountId,
    agent_max: limits.agentMaxMicros,
    root: rootId,
    least: BigInt(leastMicros),
    turn,
    call: toolCallId,
    seconds: timeoutSeconds,
  });
  if (!begun) throw new Error("a wait for credits had no answer");
  const outcome = begun.outcome as StoreOutcome; // one of its words
  if (!begun.is_new || begun.action === null) return outcome;
  const action = begun.action as unknown as BudgetAction; // as `budget_lack` makes it
  const { type: reason, spent, required, max_credits } = action;
  await appendRunLog(tx, step.log, [
    { type: "budget.reached", reason, spent, required, max_credits },
  ]);
  await insertNotification(tx, {
    accountId: run.accountId,
    key: `budget:${waitId}`,
    path: await pathOf(tx, run, action),
    ...newsOf(run, action),
  });
  return outcome;
}

/**
 * Where it is raised: the page of the run whose limit it is, as far as that says that it waits, as
 * the run itself and the one above it do.
 */
async function pathOf(
  tx: Transaction,
  run: Pick<LoadedRun, "id" | "accountId" | "parentRunId">,
  { run_id: limited }: BudgetAction,
): Promise<string> {
  const shown = limited !== undefined && limited === run.parentRunId ? limited : run.id;
  const { rows } = await tx.query<{ kind: RunKind }>(
    "SELECT kind FROM runs WHERE id = $1 AND account_id = $2",
    [shown, run.accountId],
  );
  const [row] = rows;
  return row && isOfSuperAgent(row.kind) ? "/super-agent" : `/runs/${shown}`;
}

function newsOf(run: LoadedRun, action: BudgetAction): { title: string; body: string } {
  const who = run.agent?.name ?? "A run";
  if (action.type === "credits")
    return {
      title: `${who} waits for credits`,
      body:
        `The account needs ${action.required} credits for its next step. It goes on by itself ` +
        "when they are there, or is cancelled.",
    };
  const whose =
    action.run_id === undefined
      ? "it"
      : action.run_id === run.parentRunId
        ? "the run that it was started by"
        : "the run that leads all of them";
  return {
    // Of a mail it is all that is said.
    title: `${who} has reached its budget: raise it to ${suggestedLimit(action)}`,
    body:
      `${action.spent} of ${action.max_credits} credits are spent, and the next step needs a ` +
      `limit of ${action.required}. Raise that of ${whose} to ${suggestedLimit(action)}, or ` +
      "cancel it.",
  };
}

/** Thrown to undo an end that came too late. */
class WasRaised extends Error {
  override readonly name = "WasRaised";
}

/**
 * The seconds in which a wait may still be ended by a raise; 0: none are left, or it is over. It
 * may have begun later than the engine's wait for it.
 */
export async function secondsOfBudgetWait(runId: string, waitId: string): Promise<number> {
  const { rows } = await postgres().query<{ left: number }>(
    `SELECT ceil(extract(epoch FROM expires_at - clock_timestamp()))::int AS left FROM budget_waits
     WHERE id = $1 AND run_id = $2 AND status = 'waiting' AND expires_at > clock_timestamp()`,
    [waitId, runId],
  );
  return rows[0]?.left ?? 0;
}

/**
 * What became of a wait: the run goes on, which its log shows once, or nobody did anything in time
 * and it fails. Of this and a raise at the same moment one wins.
 * @returns whether the run has ended
 */
export async function endBudgetWait(runId: string, waitId: string): Promise<{ ended: boolean }> {
  return withRunLog(runId, { ended: true }, async ({ log }) => {
    const { status, action } = await readWait(runId, waitId);
    if (status === "waiting") {
      const error = { code: "BUDGET_EXCEEDED" as const, message: expiryText(action) };
      const isOver = await settleRun(runId, { status: "failed", error }, log, async (tx) => {
        const { rows } = await tx.query<{ status: string }>(
          "SELECT status FROM budget_waits WHERE id = $1 AND run_id = $2",
          [waitId, runId],
        );
        if (rows[0]?.status === "raised") throw new WasRaised();
      }).catch((failure: unknown) => {
        if (failure instanceof WasRaised) return false;
        throw failure;
      });
      if (isOver) return { ended: true };
    }
    return { ended: !(await showRaised(runId, waitId, log)) };
  });
}

async function readWait(
  runId: string,
  waitId: string,
): Promise<{ status: string | null; action: BudgetAction | null }> {
  const { rows } = await postgres().query<{ status: string; action: BudgetAction | null }>(
    `SELECT w.status, r.requires_action AS action FROM budget_waits w JOIN runs r ON r.id = w.run_id
     WHERE w.id = $1 AND w.run_id = $2`,
    [waitId, runId],
  );
  return rows[0] ?? { status: null, action: null };
}

function expiryText(action: BudgetAction | null): string {
  const lacked = action
    ? action.type === "budget"
      ? `${action.spent} credits were spent, and the next step needed a limit of ` +
        `${action.required}.`
      : `The next step needed ${action.required} credits, which the account did not have.`
    : "Its next step was not covered.";
  return (
    "The run waited for credits, and nobody raised its limit or topped the account up in time. " +
    `${lacked}`
  );
}

/** @returns false where the run has ended in place of going on */
async function showRaised(runId: string, waitId: string, log: RunStep["log"]): Promise<boolean> {
  return transaction(async (tx) => {
    const { rows } = await tx.query<{ shown: boolean }>(
      `WITH raised AS (SELECT id, shown FROM budget_waits WHERE id = $1 AND run_id = $2
           AND status = 'raised' FOR UPDATE),
         noted AS (UPDATE budget_waits w SET shown = true FROM raised WHERE w.id = raised.id
             AND NOT raised.shown)
       SELECT shown FROM raised`,
      [waitId, runId],
    );
    if (rows[0]?.shown === false) await appendRunLog(tx, log, [{ type: "budget.raised" }]);
    return rows.length > 0;
  });
}

/** The account has what is awaited so seldom in vain that this is never reached. */
const ROUNDS_MAX = 5;

/**
 * Has the runs of an account go on that wait for credits, as far as there are enough, the longest
 * waiting first.
 * @param rootRunId the run whose limit was raised, and that of all below it with it; null: the
 * account has more
 */
export async function reviewWaits(accountId: string, rootRunId: string | null): Promise<void> {
  if (rootRunId !== null) return reviewAll(accountId, await waitsOf(accountId, rootRunId));
  for (let round = 0; round < ROUNDS_MAX; round++) {
    await reviewAll(accountId, await waitsOf(accountId, null));
    const { rows } = await postgres().query<{ more: boolean | null }>(
      `UPDATE accounts a SET credits_awaited_micros = w.least
       FROM (SELECT min(least_micros) AS least FROM budget_waits WHERE account_id = $1
           AND status = 'waiting' AND kind = 'credits' AND of_wait IS NULL) w
       WHERE a.id = $1 AND a.credits_awaited_micros IS DISTINCT FROM w.least
       RETURNING a.available_micros >= a.credits_awaited_micros AS more`,
      [accountId],
    );
    // What has come since would tell nobody.
    if (rows[0]?.more !== true) return;
  }
}

interface Wait {
  id: string;
  run_id: string;
}

async function waitsOf(accountId: string, rootRunId: string | null): Promise<Wait[]> {
  const { rows } = await postgres().query<Wait>(
    `SELECT w.id, w.run_id FROM budget_waits w JOIN accounts a ON a.id = w.account_id
     WHERE w.account_id = $1 AND w.status = 'waiting' AND w.of_wait IS NULL
       AND CASE WHEN $2::uuid IS NULL THEN w.kind = 'credits'
       AND w.least_micros <= a.available_micros ELSE EXISTS (SELECT 1
         FROM runs_above(w.run_id, $1) a WHERE a.run = $2) END
     ORDER BY w.created_at, w.id`,
    [accountId, rootRunId],
  );
  return rows;
}

async function reviewAll(accountId: string, waits: readonly Wait[]): Promise<void> {
  for (const wait of waits)
    await withinAccount(accountId, () => transaction((tx) => reviewWait(tx, accountId, wait)));
}

/** Has one run go on where what it lacked is there. */
export async function reviewWait(tx: Transaction, accountId: string, wait: Wait): Promise<void> {
  const [reviewed] = await callSql(tx, "review_budget_wait", { wait: wait.id, account: accountId });
  if (reviewed?.value !== true) return;
  await dispatch(tx, {
    id: `raised:${wait.id}`,
    name: "budget/raised",
    data: { run_id: wait.run_id, wait_id: wait.id },
  });
}

/** The same in all accounts, for word of credits that was lost. */
export async function reviewForgottenWaits(): Promise<void> {
  const { rows } = await postgres().query<{ account_id: string }>(
    `SELECT DISTINCT w.account_id FROM budget_waits w JOIN accounts a ON a.id = w.account_id
     WHERE w.status = 'waiting' AND w.kind = 'credits' AND w.of_wait IS NULL
       AND w.least_micros <= a.available_micros LIMIT 100`,
  );
  for (const { account_id } of rows) await reviewWaits(account_id, null);
}
