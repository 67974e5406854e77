import "server-only";
import type { Principal } from "@/lib/domain/principal";
import { type KeptRequest, keepAnswer, takeKey } from "@/lib/domain/runs/kept-answers";
import { getRun, type RequiredAction, type RunView } from "@/lib/domain/runs/run-view";
import { dispatch } from "@/lib/engine/client";
import { invalidInput, ServiceError } from "@/lib/model/errors";
import { INPUT_MAX_BYTES } from "@/lib/model/limits";
import {
  type MessageInput,
  RUN_MESSAGES_MAX,
  RUN_MESSAGES_MAX_BYTES,
  saidText,
  WAITING_MESSAGES_MAX,
} from "@/lib/model/run/run-message";
import {
  AGENT_ROUTE_KINDS,
  isTerminal,
  type RunKind,
  type RunStatus,
} from "@/lib/model/run/run-status";
import { failpoint } from "@/lib/platform/failpoint";
import { newId } from "@/lib/platform/ids";
import { type Transaction, transaction } from "@/lib/platform/postgres";

/** A message as it was accepted. */
export interface AcceptedMessage {
  messageId: string;
  /** Among the messages of its run, from 1. */
  position: number;
  /** The run that it becomes; null: it is for the run that it was sent to. */
  nextRunId: string | null;
}

/** A request that sends a message, with the answer that is kept for its key. */
export type MessageRequest = KeptRequest<AcceptedMessage>;

/** The answer that an earlier request with the same key had. */
export interface RepeatedMessage {
  replayed: true;
  status: number;
  body: string;
}

/**
 * Says something to a run that has not ended: its model is shown it with its next turn, in the
 * order of acceptance, once. A run that waits is not woken by it, unless it waits for the answer to
 * a question: that is the first message that comes. A run that would end meanwhile takes another
 * turn.
 * @throws ServiceError RUN_NOT_FOUND; RUN_NOT_ACTIVE when it has ended; CONFLICT when too many
 * wait, or it has had too many; IDEMPOTENCY_CONFLICT
 */
export async function sendMessage(
  principal: Principal,
  runId: string,
  input: MessageInput,
  kept?: MessageRequest,
  kinds: readonly RunKind[] = AGENT_ROUTE_KINDS,
): Promise<AcceptedMessage | RepeatedMessage> {
  await getRun(principal, runId, kinds);
  requireWords(input);
  const accepted = await transaction(async (tx) => {
    const first = await takeKey(tx, principal, kept);
    if (first) return { replayed: true as const, ...first };
    const held = await holdActiveRun(tx, principal, runId);
    const message = await insertMessage(tx, principal, runId, input);
    await answerQuestion(tx, principal, runId, held.requires_action, { ...message, input });
    if (kept) await keepAnswer(tx, principal, kept, kept.answer(message), runId);
    return message;
  });
  failpoint("message.accepted");
  return accepted;
}

/** @throws ServiceError INVALID_INPUT */
export function requireWords(input: MessageInput): void {
  if (saidText(input).trim() === "") throw invalidInput("input", "must say something");
}

interface HeldRun {
  status: RunStatus;
  requires_action: RequiredAction | null;
}

/**
 * Holds the row of a run that has not ended until the end of the transaction: it does not end
 * meanwhile.
 * @throws ServiceError RUN_NOT_ACTIVE
 */
export async function holdActiveRun(
  tx: Transaction,
  { accountId }: Principal,
  runId: string,
): Promise<HeldRun> {
  const { rows } = await tx.query<HeldRun>(
    "SELECT status, requires_action FROM runs WHERE id = $1 AND account_id = $2 FOR NO KEY UPDATE",
    [runId, accountId],
  );
  const [run] = rows;
  if (run && !isTerminal(run.status)) return run;
  throw notActive();
}

export function notActive(): ServiceError {
  return new ServiceError(
    "RUN_NOT_ACTIVE",
    "The run has ended, and hears nothing any more. Nothing was stored; go on with a run of " +
      "its conversation.",
  );
}

const COUNT = `
SELECT count(*)::int AS messages, coalesce(sum(octet_length(input::text)), 0)::int AS bytes,
  coalesce(max(position), 0) AS last,
  count(*) FILTER (WHERE turn IS NULL AND due = 'next_step')::int AS waiting,
  coalesce(sum(octet_length(input::text)) FILTER (WHERE turn IS NULL
        AND due = 'next_step'), 0)::int AS waiting_bytes
FROM run_messages WHERE run_id = $1 AND account_id = $2`;

