import "server-only";
import type { Payer } from "@/lib/domain/credits/cover-call";
import type { Capability } from "@/lib/model/run/usage";
import { newId } from "@/lib/platform/ids";
import type { Queryable } from "@/lib/platform/postgres";

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
export function chargeArgument(charge: Charge): object {
  return {
    run: charge.runId,
    account: charge.accountId,
    max: charge.maxMicros?.toString() ?? null,
    root: charge.rootId,
    agent: charge.agentId,
    step_key: charge.stepKey,
    model: charge.model,
    capability: charge.capability,
    input_tokens: charge.inputTokens,
    output_tokens: charge.outputTokens,
    cached_input_tokens: charge.cachedInputTokens,
    units: charge.units,
    price: charge.micros.toString(),
    keep: charge.keepMicros.toString(),
    ledger_id: newId(),
  };
}

/**
 * Settles one model call: usage row, ledger entry, hold and wallet together, so that usage and ledger always agree. What neither the wallet nor
 * the run's limit covers is not charged: it is the operator's loss, to be seen by the row's price. What the hold has left goes back to the wallet.
 * Does nothing for a call that is settled already, nor for a run that has ended and holds nothing any more.
 * @returns what was paid, in millionths of a credit
 */
export async function chargeRun(tx: Queryable, charge: Charge): Promise<bigint> {
  const { rows } = await tx.query<{ paid: string }>({
    name: "charge-call",
    text: "SELECT charge_call($1) AS paid",
    values: [JSON.stringify(chargeArgument(charge))],
  });
  return BigInt(rows[0]?.paid ?? 0);
}
