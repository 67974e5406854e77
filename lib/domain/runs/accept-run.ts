import "server-only";
import { randomUUID } from "node:crypto";
import { conversationBusy, noSuchConversation } from "@/lib/domain/conversations/take-conversation";
import { admitEndUser, beingErased } from "@/lib/domain/end-users/admit-end-user";
import { writesAllUsed } from "@/lib/domain/limits/hourly-writes";
import { capReached, standardCap } from "@/lib/domain/limits/row-caps";
import { type Principal, requireProven } from "@/lib/domain/principal";
import { tellCancelled } from "@/lib/domain/runs/cancel-run";
import { keyInUse } from "@/lib/domain/runs/kept-answers";
import { storeWaiting, type Waits } from "@/lib/domain/runs/queue-run";
import type { RunView } from "@/lib/domain/runs/run-view";
import type { AcceptedMessage } from "@/lib/domain/runs/send-message";
import { foldDispatch, isEngineReachable } from "@/lib/engine/client";
import { eventHub } from "@/lib/engine/events/event-hub";
import { toEventLine } from "@/lib/engine/events/event-rows";
import { ServiceError } from "@/lib/model/errors";
import { pickFields, saidKeysOf } from "@/lib/model/fields/field-table";
import { IDEMPOTENCY_KEPT_HOURS } from "@/lib/model/limits";
import { BEGUN_RUN, RUN_FIELDS, type RunSaid, UNSAID_RUN } from "@/lib/model/run/run-fields";
import { toCredits } from "@/lib/model/run/run-result";
import { familyOf, type RunKind, type RunOrigin } from "@/lib/model/run/run-status";
import { callSql } from "@/lib/platform/call-sql";
import { failpoint } from "@/lib/platform/failpoint";
import { newId } from "@/lib/platform/ids";
import {
  afterCommit,
  postgres,
  type Queryable,
  type Transaction,
  transaction,
  withinAccount,
} from "@/lib/platform/postgres";
import { acceptedTraceParent } from "@/lib/platform/telemetry/run-spans";

/** The call of a super-agent's run that starts another. */
export interface ParentCall {
  runId: string;
  toolCallId: string;
}

/** A request's `Idempotency-Key`, with the answer that its first acceptance stores. */
export interface Idempotency {
  /** The operation and its path parameters. */
  route: string;
  key: string;
  /** Of the parsed body. */
  requestHash: string;
  answer(run: StartedRun): { status: number; body: string };
}

/** A run that was accepted, or to which its request was said instead. */
export type StartedRun = RunView & { message?: AcceptedMessage };

/** The first answer of an earlier request with the same key and body. */
export interface Replay {
  replayed: true;
  status: number;
  body: string;
}

/** What a run that repeats another keeps of it beside the input. */
export interface ReplayOf {
  runId: string;
  /** The run whose earlier conversation it is shown; null where there was none. */
  historyOf: string | null;
  /** For whom the other was: what is of a person stays theirs, unless the request names another. */
  endUser?: string | null;
}

/**
 * What is accepted. `input` is what the runtime works on: `{text}` of a creation or an edit, the
 * named inputs of a run. What is not said is as `UNSAID_RUN` has it.
 */
interface RunRequest extends Partial<Omit<RunSaid, "input" | "model" | "version">> {
  kind: RunKind;
  input: Record<string, unknown>;
  model: string;
  /** What the person said, for the conversation. */
  userText: string;
  releaseNote: string | null;
  scheduleId: string | null;
  parent?: ParentCall;
  replayOf?: ReplayOf;
  /**
   * The number of the agent's version that it keeps to; absent or null: it works by the agent as it
   * is.
   */
  agentVersion?: number | null;
  /** Reserved now, in millionths of a credit: what its first turn may cost. */
  estimateMicros: bigint;
  /** What the agent's config lets it cost, in millionths of a credit. */
  agentMaxMicros?: bigint | null;
  /** Agent creation and edits count against the hourly cap. */
  countsAsWrite: boolean;
  /** The run is to build an agent: refused at once where the account has its fill of them. */
  buildsAgent?: boolean;
  /**
   * More that must become true with the acceptance, in its transaction and before it; what it
   * throws refuses the run. Undone where an idempotent replay answers.
   */
  claim?: (tx: Transaction, runId: string) => Promise<void>;
  /** The same once it stands. */
  accepted?: (tx: Transaction, run: RunView) => Promise<void>;
  /** Where a run of its conversation has not ended; absent: it is refused. */
  ifBusy?: Waits["ifBusy"];
}

