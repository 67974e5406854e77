import "server-only";
import { ServiceError } from "@/lib/model/errors";
import { toCredits } from "@/lib/model/run/usage";
import type { Queryable } from "@/lib/platform/postgres";

/**
 * Moves a run's estimate from the wallet to a hold, by one conditional update: concurrent starts cannot overdraw.
 * @param micros millionths of a credit
 * @throws ServiceError INSUFFICIENT_CREDITS with `available` and `required`
 */
export async function reserveCredits(tx: Queryable, accountId: string, runId: string, micros: bigint): Promise<void> {
  const { rowCount } = await tx.query({
    name: "reserve-credits",
    text: `WITH paid AS (UPDATE accounts SET available_micros = available_micros - $3 WHERE id = $1 AND available_micros >= $3 RETURNING id)
           INSERT INTO credit_holds (run_id, account_id, amount_micros) SELECT $2, id, $3 FROM paid`,
    values: [accountId, runId, micros],
  });
  if (rowCount === 1) return;
  const { rows } = await tx.query<{ available_micros: string }>("SELECT available_micros FROM accounts WHERE id = $1", [accountId]);
  const available = toCredits(BigInt(rows[0]?.available_micros ?? 0));
  const required = toCredits(micros);
  throw new ServiceError(
    "INSUFFICIENT_CREDITS",
    `This run needs ${required} credits to start and the account has ${available}. Nothing was started.`,
    {
      available,
      required,
    },
  );
}