interface Counted {
  messages: number;
  bytes: number;
  last: number;
  waiting: number;
  waiting_bytes: number;
}

/**
 * Stores a message of a run whose row the caller holds.
 * @param nextRunId the run that it becomes; null: it is for this one
 * @throws ServiceError CONFLICT
 */
export async function insertMessage(
  tx: Transaction,
  { accountId }: Principal,
  runId: string,
  input: MessageInput,
  nextRunId: string | null = null,
): Promise<AcceptedMessage> {
  const { rows } = await tx.query<Counted>(COUNT, [runId, accountId]);
  const counted = rows[0] ?? { messages: 0, bytes: 0, last: 0, waiting: 0, waiting_bytes: 0 };
  const text = JSON.stringify(input);
  requireRoom(counted, Buffer.byteLength(text), nextRunId !== null);
  const message = { messageId: newId(), position: counted.last + 1, nextRunId };
  await tx.query(
    `INSERT INTO run_messages (id, run_id, account_id, position, due, input, next_run_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [
      message.messageId,
      runId,
      accountId,
      message.position,
      nextRunId === null ? "next_step" : "after",
      text,
      nextRunId,
    ],
  );
  return message;
}

/** @throws ServiceError CONFLICT */
function requireRoom(counted: Counted, bytes: number, isForLater: boolean): void {
  const refuse = (why: string) => {
    throw new ServiceError("CONFLICT", `${why} Nothing of this request was stored.`);
  };
  if (counted.messages >= RUN_MESSAGES_MAX)
    refuse(
      `A run may be sent ${RUN_MESSAGES_MAX} messages, and this one has had them. Start another ` +
        "run of its conversation.",
    );
  if (counted.bytes + bytes > RUN_MESSAGES_MAX_BYTES)
    refuse(
      `The messages to a run may have ${RUN_MESSAGES_MAX_BYTES} bytes together. Put long texts ` +
        "into a file of its workspace.",
    );
  if (isForLater) return;
  if (counted.waiting >= WAITING_MESSAGES_MAX)
    refuse(
      `${WAITING_MESSAGES_MAX} messages to this run wait for its next turn, and no more may. Try ` +
        "again when it has been shown them.",
    );
  if (counted.waiting_bytes + bytes > INPUT_MAX_BYTES)
    refuse(
      `The messages that wait for the run's next turn may have ${INPUT_MAX_BYTES} bytes ` +
        "together. Try again when it has been shown them.",
    );
}

/** The run waits no longer: what it has waited does not count against its time limit. */
const ANSWER = `
WITH asked AS (
  UPDATE client_tool_calls c
  SET status = 'answered', succeeded = true,
    output = jsonb_build_object('answer', $3::text), answered_at = clock_timestamp()
  WHERE c.run_id = $1 AND c.account_id = $4 AND c.is_question AND c.status = 'pending'
    AND c.expires_at > clock_timestamp()
  RETURNING c.tool_call_id, c.batch_id, c.turn,
    (extract(epoch FROM c.answered_at - c.created_at) * 1000)::bigint AS waited_ms
), heard AS (
  UPDATE run_messages m SET tool_call_id = asked.tool_call_id, turn = asked.turn FROM asked
  WHERE m.id = $2 AND m.run_id = $1 AND m.account_id = $4
)
UPDATE runs r
SET requires_action = NULL, queued_ms = least(2147483647, r.queued_ms + asked.waited_ms)::int
FROM asked WHERE r.id = $1 AND r.account_id = $4 RETURNING asked.batch_id`;

/** Where the run waits for an answer, this is it. */
async function answerQuestion(
  tx: Transaction,
  { accountId }: Principal,
  runId: string,
  action: RunView["requiresAction"],
  message: AcceptedMessage & { input: MessageInput },
): Promise<void> {
  if (action?.type !== "question") return;
  const { rows } = await tx.query<{ batch_id: string }>(ANSWER, [
    runId,
    message.messageId,
    saidText(message.input),
    accountId,
  ]);
  const [asked] = rows;
  // Its time has just run out: the message is one like any other.
  if (!asked) return;
  await dispatch(tx, {
    id: asked.batch_id,
    name: "client-tools/answered",
    data: { run_id: runId, batch_id: asked.batch_id },
  });
}
