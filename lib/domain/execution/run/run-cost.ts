import "server-only";
import { USAGE_OF_RUN, type UsageSum } from "@/lib/domain/runs/run-view";
import { postgres } from "@/lib/platform/postgres";

/** What a run has cost so far. */
export class RunCost {
  #spentMicros: bigint;
  #usage: readonly UsageSum[];

  constructor(
    readonly run: { id: string; accountId: string },
    spentMicros: bigint,
    usage: readonly UsageSum[],
  ) {
    this.#spentMicros = spentMicros;
    this.#usage = usage;
  }

  /** Millionths of a credit. */
  get spentMicros(): bigint {
    return this.#spentMicros;
  }

  /** What was charged, by model and capability. */
  get usage(): readonly UsageSum[] {
    return this.#usage;
  }

  /**
   * Reads it anew: something was charged since, or the run's log was taken, and nobody else charges
   * it any more.
   */
  async refresh(): Promise<void> {
    const { rows } = await postgres().query<{ spent: string; usage: UsageSum[] | null }>({
      name: "read-run-cost",
      text: `SELECT (SELECT coalesce(sum(credits_micros), 0) FROM run_usage u
               WHERE u.run_id = r.id) AS spent, ${USAGE_OF_RUN} AS usage FROM runs r
             WHERE r.id = $1 AND r.account_id = $2`,
      values: [this.run.id, this.run.accountId],
    });
    this.#spentMicros = BigInt(rows[0]?.spent ?? 0);
    this.#usage = rows[0]?.usage ?? [];
  }
}
