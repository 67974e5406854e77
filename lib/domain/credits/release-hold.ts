import "server-only";
import type { Queryable } from "@/lib/platform/postgres";

/** Gives what a run did not spend back to the wallet. Again: nothing happens. */
export async function releaseHold(tx: Queryable, runId: string): Promise<void> {
  await tx.query({ name: "release-hold", text: "SELECT release_hold($1)", values: [runId] });
}
