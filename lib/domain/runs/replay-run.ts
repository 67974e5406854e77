import "server-only";
import type { Principal } from "@/lib/domain/principal";
import type { Idempotency, Replay } from "@/lib/domain/runs/accept-run";
import { chooseModel, requestRun } from "@/lib/domain/runs/request-run";
import { getRun, REPLAYED_COLUMNS, type RunView } from "@/lib/domain/runs/run-view";
import { END_USER_KEY } from "@/lib/model/end-user";
import { invalidInput, ServiceError } from "@/lib/model/errors";
import { fromRead, pickFields, type Read } from "@/lib/model/fields/field-table";
import {
  type REPLAYED_INNER,
  REPLAYED_SHOWN,
  RUN_FIELDS,
  type RunSaid,
} from "@/lib/model/run/run-fields";
import { isAgentsWork, isTerminal } from "@/lib/model/run/run-status";
import { postgres } from "@/lib/platform/postgres";

/** What the new run is given instead of the first one's; null, or not there: the run's. */
export type ReplayChanges = { [K in keyof RunSaid]?: RunSaid[K] | null };

type Kept = Pick<RunSaid, (typeof REPLAYED_INNER)[number]>;
type KeptRow = { [K in keyof Kept]: Read<Kept[K]> };
/**
 * Starts an ended run of an agent, or a general one, once more: the same input in the same
 * workspace, shown the conversation that the first one was shown, in a conversation of its own. Its
 * tools act again. Nothing is stored when it is refused.
 * @throws ServiceError RUN_NOT_FOUND, CONFLICT, VERSION_NOT_FOUND, and as `requestRun`
 */
export async function replayRun(
  principal: Principal,
  runId: string,
  changes: ReplayChanges,
  idempotency?: Idempotency,
): Promise<RunView | Replay> {
  const run = await getRun(principal, runId);
  requireRepeatable(run);
  const version = changes.version ?? null;
  if (version !== null && run.agentId === null)
    throw invalidInput(
      "version",
      "this run had no agent, so there is no version to choose: leave it out",
    );
  const { historyOf, kept } = await readKept(run);
  const shown = pickFields(run, REPLAYED_SHOWN);
  return requestRun(
    principal,
    "agent",
    {
      ...shown,
      ...personOf(shown, changes),
      ...kept,
      // A version without a choice brings its own model along.
      model: version === null ? chooseModel(run.model, null) : null,
      ...Object.fromEntries(Object.entries(changes).filter(([, change]) => change !== null)),
      replayOf: { runId, historyOf, endUser: run.endUser },
    },
    idempotency,
  );
}

/**
 * For whom it is, where the request says it by one of the two fields alone: the other one's word of
 * the first run must not stand against it.
 */
function personOf(
  { metadata }: Pick<RunView, "metadata">,
  changes: Pick<ReplayChanges, "endUser" | "metadata">,
): Partial<Pick<RunSaid, "endUser" | "metadata">> {
  if (changes.metadata) return { endUser: null };
  if (!changes.endUser) return {};
  const { [END_USER_KEY]: _, ...others } = metadata;
  return { metadata: others };
}

/** @throws ServiceError CONFLICT */
function requireRepeatable({ kind, status }: RunView): void {
  if (!isAgentsWork(kind))
    throw new ServiceError(
      "CONFLICT",
      "This run created or changed an agent. Only runs of agents can be replayed; send the " +
        "request again instead.",
    );
  if (!isTerminal(status))
    throw new ServiceError(
      "CONFLICT",
      "This run is still at work. Replay it when it has ended, or cancel it first.",
    );
}

/** What no view of a run tells: what bounds it, and whose earlier conversation it was shown. */
async function readKept(run: RunView): Promise<{ historyOf: string | null; kept: Kept }> {
  const { rows } = await postgres().query<KeptRow & { historyOf: string | null }>(
    `SELECT ${REPLAYED_COLUMNS}, coalesce(r.history_of, (SELECT r.id WHERE EXISTS (
       SELECT 1 FROM messages m WHERE m.conversation_id = r.conversation_id
         AND m.position < (SELECT own.position FROM messages own WHERE own.run_id = r.id
             AND own.role = 'user')))) AS "historyOf"
     FROM runs r WHERE r.id = $1 AND r.account_id = $2`,
    [run.id, run.accountId],
  );
  const [row] = rows;
  if (!row) throw new ServiceError("RUN_NOT_FOUND", "There is no such run.");
  const { historyOf, ...kept } = row;
  return { historyOf, kept: fromRead<Kept>(RUN_FIELDS, kept) };
}
