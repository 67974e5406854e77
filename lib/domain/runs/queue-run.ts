import "server-only";
import { conversationBusy } from "@/lib/domain/conversations/take-conversation";
import type { Principal } from "@/lib/domain/principal";
import { cancelWithin } from "@/lib/domain/runs/cancel-run";
import { ServiceError } from "@/lib/model/errors";
import { QUEUED_RUNS_MAX } from "@/lib/model/run/run-message";
import type { Transaction } from "@/lib/platform/postgres";

/** A run that is to wait for its conversation, or takes it from the run that has it. */
export interface Waits {
  conversationId: string;
  runId: string;
  ifBusy: "queue" | "interrupt";
}

/**
 * Stores a run that may wait for its conversation, whose row is held meanwhile: at once where no
 * run has it, else behind those that wait, or with `interrupt` before them, and the one that has it
 * is cancelled. Then `end_run` has the next one begin.
 * @param store accepts the run; `begins`: the engine hears of it with that
 * @returns what `store` gave, and the run that was cancelled
 * @throws ServiceError CONVERSATION_BUSY, CONFLICT when too many wait
 */
export async function storeWaiting<Stored extends object>(
  tx: Transaction,
  { accountId }: Principal,
  { conversationId, runId, ifBusy }: Waits,
  store: (begins: boolean) => Promise<Stored>,
): Promise<{ stored: Stored; cancelled: string | null }> {
  const of = [conversationId, accountId];
  const hold = async (how: string) =>
    (
      await tx.query<{ active: string | null }>(
        `SELECT active_run_id AS active FROM conversations
         WHERE id = $1 AND account_id = $2 ${how}`,
        of,
      )
    ).rows[0]?.active ?? null;
  // A run's row comes before its conversation's, as where it ends.
  const seen = ifBusy === "interrupt" ? await hold("") : null;
  if (seen !== null)
    await tx.query("SELECT 1 FROM runs WHERE id = $1 AND account_id = $2 FOR UPDATE", [
      seen,
      accountId,
    ]);
  const active = await hold("FOR UPDATE");
  if (active === null) return { stored: await store(true), cancelled: null };
  if (ifBusy === "interrupt" && active !== seen) throw conversationBusy(active);
  // For `accept_run` it is free; nobody else sees it so.
  const setActive = "UPDATE conversations SET active_run_id = $3 WHERE id = $1 AND account_id = $2";
  await tx.query(setActive, [...of, null]);
  const stored = await store(false);
  await tx.query(setActive, [...of, active]);
  if ("replay" in stored) return { stored, cancelled: null };
  await takePlace(tx, { conversationId, runId, ifBusy, accountId });
  if (ifBusy === "queue") return { stored, cancelled: null };
  await cancelWithin(tx, { id: active, accountId });
  return { stored, cancelled: active };
}

const PLACES = `
SELECT count(*)::int AS waiting, coalesce(min(place), 0) AS first, coalesce(max(place), 0) AS last
FROM queued_runs WHERE conversation_id = $1 AND account_id = $2`;

async function takePlace(
  tx: Transaction,
  { conversationId, runId, ifBusy, accountId }: Waits & { accountId: string },
): Promise<void> {
  const { rows } = await tx.query<{ waiting: number; first: number; last: number }>(PLACES, [
    conversationId,
    accountId,
  ]);
  const { waiting, first, last } = rows[0] ?? { waiting: 0, first: 0, last: 0 };
  if (ifBusy === "queue" && waiting >= QUEUED_RUNS_MAX)
    throw new ServiceError(
      "CONFLICT",
      `${QUEUED_RUNS_MAX} runs wait for this conversation already, and no more may. Nothing was ` +
        "started; wait for one of them to begin, or cancel one.",
    );
  await tx.query(
    "INSERT INTO queued_runs (run_id, account_id, conversation_id, place) VALUES ($1, $2, $3, $4)",
    [runId, accountId, conversationId, ifBusy === "queue" ? last + 1 : first - 1],
  );
}
