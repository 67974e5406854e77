import "server-only";
import { type Charge, coverCall, type Payer } from "@/lib/domain/credits/ledger";
import type { LoadedRun, RunLimits, RunRecord } from "@/lib/domain/execution/run/loaded-run";
import { type DriveCut, driveCut } from "@/lib/engine/drive";
import { LogTakenOver } from "@/lib/engine/events/event-rows";
import { RunFailure } from "@/lib/model/run/run-failure";
import { newId } from "@/lib/platform/ids";
import { log } from "@/lib/platform/log";
import { postgres } from "@/lib/platform/postgres";

// Each call that a run pays for, of whatever model: it asks for cover before it is made, is charged
// behind it under a name of its own, and where it came to nothing it is charged for what it had
// used, or noted as the operator's loss.

/** Who pays for a run's calls. */
export function payerOf(run: RunRecord, limits: RunLimits): Payer {
  const rootId = run.leads ? run.id : run.parentRunId;
  return { runId: run.id, accountId: run.accountId, maxMicros: limits.maxCreditsMicros, rootId };
}

/**
 * Too little is left for a run's next call, and the run is to wait for more. Thrown, so that the
 * engine waits in its place: the step that would make the call holds nothing meanwhile.
 */
export class BudgetShort extends Error {
  override readonly name = "BudgetShort";

  /** @param leastMicros what the call costs at least, in millionths of a credit */
  constructor(readonly leastMicros: bigint) {
    super("The call costs more than is left.");
  }
}

/** What a call comes to that is not covered: a wait, or where the run has none the failure. */
export function shortOf(
  limits: RunLimits,
  leastMicros: bigint,
  failure: RunFailure,
): BudgetShort | RunFailure {
  return limits.waitsForCredits ? new BudgetShort(leastMicros) : failure;
}

/** Whether a call may be made. */
export type Cover =
  | { is: "covered"; micros: bigint }
  /** There is less than it costs: `failure` is what the run fails of if that ends it. */
  | { is: "short"; failure: RunFailure }
  /** The run was ended meanwhile, and holds nothing any more. */
  | { is: "ended" };

/**
 * Asks for what a call may cost before it is made, in millionths of a credit. Nothing is held when
 * it is short.
 * @param least what it costs at least
 * @param most what it may cost
 */
export async function askCover(
  run: RunRecord,
  limits: RunLimits,
  least: bigint,
  most: bigint,
): Promise<Cover> {
  try {
    const micros = await coverCall(payerOf(run, limits), least, most);
    return micros === null ? { is: "ended" } : { is: "covered", micros };
  } catch (error) {
    if (error instanceof RunFailure) return { is: "short", failure: error };
    throw error;
  }
}

/** What a call used, and what that costs in millionths of a credit. */
export type Used = Pick<
  Charge,
  | "model"
  | "capability"
  | "inputTokens"
  | "outputTokens"
  | "cachedInputTokens"
  | "units"
  | "micros"
  | "keepMicros"
>;

/** @param stepKey names the call within the run: the same one is never paid twice */
export function chargeOf(run: LoadedRun, limits: RunLimits, stepKey: string, used: Used): Charge {
  return { ...payerOf(run, limits), agentId: run.agent?.id ?? null, stepKey, ...used };
}

/**
 * Settles what a call that was cut had used: the run bears it, but for what this process itself has
 * cut, and what comes too late. The run makes the same call again elsewhere then, and pays for it
 * there.
 * @param signal of the work that the call belongs to
 * @throws LogTakenOver
 */
export async function settleCut(
  run: RunRecord,
  signal: AbortSignal,
  charge: Charge,
  store: () => Promise<unknown>,
): Promise<void> {
  const cut = driveCut(signal);
  if (cut !== null) return noteLoss(run, charge, cut);
  try {
    await store();
  } catch (error) {
    if (error instanceof LogTakenOver) await noteLoss(run, charge, "taken_over");
    throw error;
  }
}

type Loss = DriveCut["why"] | "ended" | "aborted" | "unusable";

/** A call that nobody pays for: nothing of it counts in the run. */
export async function noteLoss(
  run: Pick<RunRecord, "id" | "accountId">,
  charge: Pick<Used, "model" | "inputTokens" | "outputTokens" | "micros">,
  reason: Loss,
): Promise<void> {
  log.warn(
    { run_id: run.id, model: charge.model, price_micros: Number(charge.micros), reason },
    "a model call is charged to nobody",
  );
  await postgres().query(
    `INSERT INTO operator_losses (id, run_id, account_id, model, input_tokens, output_tokens,
       price_micros, reason) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      newId(),
      run.id,
      run.accountId,
      charge.model,
      charge.inputTokens,
      charge.outputTokens,
      charge.micros,
      reason,
    ],
  );
}
