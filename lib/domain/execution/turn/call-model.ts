import "server-only";
import {
  callPaidModel,
  callPrices,
  type PaidModelCall,
  timeIsUp,
} from "@/lib/domain/execution/pay/paid-model-call";
import { seesFile } from "@/lib/domain/execution/prompt/prompt-files";
import type { LoadedRun } from "@/lib/domain/execution/run/loaded-run";
import { secretRedactor } from "@/lib/domain/execution/run/secret-redactor";
import { notFound } from "@/lib/domain/execution/run/transcript";
import {
  outputRedactor,
  RunHasEnded,
  TurnMessage,
} from "@/lib/domain/execution/session/with-run-log";
import { toStorableJson } from "@/lib/domain/execution/tools/tool-call";
import {
  storeRunSpans,
  toAbortedSpan,
  toFailedSpans,
} from "@/lib/domain/execution/trace/run-spans";
import { beginTurn } from "@/lib/domain/execution/turn/begin-turn";
import { outputSchema } from "@/lib/domain/execution/turn/complete-run";
import { endOrGoOn, followsFrom, GO_ON } from "@/lib/domain/execution/turn/follows";
import type { TurnOutcome } from "@/lib/domain/execution/turn/outcomes";
import type { SettledTurn } from "@/lib/domain/execution/turn/settled-turn";
import {
  chargeAborted,
  paidInstead,
  settledTurn,
  storeTurn,
} from "@/lib/domain/execution/turn/store-turn";
import type { TurnInput } from "@/lib/domain/execution/turn/turn-input";
import { models } from "@/lib/domain/models/models";
import { isGone, successorOf } from "@/lib/domain/models/vendor-lists";
import { MessagesWait } from "@/lib/domain/runs/settle-run";
import { driveScope } from "@/lib/engine/drive";
import { DriverReplaced } from "@/lib/engine/events/event-rows";
import type { RunLogWriter } from "@/lib/engine/events/run-log-writer";
import { env } from "@/lib/env";
import type { JsonObject, JsonValue } from "@/lib/model/json-schema/json-value";
import { MODEL_CATALOGUE } from "@/lib/model/models/catalogue";
import type { CacheTime, ReasoningEffort } from "@/lib/model/models/model-facts";
import { RunFailure } from "@/lib/model/run/run-failure";
import type { Redactor } from "@/lib/platform/crypto/redact";
import { failpoint } from "@/lib/platform/failpoint";
import { inSlices } from "@/lib/platform/in-slices";
import { answerForm } from "@/lib/runtime/models/answer/answer-form";
import { createLanguageModel } from "@/lib/runtime/models/create-language-model";
import { providerOf } from "@/lib/runtime/models/providers/providers";
import type { CutUsage, TurnContent } from "@/lib/runtime/models/read-turn";
import {
  ModelFailure,
  type ResolvedModel,
  type TurnRequest,
  type TurnResult,
} from "@/lib/runtime/models/stream-turn";
import { redactJson } from "@/lib/runtime/tools/resolve-tools";
import { callsByLookup, directCall, noteLookup } from "@/lib/runtime/tools/tool-lookup";
import { definePart } from "@/lib/service";

/**
 * Streams one turn of the model into the log, then stores and charges it in one statement, which
 * ends the run where nothing follows from it. A secret of the account that the model says, whoever
 * told it, is shown and kept as `[redacted]`.
 */
export async function callModel(input: TurnInput): Promise<TurnOutcome> {
  const { run, limits, session } = input;
  if (limits.deadline.getTime() <= Date.now()) throw timeIsUp();
  const { output } = await secretRedactor(run.accountId, run.surroundings.secrets);
  const { models, maxOutputTokens, settings } = turnModels(run);
  const asked = withAnswerTool(input, outputSchema(run));
  const prices = callPrices(asked, maxOutputTokens, settings.cache);
  const modelId = models[0]?.id ?? run.model;
  const { covered, voided } = await beginTurn(input, prices.least(modelId), prices.most(modelId));
  failpoint("turn.covered");
  const writer = session.writer;
  if (!writer) throw new RunHasEnded();
  driveScope()?.begun();
  for (const notice of input.notices) writer.append(notice);
  const message = new TurnMessage(writer, voided, run.program.messageBefore(run), output);
  try {
    return await callPaidModel({
      run,
      limits,
      prices,
      covered: { modelId, micros: covered },
      request: turnRequest(input, {
        onText: (delta) => message.text(delta),
        onReasoning: (delta) => message.reasoning(delta),
        onRetry: () => message.restart(),
      }),
      signal: session.signal,
      isTimed: false,
      async settle(result) {
        message.end();
        failpoint("turn.spoken");
        const call = { ...result, keepMicros: prices.least(result.model) };
        const content = await toContent(input, result, output);
        return settle(input, writer, settledTurn(input, message.id, call, content));
      },
      settleCut: (usage) => chargeBroken(input, writer, message.id, usage),
    });
  } catch (error) {
    if (error instanceof ModelFailure)
      await storeRunSpans(run.id, toFailedSpans(input.turn, error.failed, "model"));
    throw error;
  }
}

