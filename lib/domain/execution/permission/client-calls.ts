import "server-only";
import type { AskOutcome, ClientCallRequest } from "@/lib/domain/execution/permission/requests";
import { loadRun } from "@/lib/domain/execution/run/load-run";
import type { LoadedRun, RunPrograms } from "@/lib/domain/execution/run/loaded-run";
import { withRunLog } from "@/lib/domain/execution/session/with-run-log";
import { runConfig } from "@/lib/domain/execution/tools/run-tools";
import { type ToolCall, toStorableJson } from "@/lib/domain/execution/tools/tool-call";
import { ADD_WAITED } from "@/lib/domain/runs/submit-tool-results";
import { appendRunLog } from "@/lib/engine/events/append-run-log";
import type { RunLogWriter } from "@/lib/engine/events/run-log-writer";
import { failpoint } from "@/lib/platform/failpoint";
import { newId } from "@/lib/platform/ids";
import { postgres, transaction } from "@/lib/platform/postgres";
import { checkArguments } from "@/lib/runtime/tools/tool";

/**
 * Names the batch beforehand, so that the engine waits for its results before anybody can post
 * them.
 */
export async function prepareClientCalls(
  run: LoadedRun,
  toolCallId: string,
): Promise<ClientCallRequest> {
  const { rows } = await postgres().query<{ batch_id: string; left: number }>(
    `SELECT batch_id, ceil(extract(epoch FROM expires_at - clock_timestamp()))::int AS left
     FROM client_tool_calls WHERE run_id = $1 AND tool_call_id = $2`,
    [run.id, toolCallId],
  );
  const [asked] = rows;
  if (asked) return { batchId: asked.batch_id, timeoutSeconds: Math.max(1, asked.left) };
  return { batchId: newId(), timeoutSeconds: runConfig(run).limits.approval_timeout_seconds };
}

/**
 * Asks whoever started the run for the results of all client tools that the turn calls: stores the
 * calls, says on the run what it waits for, and shows the event, all at once. Repeated after a
 * crash it does what is left of this.
 */
export async function requestClientCalls(
  programs: RunPrograms,
  runId: string,
  turn: number,
  request: ClientCallRequest,
): Promise<AskOutcome> {
  return withRunLog<AskOutcome>(runId, { outcome: "ended" }, async (step, session) => {
    failpoint("client.waiting");
    const run = await loadRun(programs, runId, session.known);
    const calls = await openCalls(run, turn, step.signal);
    const outcome = await storeCalls(run, turn, calls, request, step.log);
    failpoint("client.asked");
    return { outcome };
  });
}

/**
 * The turn's calls that the caller may carry out as things are: a person has not yet to be asked,
 * and the arguments fit.
 */
async function openCalls(run: LoadedRun, turn: number, signal: AbortSignal): Promise<ToolCall[]> {
  const content = run.transcript.turns.find((candidate) => candidate.turn === turn)?.content ?? [];
  const open: ToolCall[] = [];
  for (const part of content) {
    if (part.type !== "tool-call" || run.transcript.results.has(part.toolCallId)) continue;
    const call = { toolCallId: part.toolCallId, name: part.toolName, input: part.input };
    const decision = await run.program.judge(run, call, signal);
    if (
      decision.action === "run" &&
      decision.tool.kind === "client" &&
      !checkArguments(decision.tool, call.input)
    )
      open.push(call);
  }
  return open;
}

const INSERT = `
INSERT INTO client_tool_calls (run_id, tool_call_id, account_id, batch_id, turn, tool_name,
  arguments, status, expires_at)
SELECT $1, c.tool_call_id, $2, $3, $4, c.name, c.arguments,
  'pending', now() + make_interval(secs => $5)
FROM jsonb_to_recordset($6) AS c(tool_call_id text, name text, arguments jsonb)
ON CONFLICT (run_id, tool_call_id) DO NOTHING RETURNING tool_call_id, tool_name AS name`;

