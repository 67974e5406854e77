import "server-only";
import { chargeArgument } from "@/lib/domain/credits/ledger";
import type { LoadedRun, RunLimits } from "@/lib/domain/execution/run/loaded-run";
import {
  notFoundIn,
  type StoredTurn,
  sinceCall,
  turnText,
} from "@/lib/domain/execution/run/transcript";
import { RunHasEnded } from "@/lib/domain/execution/session/with-run-log";
import { citationsIn } from "@/lib/domain/execution/turn/cite-sources";
import type { SettledTurn } from "@/lib/domain/execution/turn/settled-turn";
import { turnArguments } from "@/lib/domain/execution/turn/store-turn";
import { toUsage } from "@/lib/domain/runs/run-view";
import { sendEndedRun } from "@/lib/domain/runs/send-ended-run";
import {
  followUps,
  type SettledRow,
  terminalLine,
  toMessagesWait,
} from "@/lib/domain/runs/settle-run";
import { foldEnd } from "@/lib/engine/drive";
import { storeWithLog } from "@/lib/engine/events/append-run-log";
import type { RunLogWriter } from "@/lib/engine/events/run-log-writer";
import { effectiveConfig } from "@/lib/model/agent-config/effective-config";
import type { JsonObject } from "@/lib/model/json-schema/json-value";
import { validateAgainst } from "@/lib/model/json-schema/validate-against";
import { RunFailure } from "@/lib/model/run/run-failure";
import type { RunResult } from "@/lib/model/run/run-result";
import { leadsRuns } from "@/lib/model/run/run-status";
import { callSql } from "@/lib/platform/call-sql";
import { failpoint } from "@/lib/platform/failpoint";
import { newId } from "@/lib/platform/ids";
import { postgres, type Queryable, transaction, withinAccount } from "@/lib/platform/postgres";
import { REPEATING } from "@/lib/runtime/models/stream-turn";

/** What a run's last turns come to where they ask for no tool. */
type Answer =
  /**
   * It is whole: its text, and where the config has an `output_schema` the value that the text is.
   */
  | { isWhole: true; text: string; data?: unknown }
  /** The model is told `say` and takes another turn. */
  | ({ isWhole: false } & Fault);

interface Fault {
  code: "OUTPUT_TRUNCATED" | "EMPTY_ANSWER" | "MODEL_CANNOT_ANSWER";
  /** What the model is told. */
  say: string;
  /** What a person is told once it is asked no more. */
  problem: string;
  /** What of the answer so far stays: the next turn goes on from its end. */
  carried: string;
  /** Nothing is gained by asking again. */
  isFinal?: true;
}

/** How often a model is asked again for the same reason, in a row. */
const ASKED_AGAIN_MAX: Record<Fault["code"], number> = {
  OUTPUT_TRUNCATED: 2,
  EMPTY_ANSWER: 1,
  MODEL_CANNOT_ANSWER: 1,
};

/** Of what a model said where it should have filled a schema. */
const QUOTED_MAX_CHARACTERS = 500;

/**
 * Reads the turns that a run has ended with, the last of which asks for no tool.
 * @throws RunFailure CONTENT_FILTERED; or what is wrong with the answer, once the model was asked
 * again often enough or no step is left
 */
function readAnswer(run: LoadedRun, maxSteps: number): Answer {
  const schema = outputSchema(run);
  const { turns } = run.transcript;
  const last = turns.at(-1);
  if (last?.finishReason === "content-filter") throw filtered(last);
  const fault = findFault(turns, schema);
  if (!fault) {
    const text = answerText(turns, schema);
    const output = schema && readData(text, schema);
    return { isWhole: true, text, ...(output?.ok && { data: output.data }) };
  }
  if (fault.isFinal) throw new RunFailure(fault.code, fault.problem);
  let asked = 0;
  while (
    asked < turns.length &&
    findFault(turns.slice(0, turns.length - 1 - asked), schema)?.code === fault.code
  )
    asked += 1;
  if (asked < ASKED_AGAIN_MAX[fault.code] && turns.length < maxSteps)
    return { isWhole: false, ...fault };
  throw new RunFailure(fault.code, fault.problem);
}

/**
 * What the model was told after a turn that asked for no tool and was not the last; null where that
 * was nothing.
 */
export function saidAfter(run: LoadedRun, turn: StoredTurn): string | null {
  return (
    findFault(
      run.transcript.turns.slice(0, run.transcript.turns.indexOf(turn) + 1),
      outputSchema(run),
    )?.say ?? null
  );
}

/** Whether the run's next turn is only to put its answer into the form that it must have. */
export function isCorrected(run: LoadedRun): boolean {
  if (run.transcript.turns.at(-1)?.finishReason === REPEATING) return false;
  return findFault(run.transcript.turns, outputSchema(run))?.code === "MODEL_CANNOT_ANSWER";
}

/**
 * The message whose place the next turn's takes, and what of its text stays; null where the next
 * turn's is one of its own.
 */