type WholeRequest = RunRequest & Omit<RunSaid, "version"> & Pick<RunRequest, "model">;

// Of an idempotent replay there is no such row, and nothing happens.
const REPLAY = `
WITH replayed AS (
  UPDATE runs SET replayed_from = $2, history_of = $3, end_user = coalesce(end_user, $5)
  WHERE id = $1 AND account_id = $4 RETURNING conversation_id, end_user)
UPDATE conversations c SET end_user = r.end_user FROM replayed r
WHERE c.id = r.conversation_id AND c.account_id = $4`;
const PIN =
  "UPDATE runs SET agent_version = $2, version_is_named = true WHERE id = $1 AND account_id = $3";
const ON_BUDGET = "UPDATE runs SET on_budget = $2 WHERE id = $1 AND account_id = $3";
type Accepted = { createdAt: Date } | { replay: { status: number; body: string } };

/**
 * Accepts a run by one statement: limits, conversation, credits, the row, its log's first line and
 * the engine's event, or nothing.
 * Checks in the order of contract §1, from the idempotent replay on; everything before is the
 * caller's.
 * @throws ServiceError FORBIDDEN before the address is proven, IDEMPOTENCY_CONFLICT,
 * ACCOUNT_BLOCKED, RATE_LIMITED, CONFLICT (a cap), CONVERSATION_BUSY, INSUFFICIENT_CREDITS,
 * SERVICE_UNAVAILABLE
 */
export async function acceptRun(
  principal: Principal,
  said: RunRequest,
  idempotency?: Idempotency,
): Promise<RunView | Replay> {
  requireProven(principal);
  const request = { ...UNSAID_RUN, ...said };
  const run = toView(principal, request);
  const { claim, replayOf, onBudget, agentVersion = null } = request;
  const waits = waitsOf(request, run.id);
  // Asked before anything is locked. What else refuses the run, or answers it, comes first.
  const isReachable = await isEngineReachable();
  const store = (on: Queryable, begins = true) =>
    storeRun(on, principal, request, run, begins, idempotency);
  let cancelled: string | null = null;
  const claimed = async (tx: Transaction) => {
    await claim?.(tx, run.id);
    if (replayOf?.endUser && request.endUser === null)
      await admitEndUser(tx, principal.accountId, replayOf.endUser);
    let stored: Accepted;
    if (waits)
      ({ stored, cancelled } = await storeWaiting(tx, principal, waits, (begins) =>
        store(tx, begins),
      ));
    else stored = await store(tx);
    if ("replay" in stored) throw new AnsweredBefore(stored);
    await request.accepted?.(tx, run);
    if (!isReachable) throw unreachable();
    if (replayOf)
      await tx.query(REPLAY, [
        ...[run.id, replayOf.runId, replayOf.historyOf],
        ...[run.accountId, replayOf.endUser ?? null],
      ]);
    if (agentVersion !== null) await tx.query(PIN, [run.id, agentVersion, run.accountId]);
    if (onBudget !== null) await tx.query(ON_BUDGET, [run.id, onBudget, run.accountId]);
    return stored;
  };
  const isMore =
    claim || replayOf || waits || agentVersion !== null || onBudget !== null || !isReachable;
  const accepted = await withinAccount(principal.accountId, () =>
    isMore ? transaction(claimed).catch(answeredBefore) : store(postgres()),
  );
  failpoint("accept.committed");
  if (cancelled !== null) await tellCancelled(cancelled);
  if ("replay" in accepted) return { replayed: true, ...accepted.replay };
  return { ...run, createdAt: accepted.createdAt };
}

/** An idempotent replay answers: what was claimed for a run of this request is undone. */
class AnsweredBefore extends Error {
  override readonly name = "AnsweredBefore";
  constructor(readonly accepted: Accepted) {
    super("The request was answered before.");
  }
}

