import "server-only";
import { lockPayer, type Payer, ROOM } from "@/lib/domain/credits/cover-call";
import type { Capability } from "@/lib/model/run/usage";
import { newId } from "@/lib/platform/ids";
import type { Transaction } from "@/lib/storage/transaction";

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

/**
 * Settles one model call: usage row, ledger entry, hold and wallet together, so that usage and ledger always agree. What neither the wallet nor
 * the run's limit covers is not charged: it is the operator's loss, to be seen by the row's price. What the hold has left goes back to the wallet.
 * Does nothing for a call that is settled already, nor for a run that has ended and holds nothing any more.
 * @returns what was paid, in millionths of a credit
 */
export async function chargeRun(tx: Transaction, charge: Charge): Promise<bigint> {
  const { rows } = await tx.query<{ paid: string }>("SELECT credits_micros AS paid FROM run_usage WHERE run_id = $1 AND step_key = $2", [
    charge.runId,
    charge.stepKey,
  ]);
  if (rows[0]) return BigInt(rows[0].paid);
  if (!(await lockPayer(tx, charge))) return 0n;
  const paid = await pay(tx, charge);
  await tx.query({
    name: "charge-run",
    text: `WITH used AS (
             INSERT INTO run_usage (run_id, step_key, account_id, agent_id, model, capability, input_tokens, output_tokens, cached_input_tokens, units, credits_micros, price_micros)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::bigint, $13::bigint))
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
      charge.micros,
    ],
  });
  return paid;
}

const PAY = {
  name: "pay-call",
  text: `
    WITH ${ROOM},
    bill AS (
      SELECT h.amount_micros AS held, greatest(0, least($5::bigint, room.micros, h.amount_micros + a.available_micros)) AS paid
      FROM credit_holds h JOIN accounts a ON a.id = h.account_id CROSS JOIN room WHERE h.run_id = $1 AND a.id = $2
    ),
    rest AS (SELECT held, paid, least(greatest(0, held - paid), $6::bigint) AS kept FROM bill),
    kept AS (UPDATE credit_holds h SET amount_micros = rest.kept FROM rest WHERE h.run_id = $1),
    moved AS (UPDATE accounts a SET available_micros = a.available_micros + rest.held - rest.paid - rest.kept FROM rest WHERE a.id = $2)
    SELECT paid FROM rest`,
};

/** Takes the price from the hold, then from the wallet, as far as they and the run's limit go; returns what was paid. Both are locked. */
async function pay(tx: Transaction, charge: Charge): Promise<bigint> {
  const { runId, accountId, maxMicros, rootId, micros, keepMicros } = charge;
  const { rows } = await tx.query<{ paid: string }>({ ...PAY, values: [runId, accountId, maxMicros, rootId, micros, keepMicros] });
  return BigInt(rows[0]?.paid ?? 0);
}
