import "server-only";
import type { Principal } from "@/lib/domain/principal";
import type { Idempotency } from "@/lib/domain/runs/accept-run";
import { cancelRun } from "@/lib/domain/runs/cancel-run";
import { ServiceError } from "@/lib/model/errors";
import { postgres } from "@/lib/platform/postgres";

/**
 * Cancels the run that was accepted under an idempotency key, by whoever named that key; nothing
 * where there is none, or it has ended.
 */
export async function cancelAcceptedRun(
  principal: Principal,
  { route, key }: Pick<Idempotency, "route" | "key">,
): Promise<void> {
  const { rows } = await postgres().query<{ accepted_run: string | null }>(
    "SELECT accepted_run FROM idempotency_keys WHERE account_id = $1 AND route = $2 AND key = $3",
    [principal.accountId, route, key],
  );
  const runId = rows[0]?.accepted_run;
  if (!runId) return;
  await cancelRun(principal, runId).catch((error: unknown) => {
    // An app key's principal sees its own agent's runs only.
    if (!(error instanceof ServiceError) || error.code !== "RUN_NOT_FOUND") throw error;
  });
}
