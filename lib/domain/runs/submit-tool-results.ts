import "server-only";
import type { Principal } from "@/lib/domain/principal";
import { getRun, type RunView } from "@/lib/domain/runs/run-view";
import { dispatchAfterCommit, dispatchInTransaction, type LatheEvent } from "@/lib/engine/client";
import { ServiceError } from "@/lib/model/errors";
import { AGENT_ROUTE_KINDS, type RunKind } from "@/lib/model/run/run-status";
import { failpoint } from "@/lib/platform/failpoint";
import { newId } from "@/lib/platform/ids";
import { log } from "@/lib/platform/log";
import { postgres, type Transaction, transaction } from "@/lib/platform/postgres";

/** What became of one call of a client tool. */
export interface ClientToolResult {
  toolCallId: string;
  succeeded: boolean;
  /** JSON; what the model sees. */
  output: unknown;
}

/**
 * The run waits no longer: what it has waited for a batch of calls does not count against its time
 * limit.
 */
export const ADD_WAITED = `
UPDATE runs SET requires_action = NULL, queued_ms = least(2147483647, queued_ms + coalesce((
  SELECT (extract(epoch FROM max(c.answered_at) - min(c.created_at)) * 1000)::bigint FROM client_tool_calls c WHERE c.run_id = $1 AND c.batch_id = $2), 0))::int
WHERE id = $1`;

const ANSWER = `
UPDATE client_tool_calls AS c SET status = 'answered', succeeded = r.succeeded, output = r.output, answered_at = clock_timestamp()
FROM jsonb_to_recordset($2) AS r(tool_call_id text, succeeded boolean, output jsonb)
WHERE c.run_id = $1 AND c.tool_call_id = r.tool_call_id AND c.status = 'pending' AND c.expires_at > clock_timestamp()
RETURNING c.tool_call_id, c.batch_id`;

const LEAVE_REST = `
UPDATE runs SET requires_action = jsonb_set(requires_action, '{calls}', (
  SELECT jsonb_agg(call ORDER BY place) FROM jsonb_array_elements(requires_action -> 'calls') WITH ORDINALITY AS open(call, place)
  WHERE NOT (call ->> 'tool_call_id') = ANY($2)))
WHERE id = $1 AND requires_action ->> 'type' = 'client_tool'`;

/**
 * Takes the results of calls that a run waits for; with the last of them it goes on. All of a post
 * are taken, or none. Of two posts at once, or one against the end of the time or a cancel, one
 * wins.
 * @returns the run, with the calls that are still open
 * @throws ServiceError RUN_NOT_FOUND; CONFLICT when the run waits for no such call: it was
 * answered, has expired, or the run has ended
 */
export async function submitToolResults(
  principal: Principal,
  runId: string,
  results: readonly ClientToolResult[],
  kinds: readonly RunKind[] = AGENT_ROUTE_KINDS,
): Promise<RunView> {
  await getRun(principal, runId, kinds);
  const event = await transaction((tx) => storeResults(tx, principal, runId, results));
  if (event) await tellEngine(event);
  return getRun(principal, runId, kinds);
}

async function storeResults(
  tx: Transaction,
  { accountId }: Principal,
  runId: string,
  results: readonly ClientToolResult[],
): Promise<LatheEvent | null> {
  // The run's row first, as a cancel locks them; and a run that has ended takes no results.
  const { rows: runs } = await tx.query<{ status: string }>(
    "SELECT status FROM runs WHERE id = $1 AND account_id = $2 FOR UPDATE",
    [runId, accountId],
  );
  if (runs[0]?.status !== "running")
    throw new ServiceError(
      "CONFLICT",
      "The run waits for no results: it has ended, or not yet begun.",
    );
  const posted = results.map(({ toolCallId, succeeded, output }) => ({
    tool_call_id: toolCallId,
    succeeded,
    output,
  }));
  const { rows } = await tx.query<{ tool_call_id: string; batch_id: string }>(ANSWER, [
    runId,
    JSON.stringify(posted),
  ]);
  const taken = rows.map(({ tool_call_id }) => tool_call_id);
  const [refused] = results.filter(({ toolCallId }) => !taken.includes(toolCallId));
  const [batch] = rows;
  if (refused || !batch) throw await refusal(tx, runId, refused?.toolCallId ?? "");
  const open = await tx.query(
    "SELECT 1 FROM client_tool_calls WHERE run_id = $1 AND batch_id = $2 AND status = 'pending' LIMIT 1",
    [runId, batch.batch_id],
  );
  if (open.rowCount !== 0) {
    await tx.query(LEAVE_REST, [runId, taken]);
    return null;
  }
  await tx.query(ADD_WAITED, [runId, batch.batch_id]);
  const event = {
    id: batch.batch_id,
    name: "client-tools/answered",
    data: { run_id: runId, batch_id: batch.batch_id },
  } as const;
  await dispatchInTransaction(tx, event);
  return event;
}

async function refusal(tx: Transaction, runId: string, toolCallId: string): Promise<ServiceError> {
  const { rows } = await tx.query<{ status: string }>(
    "SELECT status FROM client_tool_calls WHERE run_id = $1 AND tool_call_id = $2",
    [runId, toolCallId],
  );
  const status = rows[0]?.status;
  const why =
    status === undefined
      ? "is none that the run waits for"
      : status === "answered"
        ? "has its result already, and a result is not replaced"
        : "has expired: the run goes on without it";
  return new ServiceError(
    "CONFLICT",
    `The tool call ${JSON.stringify(toolCallId)} ${why}. Nothing of this request was taken.`,
  );
}

/**
 * The results hold whether or not the engine hears of them at once: `resendToolResults` tells it
 * again.
 */
async function tellEngine(event: LatheEvent): Promise<void> {
  failpoint("client.answered");
  await dispatchAfterCommit(event).catch((error: unknown) =>
    log.warn(
      { err: error, event: event.id },
      "results of client tools were stored, but the engine could not be told; the sweep tells it again",
    ),
  );
}

const UNHEARD = `
SELECT DISTINCT c.batch_id, c.run_id FROM runs r JOIN client_tool_calls c ON c.run_id = r.id
WHERE r.status = 'running' AND r.requires_action IS NULL AND c.status = 'answered' AND c.answered_at < now() - interval '1 minute'
  AND NOT EXISTS (SELECT 1 FROM client_tool_calls o WHERE o.run_id = c.run_id AND o.batch_id = c.batch_id AND o.status <> 'answered')
  AND NOT EXISTS (SELECT 1 FROM run_tool_results s WHERE s.run_id = c.run_id AND s.tool_call_id = c.tool_call_id)
LIMIT 500`;

/**
 * Tells an Inngest server again of results whose runs have not gone on within a minute. Under
 * another id, for it may know the first; a wait ends once.
 */
export async function resendToolResults(): Promise<void> {
  const { rows } = await postgres().query<{ batch_id: string; run_id: string }>(UNHEARD);
  for (const { batch_id, run_id } of rows) {
    const event = {
      id: newId(),
      name: "client-tools/answered",
      data: { run_id, batch_id },
    } as const;
    await dispatchAfterCommit(event).catch((error: unknown) =>
      log.warn({ err: error, run_id }, "the engine did not take results of client tools"),
    );
  }
}
