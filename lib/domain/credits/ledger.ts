import "server-only";
import { RunFailure } from "@/lib/model/run/run-failure";
import type { Capability } from "@/lib/model/run/run-result";
import { callSql } from "@/lib/platform/call-sql";
import { newId } from "@/lib/platform/ids";
import { postgres, type Queryable, withinAccount } from "@/lib/platform/postgres";
import type { CallCharge } from "@/lib/platform/sql-functions";

/** Who pays for the calls of a run, and how much they may cost in all. */
export interface Payer {
  runId: string;
  accountId: string;
  /** What the run may cost, in millionths of a credit; null: only the wallet limits. */
  maxMicros: bigint | null;
  /**
   * The super-agent's run whose own limit holds for all that it starts: this one, or the one that
   * started this; null for all other runs.
   */
  rootId: string | null;
}

/**
 * What `cover_model_call` answers, in millionths of a credit as text; `room` null without a limit.
 */
export interface Cover {
  covered: string;
  room: string | null;
}

/**
 * Covers a model call before it is made: moves what is missing from the wallet to the run's hold,
 * by one conditional statement. Nothing is moved when there is less than `least`.
 * @param least the price of the prompt and of the least answer that is worth it, in millionths of a
 * credit
 * @param most the price of the prompt and of the longest answer that is wanted
 * @returns what the call may cost, in millionths of a credit; null when the run has ended
 * @throws RunFailure BUDGET_EXCEEDED where the run's own limit, or its person's day, leaves less
 * than `least`, INSUFFICIENT_CREDITS where the wallet does
 */
export async function coverCall(payer: Payer, least: bigint, most: bigint): Promise<bigint | null> {
  const { runId: run, accountId: account, maxMicros: max, rootId: root } = payer;
  const [cover] = await withinAccount(account, () =>
    callSql(postgres(), "cover_model_call", { run, account, max, root, least, most }),
  );
  return coveredOf(cover ?? null, least);
}

/** @throws RunFailure as `coverCall` */
export function coveredOf(cover: Cover | null, least: bigint): bigint | null {
  if (!cover) return null;
  if (BigInt(cover.covered) >= least) return BigInt(cover.covered);
  if (cover.room !== null && BigInt(cover.room) < least)
    throw new RunFailure(
      "BUDGET_EXCEEDED",
      "The next turn may cost more than is left of the credits that the run was given, or " +
        "its end user's day.",
    );
  throw new RunFailure(
    "INSUFFICIENT_CREDITS",
    "The account's credits ran out while the run was at work.",
  );
}

export interface Charge extends Payer {
  agentId: string | null;
  /** Names the model call within the run: the same call is never paid twice. */
  stepKey: string;
  model: string;
  capability: Capability;
  inputTokens: number;
  outputTokens: number;
  cachedInputTokens: number;
  units: number;
  /** What the call cost by the model's prices, in millionths of a credit. */
  micros: bigint;
  /** What the run goes on holding for its next call, at most. */
  keepMicros: bigint;
}

/** A charge as `charge_call` takes it. */
export function chargeArgument(charge: Charge): CallCharge {
  return {
    run: charge.runId,
    account: charge.accountId,
    max: charge.maxMicros,
    root: charge.rootId,
    agent: charge.agentId,
    step_key: charge.stepKey,
    model: charge.model,
    capability: charge.capability,
    input_tokens: charge.inputTokens,
    output_tokens: charge.outputTokens,
    cached_input_tokens: charge.cachedInputTokens,
    units: charge.units,
    price: charge.micros,
    keep: charge.keepMicros,
    ledger_id: newId(),
  };
}

/**
 * Settles one model call: usage row, ledger entry, hold and wallet together, so that usage and
 * ledger always agree. What neither the wallet nor the run's limit covers is not charged: it is the
 * operator's loss, to be seen by the row's price. What the hold has left goes back to the wallet.
 * Does nothing for a call that is settled already, nor for a run that has ended and holds nothing
 * any more.
 * @returns what was paid, in millionths of a credit
 */
export async function chargeRun(tx: Queryable, charge: Charge): Promise<bigint> {
  const [paid] = await callSql(tx, "charge_call", { charge: chargeArgument(charge) });
  return BigInt(paid?.value ?? 0);
}

/** Gives what a run did not spend back to the wallet. Again: nothing happens. */
export async function releaseHold(tx: Queryable, runId: string): Promise<void> {
  await callSql(tx, "release_hold", { run: runId });
}
