import "server-only";
import { ServiceError } from "@/lib/model/errors";
import { toCredits } from "@/lib/model/run/usage";
import type { Queryable } from "@/lib/platform/postgres";

/**
 * Moves what a run's first turn may cost from the wallet to a hold, by one conditional update: concurrent starts cannot overdraw.
 * @param micros millionths of a credit
 * @param maxMicros what the run may cost in all, in millionths of a credit; null without a limit
 * @throws ServiceError INSUFFICIENT_CREDITS with `available` and `required`, when the wallet or the run's own limit is less
 */
export async function reserveCredits(
  tx: Queryable,
  accountId: string,
  runId: string,
  micros: bigint,
  maxMicros: bigint | null,
): Promise<void> {
  if (maxMicros !== null && maxMicros < micros) throw await tooLittle(tx, accountId, micros, maxMicros);
  const { rowCount } = await tx.query({
    name: "reserve-credits",
    text: `WITH paid AS (UPDATE accounts SET available_micros = available_micros - $3 WHERE id = $1 AND available_micros >= $3 RETURNING id)
           INSERT INTO credit_holds (run_id, account_id, amount_micros) SELECT $2, id, $3 FROM paid`,
    values: [accountId, runId, micros],
  });
  if (rowCount !== 1) throw await tooLittle(tx, accountId, micros, null);
}

async function tooLittle(tx: Queryable, accountId: string, micros: bigint, maxMicros: bigint | null): Promise<ServiceError> {
  const { rows } = await tx.query<{ available_micros: string }>("SELECT available_micros FROM accounts WHERE id = $1", [accountId]);
  const available = toCredits(BigInt(rows[0]?.available_micros ?? 0));
  const required = toCredits(micros);
  const has = maxMicros === null ? `the account has ${available}` : `it may cost ${toCredits(maxMicros)} at most: raise max_credits`;
  return new ServiceError("INSUFFICIENT_CREDITS", `This run needs ${required} credits to start and ${has}. Nothing was started.`, {
    available,
    required,
    ...(maxMicros !== null && { max_credits: toCredits(maxMicros) }),
  });
}