/**
 * What a call sends at most: where the answer has a form, it may go out as a tool beside others.
 */
function withAnswerTool(
  { prompt, tools }: Pick<TurnInput, "prompt" | "tools">,
  schema: JsonObject | null,
): Pick<TurnInput, "prompt" | "tools"> {
  return { prompt, tools: schema ? [...tools, answerForm(schema, tools).tool] : tools };
}

/** A turn as its model is asked for it. @throws RunFailure as `turnModels` */
export function turnRequest(
  { run, prompt, tools, toolChoice, task }: Omit<TurnInput, "session">,
  heard: Pick<TurnRequest, "onText" | "onReasoning" | "onRetry">,
): PaidModelCall<unknown>["request"] {
  const { models, settings } = turnModels(run);
  return {
    models,
    prompt,
    tools,
    toolChoice,
    settings,
    schema: outputSchema(run),
    sees: seesFile,
    rules: { task, account: run.accountId },
    ...heard,
  };
}

/** Charges a call that was broken off for what it had used until then. */
export async function chargeBroken(
  input: TurnInput,
  writer: RunLogWriter,
  messageId: string,
  { model, usage, startedAt }: CutUsage,
): Promise<void> {
  const settled = settledTurn(
    input,
    messageId,
    { model, usage, finishReason: "aborted", keepMicros: 0n },
    null,
  );
  await chargeAborted(input, writer, settled);
  await storeRunSpans(input.run.id, [
    toAbortedSpan(input.turn, model, startedAt, settled.charge.stepKey),
  ]);
}

/** Stores a turn that was spoken to its end, and what follows from it. */
async function settle(
  input: TurnInput,
  writer: RunLogWriter,
  settled: SettledTurn,
): Promise<TurnOutcome> {
  const { run, limits } = input;
  const after = { ...run, transcript: run.transcript.with(settled.taken) };
  const follows = followsFrom(after, settled.taken, limits, input.readers);
  if (follows.is !== "end" || !run.program.storesTurnWithEnd) {
    try {
      await storeTurn(input, writer, settled, follows.is === "next" ? follows.outcome : null);
    } catch (error) {
      // It was cancelled meanwhile: what was used is charged all the same, and nothing follows from
      // it.
      if (error instanceof DriverReplaced) await chargeCut(input, writer, settled);
      throw error;
    }
    failpoint("turn.stored");
    if (follows.is === "failed") throw follows.failure;
    return follows.is === "end" ? endOrGoOn(run, limits, writer) : follows.outcome;
  }
  try {
    return await run.program.end(after, limits, writer, settled);
  } catch (error) {
    // Somebody has said something while it answered: it hears that first.
    if (error instanceof MessagesWait) {
      await storeTurn(input, writer, settled, GO_ON);
      return GO_ON;
    }
    // It was cancelled in the last moment: what was used is charged, and nobody hears the answer.
    if (error instanceof RunHasEnded || error instanceof DriverReplaced)
      await chargeCut(input, writer, settled);
    // The vendor reports more than was covered: the turn is stored with what could be paid, and the
    // run fails of the rest.
    else if (paidInstead(error) !== null) await storeTurn(input, writer, settled, null);
    throw error;
  }
}

/** Charges a turn that was spoken to its end and is not stored, as one that was aborted. */
function chargeCut(input: TurnInput, writer: RunLogWriter, settled: SettledTurn): Promise<void> {
  const { charge, taken } = settled;
  return chargeAborted(input, writer, {
    ...settled,
    charge: { ...charge, stepKey: `${charge.stepKey}-${taken.messageId}` },
  });
}

/**
 * What was said, each call under an id that the run has not used: some servers count from zero in
 * every turn. A secret goes into no call, as no model is given one: it has put it together from
 * what it read, at whose word whatever.
 */