/** @throws what it is given, but for the answer of before */
function answeredBefore(error: unknown): Accepted {
  if (error instanceof AnsweredBefore) return error.accepted;
  throw error;
}

function waitsOf({ ifBusy, conversationId }: WholeRequest, runId: string): Waits | null {
  return ifBusy && conversationId !== null ? { ifBusy, conversationId, runId } : null;
}

/** @param begins whether the engine hears of it now; else when the runs before it have ended */
async function storeRun(
  on: Queryable,
  principal: Principal,
  request: WholeRequest,
  run: RunView,
  begins: boolean,
  idempotency?: Idempotency,
): Promise<Accepted> {
  const line = firstLine(run, request);
  const answer = idempotency ? keptAnswer(idempotency, run) : null;
  const limits = [request.maxCreditsMicros, request.agentMaxMicros ?? null].filter(
    (limit) => limit !== null,
  );
  const limit = limits.reduce<bigint | null>(
    (least, each) => (least === null || each < least ? each : least),
    null,
  );
  const dispatched = foldDispatch(
    {
      id: run.id,
      name: "run/accepted",
      data: { run_id: run.id, account_id: principal.accountId },
    },
    on,
  );
  try {
    const [accepted] = await callSql(on, "accept_run", {
      run: run.id,
      account: principal.accountId,
      kind: request.kind,
      agent: request.agentId,
      conversation: run.conversationId ?? newId(),
      family: familyOf(request.kind),
      is_new: request.conversationId === null,
      workspace: request.workspaceId,
      schedule: request.scheduleId,
      input: JSON.stringify(request.input),
      text: request.userText,
      model: request.model,
      metadata: JSON.stringify(request.metadata),
      max_credits: request.maxCreditsMicros,
      webhook_url: request.webhookUrl,
      should_notify: request.shouldNotify,
      release_note: request.releaseNote,
      origin: askedBy(principal, request),
      parent_run: request.parent?.runId ?? null,
      parent_call: request.parent?.toolCallId ?? null,
      trace_parent: acceptedTraceParent(run.id),
      message_id: newId(),
      line,
      estimate: request.estimateMicros,
      limit,
      blocked: principal.blocked,
      writes: request.countsAsWrite ? principal.writePerHour : null,
      agents_cap: request.buildsAgent ? standardCap("agents") : null,
      conversations_cap: standardCap("conversations"),
      route: idempotency?.route ?? null,
      key: idempotency?.key ?? null,
      key_hash: idempotency?.requestHash ?? null,
      key_hours: IDEMPOTENCY_KEPT_HOURS,
      answer_status: answer?.status ?? null,
      answer: answer?.pieces ?? null,
      sends: begins,
      ...dispatched.argument,
    });
    if (accepted?.replay_status != null)
      return { replay: { status: accepted.replay_status, body: accepted.replay_body ?? "" } };
    if (!accepted?.created_at) throw new Error("a start had no answer");
    afterCommit(on, () => eventHub().begun(run.id, line));
    const { created_at: createdAt, claimed } = accepted;
    if (begins)
      dispatched.done(on, { ...accepted, created_at: createdAt, claimed: claimed === true });
    return { createdAt };
  } catch (error) {
    throw refusalOf(error, request) ?? error;
  } finally {
    dispatched.undone();
  }
}

/**
 * The answer that is kept for a key, in the pieces between which the time of the acceptance stands:
 * the database alone knows it. They are cut where the answer itself writes the time, by a mark that
 * nobody who asks can know.
 */
function keptAnswer({ answer }: Idempotency, run: RunView): { status: number; pieces: string[] } {
  const mark = randomUUID();
  const { status, body } = answer({ ...run, createdAt: new MarkedTime(mark) });
  return { status, pieces: body.split(mark) };
}

/** A time that is written as a mark, by itself and as a part of JSON. */
class MarkedTime extends Date {
  readonly #mark: string;

  constructor(mark: string) {
    super();
    this.#mark = mark;
  }

  override toISOString(): string {
    return this.#mark;
  }
}

