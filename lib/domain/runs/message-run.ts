import "server-only";
import { requireAgent } from "@/lib/domain/agents/agent-store";
import { requireVersion } from "@/lib/domain/agents/get-agent-version";
import type { Principal } from "@/lib/domain/principal";
import { keepAnswer, takeKey } from "@/lib/domain/runs/kept-answers";
import { requestRun } from "@/lib/domain/runs/request-run";
import { getRun, noSuchRun, REPLAYED_COLUMNS, type RunView } from "@/lib/domain/runs/run-view";
import {
  type AcceptedMessage,
  holdActiveRun,
  insertMessage,
  type MessageRequest,
  notActive,
  type RepeatedMessage,
  requireWords,
  sendMessage,
} from "@/lib/domain/runs/send-message";
import { eventHub } from "@/lib/engine/events/event-hub";
import { toEventLine } from "@/lib/engine/events/event-rows";
import type { AgentConfig } from "@/lib/model/agent-config/agent-config-schema";
import { effectiveConfig } from "@/lib/model/agent-config/effective-config";
import { ServiceError } from "@/lib/model/errors";
import { fromRead, type Read } from "@/lib/model/fields/field-table";
import { type REPLAYED_INNER, RUN_FIELDS, type RunSaid } from "@/lib/model/run/run-fields";
import {
  inputsOf,
  type MessageInput,
  type MessageTime,
  saidText,
} from "@/lib/model/run/run-message";
import { AGENT_ROUTE_KINDS, isBuild, isTerminal, type RunKind } from "@/lib/model/run/run-status";
import { callSql } from "@/lib/platform/call-sql";
import { afterCommit, postgres, type Transaction, transaction } from "@/lib/platform/postgres";

interface Said {
  input: MessageInput;
  when: MessageTime;
}

/**
 * Says something to a run that has not ended: to itself with its next turn (`sendMessage`), or as
 * the next run of its conversation.
 * @throws ServiceError as `sendMessage`; of `after` also as `requestRun`
 */
export async function messageRun(
  principal: Principal,
  runId: string,
  { input, when }: Said,
  kept?: MessageRequest,
  kinds: readonly RunKind[] = AGENT_ROUTE_KINDS,
): Promise<AcceptedMessage | RepeatedMessage> {
  if (when === "next_step") return sendMessage(principal, runId, input, kept, kinds);
  const run = await getRun(principal, runId, kinds);
  requireWords(input);
  return isTerminal(run.status)
    ? answerEnded(principal, kept)
    : sendForLater(principal, run, input, kept);
}

/** What a run that has ended is answered by: what a request with this key was, before its end. */
async function answerEnded(principal: Principal, kept?: MessageRequest): Promise<RepeatedMessage> {
  const first = await transaction((tx) => takeKey(tx, principal, kept));
  if (first) return { replayed: true, ...first };
  throw notActive();
}

/** What an earlier request with the same key was answered: nothing is accepted. */
class Answered extends Error {
  constructor(readonly answer: { status: number; body: string }) {
    super("This key has its answer.");
  }
}

/** The message as a run of the same agent in the same workspace, behind those that wait already. */
async function sendForLater(
  principal: Principal,
  run: RunView,
  input: MessageInput,
  kept?: MessageRequest,
): Promise<AcceptedMessage | RepeatedMessage> {
  const { kind, conversationId } = run;
  if (isBuild(kind) || conversationId === null)
    throw new ServiceError(
      "CONFLICT",
      "A creation or an edit takes messages for its next step alone. Leave `when` out, or " +
        "say it in a further creation or edit when it has ended.",
    );
  let accepted: AcceptedMessage | null = null;
  const { version, ...bounds } = await readKept(run);
  try {
    await requestRun(principal, kind, {
      agentId: run.agentId,
      input: await toInputs(principal, run, input, version),
      conversationId,
      workspaceId: run.workspaceId,
      version,
      model: run.model,
      metadata: run.metadata,
      ...bounds,
      ifBusy: "queue",
      async claim(tx) {
        const first = await takeKey(tx, principal, kept);
        if (first) throw new Answered(first);
        await holdActiveRun(tx, principal, run.id);
      },
      async accepted(tx, next) {
        accepted = await insertMessage(tx, principal, run.id, input, next.id);
        await showMessage(tx, next.id, accepted.messageId, saidText(input));
        if (kept) await keepAnswer(tx, principal, kept, kept.answer(accepted), run.id);
      },
    });
  } catch (error) {
    if (error instanceof Answered) return { replayed: true, ...error.answer };
    throw error;
  }
  if (accepted === null) throw notActive();
  return accepted;
}

type Kept = Pick<RunSaid, (typeof REPLAYED_INNER)[number]> & {
  /** The number of the agent's version that its request, or its key, named; null: none. */
  version: number | null;
};

/** What bounds a run, what becomes of it there, and what it keeps to; its view does not tell. */
async function readKept(run: RunView): Promise<Kept> {
  const { rows } = await postgres().query<{ [K in keyof Kept]: Read<Kept[K]> }>(
    `SELECT ${REPLAYED_COLUMNS}, CASE WHEN r.version_is_named THEN r.agent_version END AS version
     FROM runs r WHERE r.id = $1 AND r.account_id = $2`,
    [run.id, run.accountId],
  );
  const [row] = rows;
  if (!row) throw noSuchRun();
  return fromRead<Kept>(RUN_FIELDS, row);
}

/** A text under the name that the agent's `inputs` give the one text that they take. */
async function toInputs(
  principal: Principal,
  { agentId }: RunView,
  input: MessageInput,
  version: number | null,
): Promise<Record<string, unknown>> {
  if (typeof input !== "string") return { ...input };
  return inputsOf(input, effectiveConfig(await readConfig(principal, agentId, version)).inputs);
}

/** By what the next run works: the version that is named, else the agent as it is. */
async function readConfig(
  principal: Principal,
  agentId: string | null,
  version: number | null,
): Promise<AgentConfig> {
  if (agentId === null) return { version: 1 };
  const { config } =
    version === null
      ? await requireAgent(principal, agentId)
      : await requireVersion(principal, agentId, version);
  return config as unknown as AgentConfig; // stored only after validation
}

/** The second line of a run's log, which nobody writes yet. */
async function showMessage(
  tx: Transaction,
  runId: string,
  messageId: string,
  text: string,
): Promise<void> {
  const line = toEventLine(runId, 1, Date.now(), {
    type: "message.received",
    message_id: messageId,
    role: "user",
    when: "after",
    text,
  });
  await callSql(tx, "append_run_log", {
    log: {
      run: runId,
      writer: 0,
      first: 1,
      last: 1,
      closes: false,
      message: null,
      is_whole: false,
      todo: null,
      lines: line,
    },
  });
  afterCommit(tx, () => eventHub().published(runId, { first: 1, last: 1, lines: [line] }));
}
