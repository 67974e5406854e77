import "server-only";
import type { Queryable } from "@/lib/platform/postgres";

/** Gives what a run did not spend back to the wallet. Again: nothing happens. */
export async function releaseHold(tx: Queryable, runId: string): Promise<void> {
  await tx.query({
    name: "release-hold",
    text: `WITH gone AS (DELETE FROM credit_holds WHERE run_id = $1 RETURNING account_id, amount_micros)
           UPDATE accounts a SET available_micros = a.available_micros + gone.amount_micros FROM gone WHERE a.id = gone.account_id`,
    values: [runId],
  });
}