export async function toContent(
  { run, turn }: Pick<TurnInput, "run" | "turn">,
  result: TurnResult,
  output: Redactor,
): Promise<TurnContent> {
  const content: TurnContent = [];
  const clean = (said: string) => {
    const filter = outputRedactor(output);
    return filter.push(said) + filter.end();
  };
  // Models that think want their thoughts back until they have answered. One that would have to be
  // changed is of no use any more: it is signed.
  if (result.toolCalls.length > 0)
    for (const { text, providerOptions } of result.thoughts)
      if (clean(text) === text && (text !== "" || providerOptions))
        content.push({ type: "reasoning", text, ...(providerOptions && { providerOptions }) });
  const text = clean(result.text);
  if (text)
    content.push({
      type: "text",
      text,
      ...(result.missing && { providerOptions: notFound(result.missing.map(clean)) }),
    });
  const used = new Set(run.transcript.calls().map(({ toolCallId }) => toolCallId));
  const looksUp = callsByLookup(run.context.frozen?.tools ?? []);
  for (const [index, said] of result.toolCalls.entries()) {
    const direct = looksUp ? directCall({ name: said.name, input: said.input }) : null;
    const call = direct
      ? { ...said, ...direct, providerOptions: noteLookup(said.providerOptions) }
      : said;
    const toolCallId =
      used.has(call.id) || call.id === "" ? `${call.id || "call"}_${turn}_${index}` : call.id;
    used.add(toolCallId);
    const vendor = call.providerOptions && { providerOptions: call.providerOptions };
    const input = await inSlices(
      redactJson((call.input ?? null) as JsonValue, output.redactInSteps),
    ); // a model's JSON, or its text
    content.push({ type: "tool-call", toolCallId, toolName: clean(call.name), input, ...vendor });
  }
  // The same, with NUL characters and lone surrogates replaced.
  return JSON.parse(toStorableJson(content)) as TurnContent;
}

/**
 * The models that a run's turns call, in order (the run's own, then the agent's fallbacks; those
 * that are switched on), and how.
 * @throws RunFailure INVALID_AGENT_CONFIG when none of them is
 */
export function turnModels(run: LoadedRun): {
  models: ResolvedModel[];
  settings: {
    temperature: number | null;
    reasoning: ReasoningEffort | null;
    defaultReasoning: ReasoningEffort | null;
    cache: CacheTime;
  };
  /** The longest answer by the agent's config, in tokens; null: it does not say. */
  maxOutputTokens: number | null;
} {
  const config = run.program.config(run);
  const named = [run.model, ...(config?.fallback_models ?? [])].map((id) => models().find(id));
  const ids = [...new Set(named.flatMap((model) => (model?.switched_on ? [model.id] : [])))];
  if (ids.length === 0) throw switchedOff(run.model, config !== null);
  return {
    models: ids.map(resolveModel),
    settings: {
      temperature: config?.model_settings?.temperature ?? null,
      reasoning: config?.model_settings?.reasoning ?? null,
      defaultReasoning: config === null ? run.program.reasoning() : null,
      cache: config?.model_settings?.cache ?? "5m",
    },
    maxOutputTokens: config?.model_settings?.max_output_tokens ?? null,
  };
}

/**
 * Nobody's data goes to another vendor's model, nor is an answer of rules taken for a model's,
 * because a key was removed.
 */
function switchedOff(id: string, ofAgent: boolean): RunFailure {
  const known = models()
    .known.filter((model) => model.switched_on)
    .map((model) => model.id);
  const what = models().find(id)
    ? "is not switched on in this deployment"
    : "is not known in this deployment any more";
  const owner = ofAgent
    ? "Set `model` in the agent's config to one that is, or name one in `fallback_models` " +
      `(${known.join(", ")})`
    : `Name another one (${known.join(", ")})`;
  const model = models().find(id) ?? MODEL_CATALOGUE.find((each) => each.id === id);
  const provider = model ? providerOf(model.id) : null;
  const operator = provider ? `; the operator switches it on by ${provider.setUp[0]}` : "";
  return new RunFailure("INVALID_AGENT_CONFIG", `The model ${id} ${what}. ${owner}${operator}.`);
}

/** An operator may let any id of a vendor be named. */
const RESOLVED_MAX = 1_000;

/** Those that were resolved; a test has its own among them. */
export const languageModels = definePart("language-models", () => new Map<string, ResolvedModel>());

/** One instance a model in this service: its HTTP connections are kept. */
export function resolveModel(id: string): ResolvedModel {
  const known = languageModels();
  const resolved = known.get(id) ?? {
    ...{ id, model: createLanguageModel(id, env()) },
    findSuccessor: async () => ((await isGone(id)) ? successorOf(id) : false),
  };
  if (known.size >= RESOLVED_MAX) known.clear();
  known.set(id, resolved);
  const { thinking = null, refuses = [] } = models().find(id) ?? {};
  return { ...resolved, abilities: { thinking, refuses } };
}