/** What the first line of a run's log says. */
function firstLine(run: RunView, request: WholeRequest): string {
  return toEventLine(run.id, 0, Date.now(), {
    type: "run.created",
    render_protocol: 1,
    status: "pending",
    agent_id: request.agentId,
    conversation_id: run.conversationId,
  });
}

const SAID_AND_SHOWN = saidKeysOf(RUN_FIELDS);

/** The run as it stands when it is accepted; its time is the database's to say. */
function toView(principal: Principal, request: WholeRequest): RunView {
  return {
    ...BEGUN_RUN,
    ...pickFields(request, SAID_AND_SHOWN),
    id: newId(),
    accountId: principal.accountId,
    kind: request.kind,
    status: "pending",
    conversationId: request.conversationId ?? newId(),
    replayedFrom: request.replayOf?.runId ?? null,
    agentVersion: request.agentVersion ?? null,
    createdAt: new Date(),
  };
}

/** The same, with the key that did: `accept_run` takes both by one argument. */
function askedBy(principal: Principal, request: RunRequest): string {
  const origin = originOf(principal, request);
  const { actor } = principal;
  return origin === "key" && actor?.kind === "key" && actor.id !== null
    ? `${origin}:${actor.id}`
    : origin;
}

/** Who asked for a run. */
function originOf(principal: Principal, request: RunRequest): RunOrigin {
  if (request.parent) return "agent";
  // A firing by hand is whoever's that asks for it.
  return request.scheduleId && principal.via === "system" ? "schedule" : principal.via;
}

/** What `accept_run` says of a refusal; numbers of credits in millionths. */
interface RefusalDetail {
  in_flight?: boolean;
  limit?: number | null;
  seconds?: number;
  rows?: "agents" | "conversations";
  cap?: number;
  run_id?: string | null;
  available?: number;
  /** Its person is being erased. */
  erasing?: true;
  /** What its person may cost a day, where that refuses it. */
  per_day?: number;
}

/** What `accept_run` refused, in words; null for any other error. */
function refusalOf(error: unknown, request: RunRequest): ServiceError | null {
  if (!(error instanceof Error) || !("code" in error) || error.code !== "LR001") return null;
  // Written by `accept_run`.
  const detail = JSON.parse("detail" in error ? String(error.detail) : "{}") as RefusalDetail;
  switch (error.message) {
    case "IDEMPOTENCY_CONFLICT":
      return keyInUse(detail.in_flight === true);
    case "ACCOUNT_BLOCKED":
      return new ServiceError(
        "ACCOUNT_BLOCKED",
        "This account may not start new runs. Ask the operator of the service.",
      );
    case "RATE_LIMITED":
      return writesAllUsed(detail.limit ?? 0, detail.seconds ?? 1);
    case "CONFLICT":
      if (detail.erasing) return beingErased();
      return capReached(detail.rows ?? "conversations", detail.cap ?? 0);
    case "CONVERSATION_NOT_FOUND":
      return noSuchConversation();
    case "CONVERSATION_BUSY":
      return conversationBusy(detail.run_id ?? null);
    default:
      return tooLittle(request.estimateMicros, detail);
  }
}

function tooLittle(micros: bigint, detail: RefusalDetail): ServiceError {
  const available = toCredits(BigInt(detail.available ?? 0));
  const required = toCredits(micros);
  const most = detail.limit == null ? null : toCredits(BigInt(detail.limit));
  if (detail.per_day !== undefined)
    return new ServiceError(
      "INSUFFICIENT_CREDITS",
      `This run needs ${required} credits to start, and its end user has ${available} left of ` +
        `the ${toCredits(BigInt(detail.per_day))} that they may use a day. Nothing was started; ` +
        "the day ends at 00:00 UTC.",
      { available, required },
    );
  const has =
    most === null
      ? `the account has ${available}`
      : `it may cost ${most} at most: raise max_credits`;
  return new ServiceError(
    "INSUFFICIENT_CREDITS",
    `This run needs ${required} credits to start and ${has}. Nothing was started.`,
    {
      available,
      required,
      ...(most !== null && { max_credits: most }),
    },
  );
}

function unreachable(): ServiceError {
  return new ServiceError(
    "SERVICE_UNAVAILABLE",
    "The execution service cannot be reached. No run was started; try again shortly.",
  );
}
