import "server-only";
import { findCall } from "@/lib/domain/execution/permission/approval";
import type { AskOutcome, ClientCallRequest } from "@/lib/domain/execution/permission/requests";
import { loadRun } from "@/lib/domain/execution/run/load-run";
import type { LoadedRun, RunPrograms } from "@/lib/domain/execution/run/loaded-run";
import { withRunLog } from "@/lib/domain/execution/session/with-run-log";
import { type ToolCall, toStorableJson } from "@/lib/domain/execution/tools/tool-call";
import { insertNotification } from "@/lib/domain/notifications/insert-notification";
import { appendRunLog } from "@/lib/engine/events/append-run-log";
import type { RunLogWriter } from "@/lib/engine/events/run-log-writer";
import { failpoint } from "@/lib/platform/failpoint";
import { transaction } from "@/lib/platform/postgres";
import { QUESTION_ARGS } from "@/lib/runtime/tools/ask-user-tool";

/**
 * Asks a person what a run's model wants to know: stores the question, says on the run that it
 * waits, and shows the event, all at once. The first message to the run is the answer
 * (`sendMessage`). Repeated after a crash it does what is left of this.
 */
export async function requestAnswer(
  programs: RunPrograms,
  runId: string,
  turn: number,
  toolCallId: string,
  request: ClientCallRequest,
): Promise<AskOutcome> {
  return withRunLog<AskOutcome>(runId, { outcome: "ended" }, async (step, session) => {
    failpoint("client.waiting");
    const run = await loadRun(programs, runId, session.known);
    const call = findCall(run, turn, toolCallId);
    const outcome = await storeQuestion(run, turn, call, request, step.log);
    failpoint("client.asked");
    return { outcome };
  });
}

const INSERT = `
INSERT INTO client_tool_calls AS c (run_id, tool_call_id, account_id, batch_id, turn, tool_name,
  arguments, status, expires_at, is_question)
VALUES ($1, $2, $3, $4, $5, $6, $7, 'pending', now() + make_interval(secs => $8), true)
ON CONFLICT (run_id, tool_call_id) DO UPDATE SET turn = c.turn
RETURNING c.status, xmax = 0 AS is_new`;

/** The run's row is locked before the question's, as a cancel and a message do. */
async function storeQuestion(
  run: LoadedRun,
  turn: number,
  call: ToolCall,
  { batchId, timeoutSeconds }: ClientCallRequest,
  writer: RunLogWriter,
): Promise<AskOutcome["outcome"]> {
  const { question, options } = QUESTION_ARGS.parse(call.input); // `executeTool` has let it pass
  const asked = { question, ...(options && { options }) };
  return transaction(async (tx) => {
    const { rowCount } = await tx.query(
      "SELECT 1 FROM runs WHERE id = $1 AND account_id = $2 AND status = 'running' FOR UPDATE",
      [run.id, run.accountId],
    );
    if (rowCount === 0) return "ended";
    const { rows } = await tx.query<{ status: string; is_new: boolean }>(INSERT, [
      run.id,
      call.toolCallId,
      run.accountId,
      batchId,
      turn,
      call.name,
      toStorableJson(asked),
      timeoutSeconds,
    ]);
    const [stored] = rows;
    if (stored?.status !== "pending") return "settled";
    await tx.query("UPDATE runs SET requires_action = $3 WHERE id = $1 AND account_id = $2", [
      run.id,
      run.accountId,
      toStorableJson({ type: "question", ...asked }),
    ]);
    if (!stored.is_new) return "asked";
    // Shown with it: whoever sees the event can answer.
    await appendRunLog(tx, writer, [
      { type: "question.asked", tool_call_id: call.toolCallId, ...asked },
    ]);
    await insertNotification(tx, {
      accountId: run.accountId,
      key: `question:${batchId}`,
      path: `/runs/${run.id}`,
      title: `${run.agent?.name ?? "A run"} asks a question`,
      body: question,
    });
    return "asked";
  });
}
