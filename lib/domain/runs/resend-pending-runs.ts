import "server-only";
import { dispatchAfterCommit } from "@/lib/engine/dispatch";
import { log } from "@/lib/platform/log";
import { postgres } from "@/lib/platform/postgres";

/**
 * Sends the events of runs again that have been pending for over a minute: the process died between commit and sending. The event's id is the run's,
 * and starting is a guarded update, so sending twice is harmless.
 */
export async function resendPendingRuns(): Promise<void> {
  const { rows } = await postgres().query<{ id: string; account_id: string }>(
    "SELECT id, account_id FROM runs WHERE status = 'pending' AND created_at < now() - interval '1 minute' ORDER BY id LIMIT 500",
  );
  for (const { id, account_id } of rows) {
    await dispatchAfterCommit({ id, name: "run/accepted", data: { run_id: id, account_id } }).catch((error: unknown) =>
      log.warn({ err: error, run_id: id }, "the engine did not take a pending run"),
    );
  }
}