export function messageBefore(run: LoadedRun): { messageId: string; carried: string } | null {
  const fault = findFault(run.transcript.turns, outputSchema(run));
  const spoken = fault && sinceCall(run.transcript.turns).findLast((turn) => turnText(turn) !== "");
  return fault && spoken ? { messageId: spoken.messageId, carried: fault.carried } : null;
}

/** The schema that a run's answer must fit; null without one. */
export function outputSchema(run: LoadedRun): JsonObject | null {
  const config = run.program.config(run);
  return config && effectiveConfig(config).output_schema;
}

/**
 * What is wrong with the answer that these turns end with; null: nothing, or they end with a call.
 */
function findFault(turns: readonly StoredTurn[], schema: JsonObject | null): Fault | null {
  const last = sinceCall(turns).at(-1);
  if (!last) return null;
  const text = answerText(turns, schema);
  const missing = schema ? notFoundIn(last) : [];
  if (missing.length > 0)
    return {
      code: "MODEL_CANNOT_ANSWER",
      say: "",
      problem:
        `The agent's output_schema cannot be filled. ${last.model} names what was not found: ` +
        `${quoted(missing.join("; "))}.`,
      carried: "",
      isFinal: true,
    };
  if (last.finishReason === "length" && !isWholeValue(text, schema))
    return {
      code: "OUTPUT_TRUNCATED",
      say: cutText(text, schema),
      problem:
        `The answer of ${last.model} was cut off at the limit of one message, and it could not ` +
        `be brought to an end in ${ASKED_AGAIN_MAX.OUTPUT_TRUNCATED} more. Ask for less at once, ` +
        "or raise model_settings.max_output_tokens in the agent's config.",
      carried: schema ? "" : text,
    };
  if (last.finishReason === REPEATING)
    return {
      code: "MODEL_CANNOT_ANSWER",
      say:
        "You began to say the same again and again, and were stopped. What you said counts for " +
        "nothing. Say what you have to say once: call a tool, or give your answer, and briefly.",
      problem:
        `The model ${last.model} said the same again and again, was stopped and asked once more, ` +
        "and did the same. Use another model, or ask for less at once.",
      carried: "",
    };
  if (text.trim() === "")
    return {
      code: "EMPTY_ANSWER",
      say: "Your last message was empty. Say in words what you did and what came of it.",
      problem:
        `The model ${last.model} ended the run without a word, and so again when it was asked ` +
        "for an answer. What its tools had done until then stays done.",
      carried: "",
    };
  const output = schema && readData(text, schema);
  if (!output || output.ok) return null;
  return {
    code: "MODEL_CANNOT_ANSWER",
    say:
      `Your last message does not fit the output_schema: ${output.problem}. Answer with the ` +
      "corrected JSON value and nothing else. If a value that it requires cannot be found, " +
      "invent nothing: name what is missing, where the form of your message has a place for it, " +
      "or else say in one sentence which one it is.",
    problem:
      "The answer does not fit the agent's output_schema, also after the model was told why: " +
      `${sentence(output.problem)} The model says: ${quoted(text)}`,
    carried: "",
  };
}

/**
 * Whether a value stands there whole, though what came behind it was cut off: its last sign closes
 * it, which a number's does not.
 */
function isWholeValue(text: string, schema: JsonObject | null): boolean {
  return schema !== null && /[}\]"]$/.test(text.trimEnd()) && readData(text, schema).ok;
}

/** A value that was cut off cannot be gone on with where the message must have its form. */
function cutText(text: string, schema: JsonObject | null): string {
  if (text === "")
    return (
      "You came to the limit of one message before you had said anything. Answer now, and " +
      "briefly."
    );
  return schema
    ? "Your message was cut off at the limit of one message, so its JSON value is of no use. " +
        "Give the whole value again, and keep its texts shorter."
    : "Your message was cut off at the limit of one message. Go on exactly where it stopped. " +
        "Repeat nothing and explain nothing.";
}

function sentence(problem: string): string {
  return problem.endsWith(".") ? problem : `${problem}.`;
}

/** A model's words in a message that a person reads. */
function quoted(text: string): string {
  const words = text.trim();
  return words.length <= QUOTED_MAX_CHARACTERS
    ? words
    : `${words.slice(0, QUOTED_MAX_CHARACTERS - 1).toWellFormed()}…`;
}

/**
 * The text that these turns end with: the last one's, behind those that were cut off and that it
 * goes on from. A value of a schema is given anew.
 */
function answerText(turns: readonly StoredTurn[], schema: JsonObject | null): string {
  let text = "";
  let goesOn = false;
  for (const turn of sinceCall(turns)) {
    text = (goesOn ? text : "") + turnText(turn);
    goesOn = schema === null && turn.finishReason === "length";
  }
  return text;
}

