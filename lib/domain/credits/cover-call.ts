import "server-only";
import { RunFailure } from "@/lib/model/run/run-failure";
import { type Transaction, transaction } from "@/lib/storage/transaction";

/** Who pays for the calls of a run, and how much they may cost in all. */
export interface Payer {
  runId: string;
  accountId: string;
  /** What the run may cost, in millionths of a credit; null: only the wallet limits. */
  maxMicros: bigint | null;
  /** The super-agent's run whose own limit holds for all that it starts: this one, or the one that started this; null for all other runs. */
  rootId: string | null;
}

/**
 * What a run may still cost, in millionths of a credit, as a query of one row `room(micros)`; null without a limit. Of the runs of a super-agent
 * all count together, by what they have spent and by what the others hold. Takes `$1` run, `$2` account, `$3` the run's limit, `$4` root.
 */
export const ROOM = `
room AS (
  SELECT least(
    $3::bigint - (SELECT coalesce(sum(u.credits_micros), 0) FROM run_usage u WHERE u.run_id = $1),
    (SELECT root.max_credits_micros
       - (SELECT coalesce(sum(u.credits_micros), 0) FROM run_usage u JOIN runs f ON f.id = u.run_id WHERE f.id = root.id OR f.parent_run_id = root.id)
       - (SELECT coalesce(sum(h.amount_micros), 0) FROM credit_holds h JOIN runs f ON f.id = h.run_id
          WHERE h.run_id <> $1 AND (f.id = root.id OR f.parent_run_id = root.id))
     FROM runs root WHERE root.id = $4::uuid AND root.account_id = $2)
  ) AS micros
)`;

const LOCK_ROOT = {
  name: "lock-root",
  text: "SELECT 1 FROM runs WHERE id = $1 AND account_id = $2 AND max_credits_micros IS NOT NULL FOR NO KEY UPDATE",
};
// `NO KEY`: who stores something new for the account holds the row's key until he has counted his write, and a start that counted before waits for
// this lock.
const LOCK = {
  name: "lock-hold-and-wallet",
  text: `
    WITH hold AS (SELECT 1 FROM credit_holds WHERE run_id = $1 AND account_id = $2 FOR UPDATE)
    SELECT 1 FROM accounts WHERE id = $2 AND EXISTS (SELECT 1 FROM hold) FOR NO KEY UPDATE`,
};

/**
 * Locks what a run's calls are paid from, so that the next statement of the transaction finds and changes it as it stands: one that waited for the
 * lock itself would go by what it saw before. A run's row comes first, its hold next, the account last.
 * @returns false when the run has ended, and holds nothing any more
 */
export async function lockPayer(tx: Transaction, { runId, accountId, rootId }: Payer): Promise<boolean> {
  if (rootId !== null) await tx.query({ ...LOCK_ROOT, values: [rootId, accountId] });
  return ((await tx.query({ ...LOCK, values: [runId, accountId] })).rowCount ?? 0) > 0;
}

const COVER = {
  name: "cover-call",
  text: `
    WITH ${ROOM},
    answer AS (
      SELECT h.amount_micros AS held, room.micros AS room, least($6::bigint, room.micros, h.amount_micros + a.available_micros) AS covered
      FROM credit_holds h JOIN accounts a ON a.id = h.account_id CROSS JOIN room WHERE h.run_id = $1 AND a.id = $2
    ),
    missing AS (SELECT covered - held AS micros FROM answer WHERE covered >= $5::bigint AND covered > held),
    taken AS (UPDATE accounts a SET available_micros = a.available_micros - missing.micros FROM missing WHERE a.id = $2),
    kept AS (UPDATE credit_holds h SET amount_micros = h.amount_micros + missing.micros FROM missing WHERE h.run_id = $1)
    SELECT covered, room FROM answer`,
};

/**
 * Covers a model call before it is made: moves what is missing from the wallet to the run's hold, by one conditional statement. Nothing is moved when
 * there is less than `least`.
 * @param least the price of the prompt and of the least answer that is worth it, in millionths of a credit
 * @param most the price of the prompt and of the longest answer that is wanted
 * @returns what the call may cost, in millionths of a credit; null when the run has ended
 * @throws RunFailure BUDGET_EXCEEDED where the run's own limit leaves less than `least`, INSUFFICIENT_CREDITS where the wallet does
 */
export async function coverCall(payer: Payer, least: bigint, most: bigint): Promise<bigint | null> {
  const row = await transaction(async (tx) => {
    if (!(await lockPayer(tx, payer))) return null;
    const values = [payer.runId, payer.accountId, payer.maxMicros, payer.rootId, least, most];
    return (await tx.query<{ covered: string; room: string | null }>({ ...COVER, values })).rows[0] ?? null;
  });
  if (!row) return null;
  if (BigInt(row.covered) >= least) return BigInt(row.covered);
  if (row.room !== null && BigInt(row.room) < least)
    throw new RunFailure("BUDGET_EXCEEDED", "The next turn may cost more than is left of the credits that the run was given.");
  throw new RunFailure("INSUFFICIENT_CREDITS", "The account's credits ran out while the run was at work.");
}