const SHOW = `
UPDATE runs SET requires_action = (SELECT jsonb_build_object('type', 'client_tool', 'calls',
    jsonb_agg(jsonb_build_object('tool_call_id', c.tool_call_id, 'name', c.tool_name,
        'arguments', c.arguments) ORDER BY place))
  FROM client_tool_calls c
  JOIN unnest($3::text[]) WITH ORDINALITY AS o(id, place) ON o.id = c.tool_call_id
  WHERE c.run_id = $1 AND c.batch_id = $2 AND c.status = 'pending' HAVING count(*) > 0)
WHERE id = $1 RETURNING requires_action IS NOT NULL AS waits`;

/** The run's row is locked before the calls', as a cancel and a post of results do. */
async function storeCalls(
  run: LoadedRun,
  turn: number,
  calls: ToolCall[],
  { batchId, timeoutSeconds }: ClientCallRequest,
  writer: RunLogWriter,
): Promise<AskOutcome["outcome"]> {
  return transaction(async (tx) => {
    const { rowCount } = await tx.query(
      "SELECT 1 FROM runs WHERE id = $1 AND status = 'running' FOR UPDATE",
      [run.id],
    );
    if (rowCount === 0) return "ended";
    const asked = calls.map(({ toolCallId, name, input }) => ({
      tool_call_id: toolCallId,
      name,
      arguments: input ?? {},
    }));
    const values = [run.id, run.accountId, batchId, turn, timeoutSeconds, toStorableJson(asked)];
    const { rows: added } = await tx.query<{ tool_call_id: string; name: string }>(INSERT, values);
    const { rows } = await tx.query<{ waits: boolean }>(SHOW, [
      run.id,
      batchId,
      calls.map(({ toolCallId }) => toolCallId),
    ]);
    // Shown with it: whoever sees the event can answer.
    if (added.length > 0)
      await appendRunLog(tx, writer, [{ type: "client_tool.requested", calls: added }]);
    return rows[0]?.waits ? "asked" : "settled";
  });
}

/**
 * Ends the wait for results that nobody posted in time. Those that somebody posted, to the last
 * moment, stay, and so do those that somebody may still post: they were asked for later than the
 * wait for them began.
 * @returns the seconds that are left for them; 0: nothing is waited for any more
 */
export async function expireClientCalls(runId: string, batchId: string): Promise<number> {
  return transaction(async (tx) => {
    const { rowCount } = await tx.query(
      "SELECT 1 FROM runs WHERE id = $1 AND status = 'running' FOR UPDATE",
      [runId],
    );
    if (rowCount === 0) return 0;
    const expired = await tx.query(
      `UPDATE client_tool_calls SET status = 'expired', answered_at = least(now(), expires_at)
       WHERE run_id = $1 AND batch_id = $2 AND status = 'pending'
         AND expires_at <= clock_timestamp()`,
      [runId, batchId],
    );
    const { rows } = await tx.query<{ left: number | null }>(
      `SELECT ceil(extract(epoch FROM max(expires_at) - clock_timestamp()))::int AS left
       FROM client_tool_calls WHERE run_id = $1 AND batch_id = $2 AND status = 'pending'`,
      [runId, batchId],
    );
    const left = rows[0]?.left ?? null;
    if (left !== null) return Math.max(1, left);
    if (expired.rowCount !== 0) await tx.query(ADD_WAITED, [runId, batchId]);
    return 0;
  });
}

/**
 * What nobody did in time for a turn: to carry out a client tool, or to answer a question; null:
 * there is no such thing.
 */
export async function findExpired(run: LoadedRun, turn: number): Promise<string | null> {
  const { client, builtin } = runConfig(run).tools;
  if (client.length === 0 && !builtin.includes("ask_user")) return null;
  const { rows } = await postgres().query<{ tool_name: string; is_question: boolean }>(
    `SELECT tool_name, is_question FROM client_tool_calls WHERE run_id = $1 AND turn = $2
       AND status = 'expired' ORDER BY tool_call_id LIMIT 1`,
    [run.id, turn],
  );
  const [expired] = rows;
  if (!expired) return null;
  return expired.is_question
    ? "Nobody answered the run's question in time"
    : `Nobody posted a result of the client tool ${expired.tool_name} in time`;
}
