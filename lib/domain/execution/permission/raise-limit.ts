import "server-only";
import { recordAudit } from "@/lib/domain/audit/record-audit";
import { reviewWait, reviewWaits } from "@/lib/domain/execution/permission/budget-wait";
import { loadRun } from "@/lib/domain/execution/run/load-run";
import type { RunPrograms } from "@/lib/domain/execution/run/loaded-run";
import { runLimits } from "@/lib/domain/execution/turn/run-limits";
import type { Principal } from "@/lib/domain/principal";
import { getRun, type RunView } from "@/lib/domain/runs/run-view";
import { dispatch } from "@/lib/engine/client";
import { ServiceError } from "@/lib/model/errors";
import { toCredits } from "@/lib/model/run/run-result";
import { isTerminal, leadsRuns, type RunKind } from "@/lib/model/run/run-status";
import { failpoint } from "@/lib/platform/failpoint";
import { newId } from "@/lib/platform/ids";
import { type Transaction, transaction, withinAccount } from "@/lib/platform/postgres";

/**
 * Raises what a run may cost in all, its agent's own limit notwithstanding. A run that waits for it
 * goes on, as do those that a super-agent's run has started; one for which it is still too little
 * waits on. Of two at once the higher holds. What it is already changes nothing.
 * @param maxMicros in millionths of a credit
 * @throws ServiceError RUN_NOT_FOUND; RUN_NOT_ACTIVE when the run has ended; CONFLICT where it is
 * less than the run's limit, or the run has none of its own; FORBIDDEN for an app's key beyond what
 * the agent's config says
 */
export async function raiseLimit(
  programs: RunPrograms,
  principal: Principal,
  runId: string,
  maxMicros: bigint,
  kinds: readonly RunKind[],
): Promise<RunView> {
  await getRun(principal, runId, kinds);
  const run = await loadRun(programs, runId);
  const { agentMaxMicros, waitsForCredits } = runLimits(run);
  if (principal.agentId !== null && agentMaxMicros !== null && maxMicros > agentMaxMicros)
    throw new ServiceError(
      "FORBIDDEN",
      `The agent's owner lets a run cost ${toCredits(agentMaxMicros)} credits: only the account ` +
        "itself raises one above that.",
    );
  const raised = { runId, maxMicros, agentMaxMicros, waitsForCredits };
  const { accountId } = principal;
  const leads = await withinAccount(accountId, () =>
    transaction((tx) => storeLimit(tx, principal, raised)),
  );
  failpoint("budget.raised");
  // The engine does the same, should this process die first.
  if (leads) await reviewWaits(accountId, runId);
  return getRun(principal, runId, kinds);
}

interface Raised {
  runId: string;
  maxMicros: bigint;
  agentMaxMicros: bigint | null;
  waitsForCredits: boolean;
}

// The row's own limit as `budget_lack` has it. A super-agent's run that has ended bounds those that
// it has started all the same.
const LIMITS = `
SELECT r.kind, r.status, r.parent_run_id, CASE WHEN r.max_is_raised THEN r.max_credits_micros
    ELSE least(CASE WHEN r.parent_run_id IS NULL OR NOT $4 THEN r.max_credits_micros END,
      $3) END AS max,
  EXISTS (SELECT 1 FROM budget_waits w WHERE w.account_id = $2 AND w.status = 'waiting'
      AND w.of_wait IS NULL AND w.run_id <> r.id
    AND EXISTS (SELECT 1 FROM runs_above(w.run_id, $2) a WHERE a.run = r.id)) AS leads
FROM runs r WHERE r.id = $1 AND r.account_id = $2 FOR NO KEY UPDATE OF r`;

interface Limits {
  kind: RunKind;
  status: RunView["status"];
  parent_run_id: string | null;
  max: string | null;
  /** A run below it waits for credits. */
  leads: boolean;
}

/** @returns whether runs that it has started may go on by it */
async function storeLimit(
  tx: Transaction,
  principal: Principal,
  { runId, maxMicros, agentMaxMicros, waitsForCredits }: Raised,
): Promise<boolean> {
  const { accountId } = principal;
  const { rows } = await tx.query<Limits>(LIMITS, [
    runId,
    accountId,
    agentMaxMicros,
    waitsForCredits,
  ]);
  const [run] = rows;
  if (!run) throw new ServiceError("RUN_NOT_FOUND", "There is no such run.");
  if (requireRaise(run, maxMicros) === "same") return run.leads;
  await tx.query(
    `UPDATE runs SET max_credits_micros = $3, max_is_raised = true
     WHERE id = $1 AND account_id = $2`,
    [runId, accountId, maxMicros],
  );
  await recordAudit(tx, principal, {
    action: "run.limit_raised",
    object: { kind: "run", id: runId },
    changes: {
      max_credits: { from: toCredits(BigInt(run.max ?? 0)), to: toCredits(maxMicros) },
    },
  });
  const { rows: waits } = await tx.query<{ id: string; run_id: string }>(
    `SELECT id, run_id FROM budget_waits WHERE run_id = $1 AND account_id = $2
       AND status = 'waiting' AND of_wait IS NULL`,
    [runId, accountId],
  );
  for (const wait of waits) await reviewWait(tx, accountId, wait);
  if (run.leads)
    await dispatch(tx, {
      id: newId(),
      name: "budget/changed",
      data: { account_id: accountId, root_run_id: runId },
    });
  return run.leads;
}

/** @throws ServiceError RUN_NOT_ACTIVE, CONFLICT */
function requireRaise(run: Limits, maxMicros: bigint): "more" | "same" {
  if (isTerminal(run.status) && !run.leads)
    throw new ServiceError(
      "RUN_NOT_ACTIVE",
      "The run has ended: what it may cost is not changed any more.",
    );
  if (run.max === null)
    throw new ServiceError(
      "CONFLICT",
      run.parent_run_id === null
        ? "The run has no limit of its own that could be " +
            `raised${leadsRuns(run.kind) ? "" : ": only the account's credits bound it"}.`
        : "The run has no limit of its own: those of the runs above it hold for it, the nearest " +
            `of which is ${run.parent_run_id}. Raise the one that its requires_action names.`,
    );
  const max = BigInt(run.max);
  if (maxMicros < max)
    throw new ServiceError(
      "CONFLICT",
      `max_credits can only be raised, and is ${toCredits(max)} already.`,
    );
  return maxMicros === max ? "same" : "more";
}
