import "server-only";
import { withinAccount } from "@/lib/domain/credits/account-statements";
import { RunFailure } from "@/lib/model/run/run-failure";
import { postgres } from "@/lib/platform/postgres";

/** Who pays for the calls of a run, and how much they may cost in all. */
export interface Payer {
  runId: string;
  accountId: string;
  /** What the run may cost, in millionths of a credit; null: only the wallet limits. */
  maxMicros: bigint | null;
  /** The super-agent's run whose own limit holds for all that it starts: this one, or the one that started this; null for all other runs. */
  rootId: string | null;
}

/** What `cover_call` answers, in millionths of a credit as text; `room` null without a limit. */
export interface Cover {
  covered: string;
  room: string | null;
}

/**
 * Covers a model call before it is made: moves what is missing from the wallet to the run's hold, by one conditional statement. Nothing is moved when
 * there is less than `least`.
 * @param least the price of the prompt and of the least answer that is worth it, in millionths of a credit
 * @param most the price of the prompt and of the longest answer that is wanted
 * @returns what the call may cost, in millionths of a credit; null when the run has ended
 * @throws RunFailure BUDGET_EXCEEDED where the run's own limit leaves less than `least`, INSUFFICIENT_CREDITS where the wallet does
 */
export async function coverCall(payer: Payer, least: bigint, most: bigint): Promise<bigint | null> {
  const query = {
    name: "cover-call",
    text: "SELECT cover_call($1, $2, $3, $4, $5, $6) AS cover",
    values: [payer.runId, payer.accountId, payer.maxMicros, payer.rootId, least, most],
  };
  const { rows } = await withinAccount(payer.accountId, () => postgres().query<{ cover: Cover | null }>(query));
  return coveredOf(rows[0]?.cover ?? null, least);
}

/** @throws RunFailure as `coverCall` */
export function coveredOf(cover: Cover | null, least: bigint): bigint | null {
  if (!cover) return null;
  if (BigInt(cover.covered) >= least) return BigInt(cover.covered);
  if (cover.room !== null && BigInt(cover.room) < least)
    throw new RunFailure("BUDGET_EXCEEDED", "The next turn may cost more than is left of the credits that the run was given.");
  throw new RunFailure("INSUFFICIENT_CREDITS", "The account's credits ran out while the run was at work.");
}