function filtered({ model }: StoredTurn): RunFailure {
  return new RunFailure(
    "CONTENT_FILTERED",
    `The provider of ${model} stopped the answer by its rules for content, so there is none. ` +
      "Word the request or the agent's skill differently, or use another model.",
  );
}

/** What stands in the one code fence that a message consists of; null where it is none. */
function withoutFence(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed.length < 6 || !trimmed.startsWith("```") || !trimmed.endsWith("```")) return null;
  const firstLine = trimmed.indexOf("\n");
  const lastLine = trimmed.lastIndexOf("\n");
  const mark = trimmed.slice(3, firstLine).trim();
  const end = trimmed.slice(lastLine + 1).trim();
  if (firstLine < 0 || (mark !== "" && mark !== "json") || end !== "```") return null;
  return trimmed.slice(firstLine + 1, Math.max(firstLine + 1, lastLine));
}

type ReadData = { ok: true; data: unknown } | { ok: false; problem: string };

/**
 * The JSON value that a message consists of (bare, or in one code fence), checked against a schema.
 */
export function readData(text: string, schema: JsonObject): ReadData {
  const bare = withoutFence(text) ?? text;
  let data: unknown;
  try {
    data = JSON.parse(bare);
  } catch {
    return { ok: false, problem: "it is not one JSON value" };
  }
  const violations = validateAgainst(schema, data);
  if (violations.length === 0) return { ok: true, data };
  return {
    ok: false,
    problem: violations
      .slice(0, 5)
      .map(({ path, message }) => (path ? `${path}: ${message}` : message))
      .join("; "),
  };
}

/**
 * What a run that is at its end comes to: its answer and its artifacts. Null when the model is to
 * be asked again.
 * @throws RunFailure as `readAnswer`
 */
export function resultOf(run: LoadedRun, limits: RunLimits): RunResult | null {
  const answer = readAnswer(run, limits.maxSteps);
  if (!answer.isWhole) return null;
  return {
    text: answer.text,
    ...(run.agent && { agent_id: run.agent.id, agent_name: run.agent.name }),
    artifacts: [...run.surroundings.artifacts],
    ...("data" in answer ? { data: answer.data } : citing(run, answer.text)),
  };
}

function citing(run: LoadedRun, text: string): Pick<RunResult, "citations"> {
  const citations = citationsIn(text, run.transcript);
  return citations.length > 0 ? { citations } : {};
}

/**
 * Ends a run as completed, with its last turn where that is not stored yet, in one statement; where
 * somebody is to hear of it, in one transaction.
 * @param settled the last turn; its charge must come out as it says
 * @returns false when the model is to be asked again
 * @throws RunHasEnded when the run was ended meanwhile, MessagesWait when somebody has said
 * something to it, and then nothing is stored; LogTakenOver
 */
export async function completeRun(
  run: LoadedRun,
  limits: RunLimits,
  writer: RunLogWriter,
  settled: SettledTurn | null = null,
): Promise<boolean> {
  const result = resultOf(run, limits);
  if (!result) return false;
  const row = toSettledRow(run, result);
  const usage = settled?.usage ?? toUsage(run.cost.usage);
  const fold = foldEnd();
  const lines = [
    ...(settled ? [{ type: "usage.updated" as const, usage }] : []),
    terminalLine(row, usage),
  ];
  await storeWithLog(writer, lines, undefined, async (log) => {
    const complete = (on: Queryable) =>
      callSql(on, "complete_run", {
        run: run.id,
        account: run.accountId,
        result: JSON.stringify(result),
        message_id: newId(),
        ...(settled ? turnArguments(run.id, settled) : { turn: null, spans: [] }),
        charge: settled && chargeArgument(settled.charge),
        paid: settled?.charge.micros ?? null,
        log,
        end: fold?.argument ?? null,
      });
    await withinAccount(run.accountId, async () => {
      if (hasFollowers(row))
        await transaction(async (tx) => {
          await complete(tx);
          await followUps(tx, row);
          failpoint("end.written");
        });
      else await complete(postgres());
    });
  }).catch((error: Error & { code?: string }) => {
    throw error.code === "LT004" ? new RunHasEnded() : toMessagesWait(error);
  });
  failpoint("end.committed");
  fold?.done();
  sendEndedRun(row);
  return true;
}

function hasFollowers({ webhook_url, should_notify, parent_run_id, kind }: SettledRow): boolean {
  return webhook_url !== null || should_notify || parent_run_id !== null || leadsRuns(kind);
}

function toSettledRow(run: LoadedRun, result: RunResult): SettledRow {
  return {
    id: run.id,
    account_id: run.accountId,
    kind: run.kind,
    status: "completed",
    agent_id: run.agent?.id ?? null,
    conversation_id: run.conversationId,
    parent_run_id: run.parentRunId,
    webhook_url: run.webhookUrl,
    should_notify: run.shouldNotify,
    result,
    error: null,
    model: run.model,
    trace_parent: run.traceParent,
    created_at: run.createdAt,
    completed_at: new Date(),
  };
}
