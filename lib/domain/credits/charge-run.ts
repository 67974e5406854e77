import "server-only";
import type { Capability } from "@/lib/model/run/usage";
import { newId } from "@/lib/platform/ids";
import type { Queryable } from "@/lib/platform/postgres";

export interface Charge {
  runId: string;
  accountId: string;
  agentId: string | null;
  /** Names the model call within the run: the same call is never paid twice. */
  stepKey: string;
  model: string;
  capability: Capability;
  inputTokens: number;
  outputTokens: number;
  cachedInputTokens: number;
  units: number;
  /** Millionths of a credit. */
  micros: bigint;
}

/**
 * Settles one model call: usage row, ledger entry, hold and wallet together, so that usage and ledger always agree.
 * What neither the hold nor the wallet covers is not charged: the balance never goes below zero.
 * @returns whether the whole price was paid; false means the wallet is empty
 */
export async function chargeRun(tx: Queryable, charge: Charge): Promise<boolean> {
  const { rowCount } = await tx.query("SELECT 1 FROM run_usage WHERE run_id = $1 AND step_key = $2", [charge.runId, charge.stepKey]);
  if (rowCount) return true;
  const paid = await pay(tx, charge.accountId, charge.runId, charge.micros);
  await tx.query({
    name: "charge-run",
    text: `WITH used AS (
             INSERT INTO run_usage (run_id, step_key, account_id, agent_id, model, capability, input_tokens, output_tokens, cached_input_tokens, units, credits_micros)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::bigint))
           INSERT INTO ledger_entries (id, account_id, run_id, kind, amount_micros) VALUES ($12, $3, $1, 'usage', -$11::bigint)`,
    values: [
      charge.runId,
      charge.stepKey,
      charge.accountId,
      charge.agentId,
      charge.model,
      charge.capability,
      charge.inputTokens,
      charge.outputTokens,
      charge.cachedInputTokens,
      charge.units,
      paid,
      newId(),
    ],
  });
  return paid === charge.micros;
}

/**
 * Takes `micros` from the hold, then from the wallet; returns what was there to take. `NO KEY`: who stores something new for the account holds the
 * row's key until he has counted his write, and a start that counted before waits for this lock.
 */
async function pay(tx: Queryable, accountId: string, runId: string, micros: bigint): Promise<bigint> {
  const held = await tx.query<{ taken: string }>({
    name: "pay-from-hold",
    text: `WITH hold AS (SELECT run_id, least(amount_micros, $2::bigint) AS taken FROM credit_holds WHERE run_id = $1 FOR UPDATE)
           UPDATE credit_holds h SET amount_micros = h.amount_micros - hold.taken FROM hold WHERE h.run_id = hold.run_id RETURNING hold.taken`,
    values: [runId, micros],
  });
  const fromHold = BigInt(held.rows[0]?.taken ?? 0);
  if (fromHold === micros) return micros;
  const wallet = await tx.query<{ taken: string }>({
    name: "pay-from-wallet",
    text: `WITH wallet AS (SELECT id, least(available_micros, $2::bigint) AS taken FROM accounts WHERE id = $1 FOR NO KEY UPDATE)
           UPDATE accounts a SET available_micros = a.available_micros - wallet.taken FROM wallet WHERE a.id = wallet.id RETURNING wallet.taken`,
    values: [accountId, micros - fromHold],
  });
  return fromHold + BigInt(wallet.rows[0]?.taken ?? 0);
}
