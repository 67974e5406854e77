import "server-only";
import type { Principal } from "@/lib/domain/principal";
import { getRun, type RunView } from "@/lib/domain/runs/run-view";
import { dispatch } from "@/lib/engine/client";
import { ServiceError } from "@/lib/model/errors";
import { AGENT_ROUTE_KINDS, type RunKind } from "@/lib/model/run/run-status";
import { failpoint } from "@/lib/platform/failpoint";
import { type Transaction, transaction } from "@/lib/platform/postgres";

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
  SELECT (extract(epoch FROM max(c.answered_at) - min(c.created_at)) * 1000)::bigint
  FROM client_tool_calls c WHERE c.run_id = $1 AND c.batch_id = $2), 0))::int
WHERE id = $1`;

const ANSWER = `
UPDATE client_tool_calls AS c SET status = 'answered', succeeded = r.succeeded, output = r.output,
  answered_at = clock_timestamp()
FROM jsonb_to_recordset($2) AS r(tool_call_id text, succeeded boolean, output jsonb)
WHERE c.run_id = $1 AND c.tool_call_id = r.tool_call_id AND NOT c.is_question
  AND c.status = 'pending' AND c.expires_at > clock_timestamp()
RETURNING c.tool_call_id, c.batch_id`;

const LEAVE_REST = `
UPDATE runs SET requires_action = jsonb_set(requires_action, '{calls}', (
  SELECT jsonb_agg(call ORDER BY place)
  FROM jsonb_array_elements(requires_action -> 'calls') WITH ORDINALITY AS open(call, place)
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
  if (await transaction((tx) => storeResults(tx, principal, runId, results)))
    failpoint("client.answered");
  return getRun(principal, runId, kinds);
}

/** @returns whether no call of their batch is open any more */
async function storeResults(
  tx: Transaction,
  { accountId }: Principal,
  runId: string,
  results: readonly ClientToolResult[],
): Promise<boolean> {
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
    `SELECT 1 FROM client_tool_calls WHERE run_id = $1 AND batch_id = $2 AND status = 'pending'
     LIMIT 1`,
    [runId, batch.batch_id],
  );
  if (open.rowCount !== 0) {
    await tx.query(LEAVE_REST, [runId, taken]);
    return false;
  }
  await tx.query(ADD_WAITED, [runId, batch.batch_id]);
  await dispatch(tx, {
    id: batch.batch_id,
    name: "client-tools/answered",
    data: { run_id: runId, batch_id: batch.batch_id },
  });
  return true;
}

async function refusal(tx: Transaction, runId: string, toolCallId: string): Promise<ServiceError> {
  const { rows } = await tx.query<{ status: string }>(
    `SELECT status FROM client_tool_calls WHERE run_id = $1 AND tool_call_id = $2
       AND NOT is_question`,
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
