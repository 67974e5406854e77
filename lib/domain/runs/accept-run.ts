import "server-only";
import { takeHourlyWrite } from "@/lib/domain/account/take-hourly-write";
import { requireRoomForLater } from "@/lib/domain/caps/require-room";
import { continueConversation, startConversation } from "@/lib/domain/conversations/take-conversation";
import { reserveCredits } from "@/lib/domain/credits/reserve-credits";
import type { Principal } from "@/lib/domain/principal";
import { type Idempotency, type Replay, replayOrReserve, storeAnswer } from "@/lib/domain/runs/idempotency";
import type { RunView } from "@/lib/domain/runs/run-view";
import { undoAcceptance } from "@/lib/domain/runs/undo-acceptance";
import { dispatchAfterCommit, dispatchInTransaction } from "@/lib/engine/dispatch";
import { announceRunLog } from "@/lib/engine/events/announce-run-log";
import { createRunLog } from "@/lib/engine/events/create-run-log";
import { ServiceError } from "@/lib/model/errors";
import { familyOf, type RunKind, type RunOrigin } from "@/lib/model/run/run-status";
import { newId } from "@/lib/platform/ids";
import { type Transaction, transaction } from "@/lib/storage/transaction";

/** The call of a super-agent's run that starts another. */
export interface ParentCall {
  runId: string;
  toolCallId: string;
}

export interface RunRequest {
  kind: RunKind;
  agentId: string | null;
  /** What the runtime works on: `{text}` of a creation or an edit, the named inputs of a run. */
  input: Record<string, unknown>;
  /** What the person said, for the conversation. */
  userText: string;
  conversationId: string | null;
  workspaceId: string | null;
  webhookUrl: string | null;
  shouldNotify: boolean;
  model: string;
  metadata: Record<string, string>;
  maxCreditsMicros: bigint | null;
  releaseNote: string | null;
  scheduleId: string | null;
  parent?: ParentCall;
  /** Reserved now, in millionths of a credit: what its first turn may cost. */
  estimateMicros: bigint;
  /** What the agent's config lets it cost, in millionths of a credit. */
  agentMaxMicros?: bigint | null;
  /** Agent creation and edits count against the hourly cap. */
  countsAsWrite: boolean;
  /** The run is to build an agent: refused at once where the account has its fill of them. */
  buildsAgent?: boolean;
  /** More that must become true with the acceptance, in its transaction; what it throws refuses the run. */
  claim?: (tx: Transaction) => Promise<void>;
}

/**
 * Accepts a run in one transaction: limits, conversation, credits, the row, its log's first line and the engine's event, or nothing.
 * Checks in the order of contract §1, from the idempotent replay on; everything before is the caller's.
 * @throws ServiceError IDEMPOTENCY_CONFLICT, ACCOUNT_BLOCKED, RATE_LIMITED, CONFLICT (a cap), CONVERSATION_BUSY, INSUFFICIENT_CREDITS, SERVICE_UNAVAILABLE
 */
export async function acceptRun(principal: Principal, request: RunRequest, idempotency?: Idempotency): Promise<RunView | Replay> {
  const runId = newId();
  const accepted = await transaction(async (tx) => {
    await request.claim?.(tx);
    const replay = idempotency && (await replayOrReserve(tx, principal, idempotency));
    if (replay) return replay;
    if (principal.blocked)
      throw new ServiceError("ACCOUNT_BLOCKED", "This account may not start new runs. Ask the operator of the service.");
    if (request.countsAsWrite) await takeHourlyWrite(tx, principal);
    if (request.buildsAgent) await requireRoomForLater(tx, principal.accountId, "agents");
    const run = await insertRun(tx, principal, request, runId);
    if (idempotency) await storeAnswer(tx, principal, idempotency, run);
    return run;
  });
  if ("replayed" in accepted) return accepted;
  announceRunLog(runId);
  await handToEngine(accepted, request.countsAsWrite);
  return accepted;
}

async function insertRun(tx: Transaction, principal: Principal, request: RunRequest, runId: string): Promise<RunView> {
  const family = familyOf(request.kind);
  const conversationId = request.conversationId
    ? await continueConversation(tx, principal, request.conversationId, family, runId)
    : await startConversation(tx, principal, family, runId);
  const limits = [request.maxCreditsMicros, request.agentMaxMicros ?? null].filter((limit) => limit !== null);
  const limit = limits.reduce<bigint | null>((least, each) => (least === null || each < least ? each : least), null);
  await reserveCredits(tx, principal.accountId, runId, request.estimateMicros, limit);
  const createdAt = await insertRow(tx, principal, request, runId, conversationId);
  await createRunLog(tx, runId, {
    type: "run.created",
    render_protocol: 1,
    status: "pending",
    agent_id: request.kind === "agent_creation" ? null : request.agentId,
    conversation_id: conversationId,
  });
  await dispatchInTransaction(tx, { id: runId, name: "run/accepted", data: { run_id: runId, account_id: principal.accountId } });
  return {
    id: runId,
    accountId: principal.accountId,
    kind: request.kind,
    status: "pending",
    agentId: request.agentId,
    conversationId,
    workspaceId: request.workspaceId,
    input: request.input,
    model: request.model,
    metadata: request.metadata,
    requiresAction: null,
    result: null,
    error: null,
    usage: { credits: 0, breakdown: [] },
    createdAt,
    startedAt: null,
    completedAt: null,
    webhookDeliveredAt: null,
  };
}

async function insertRow(tx: Transaction, principal: Principal, request: RunRequest, runId: string, conversationId: string): Promise<Date> {
  const { rows } = await tx.query<{ created_at: Date }>({
    name: "insert-run",
    text: `WITH said AS (
        INSERT INTO messages (id, conversation_id, run_id, role, text) VALUES ($15, $5, $1, 'user', $16))
      INSERT INTO runs (id, account_id, kind, status, agent_id, conversation_id, workspace_id, schedule_id, input, model, metadata,
        max_credits_micros, webhook_url, should_notify, release_note, origin, parent_run_id, parent_call_id)
      VALUES ($1, $2, $3, 'pending', $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $17, $18, $19)
      RETURNING created_at`,
    values: [
      runId,
      principal.accountId,
      request.kind,
      request.agentId,
      conversationId,
      request.workspaceId,
      request.scheduleId,
      JSON.stringify(request.input),
      request.model,
      JSON.stringify(request.metadata),
      request.maxCreditsMicros,
      request.webhookUrl,
      request.shouldNotify,
      request.releaseNote,
      newId(),
      request.userText,
      originOf(principal, request),
      request.parent?.runId ?? null,
      request.parent?.toolCallId ?? null,
    ],
  });
  return rows[0]?.created_at ?? new Date();
}

/** Who asked for a run. */
function originOf(principal: Principal, request: RunRequest): RunOrigin {
  if (request.parent) return "agent";
  return request.scheduleId ? "schedule" : principal.via;
}

/** With a server of the engine the event is sent after the commit; when that fails the acceptance is undone. */
async function handToEngine(run: RunView, countedAsWrite: boolean): Promise<void> {
  try {
    await dispatchAfterCommit({ id: run.id, name: "run/accepted", data: { run_id: run.id, account_id: run.accountId } });
  } catch {
    await undoAcceptance(run.id, countedAsWrite);
    throw new ServiceError("SERVICE_UNAVAILABLE", "The execution service cannot be reached. No run was started; try again shortly.");
  }
}
