import "server-only";
import {
  completeRun,
  messageBefore,
  outputSchema,
  resultOf,
} from "@/lib/domain/execution/complete-run";
import { endSpokenBuild } from "@/lib/domain/execution/end-build";
import type { LoadedRun } from "@/lib/domain/execution/load-run";
import { seesImages } from "@/lib/domain/execution/prompt-images";
import {
  callCover,
  isAgentRun,
  isBuild,
  type ModelCallInput,
  nextOf,
  requireAnswer,
  type TurnOutcome,
} from "@/lib/domain/execution/run-limits";
import { storeRunSpans, toAbortedSpan, toFailedSpans } from "@/lib/domain/execution/run-spans";
import { secretRedactor } from "@/lib/domain/execution/secret-redactor";
import {
  chargeAborted,
  paidInstead,
  type SettledTurn,
  settledTurn,
  storeTurn,
} from "@/lib/domain/execution/store-turn";
import { toStorableJson } from "@/lib/domain/execution/tool-call";
import { outputRedactor, RunHasEnded, TurnMessage } from "@/lib/domain/execution/with-run-log";
import { models } from "@/lib/domain/models/models";
import { isGone, successorOf } from "@/lib/domain/models/vendor-lists";
import { driveScope, waitOutside } from "@/lib/engine/drive";
import { DriverReplaced } from "@/lib/engine/events/event-rows";
import type { RunLogWriter } from "@/lib/engine/events/run-log-writer";
import { env } from "@/lib/env";
import type { JsonValue } from "@/lib/model/json-schema/json-value";
import { MODEL_CATALOGUE } from "@/lib/model/models/catalogue";
import type { ReasoningEffort } from "@/lib/model/models/model-facts";
import { RunFailure } from "@/lib/model/run/run-failure";
import type { Redactor } from "@/lib/platform/crypto/redact";
import { failpoint } from "@/lib/platform/failpoint";
import { inSlices } from "@/lib/platform/in-slices";
import { processSingleton } from "@/lib/platform/process-singleton";
import { createLanguageModel } from "@/lib/runtime/models/create-language-model";
import { providerOf } from "@/lib/runtime/models/providers/providers";
import type { TurnContent } from "@/lib/runtime/models/read-turn";
import {
  ModelFailure,
  type ResolvedModel,
  streamTurn,
  TurnAborted,
  type TurnRequest,
  type TurnResult,
} from "@/lib/runtime/models/stream-turn";
import { redactJson } from "@/lib/runtime/tools/resolve-tools";

/**
 * Streams one turn of the model into the log, then stores and charges it in one statement, which
 * ends the run where nothing follows from it. A secret of the account that the model says, whoever
 * told it, is shown and kept as `[redacted]`.
 */
export async function callModel(input: ModelCallInput): Promise<TurnOutcome> {
  const { run, limits, session } = input;
  const remaining = limits.deadline.getTime() - Date.now();
  const timeout = new RunFailure(
    "TIMEOUT",
    "The run's time limit was reached before it came to an end.",
  );
  if (remaining <= 0) throw timeout;
  const { output, results } = await secretRedactor(run.accountId, run.secrets);
  const { models, settings, maxOutputTokens } = turnModels(run);
  const { begin, cover, keepMicros } = callCover(input, maxOutputTokens);
  await begin(models[0]?.id ?? run.model);
  failpoint("turn.covered");
  const writer = session.writer;
  if (!writer) throw new RunHasEnded();
  driveScope()?.begun();
  for (const notice of input.notices) writer.append(notice);
  const message = new TurnMessage(
    writer,
    run.openMessageId,
    isBuild(run) ? null : messageBefore(run),
    output,
  );
  const timer = new AbortController();
  const alarm = setTimeout(() => timer.abort(), Math.min(remaining, 2 ** 31 - 1));
  const signal = AbortSignal.any([session.signal, timer.signal]);
  try {
    const turn: TurnRequest = {
      models,
      prompt: input.prompt,
      tools: input.tools,
      toolChoice: input.toolChoice,
      settings,
      schema: isBuild(run) ? null : outputSchema(run),
      cover,
      deadline: limits.deadline,
      signal,
      redact: results.redact,
      seesImages: (model) => seesImages({ model }),
      runId: run.id,
      rules: { task: input.task, account: run.accountId },
      onText: (delta) => message.text(delta),
      onReasoning: (delta) => message.reasoning(delta),
      onRetry: () => message.restart(),
    };
    const result = await waitOutside(() => streamTurn(turn));
    message.end();
    failpoint("turn.spoken");
    const call = { ...result, keepMicros: keepMicros(result.model) };
    return await settle(
      input,
      writer,
      settledTurn(input, message.id, call, await toContent(input, result, output)),
    );
  } catch (error) {
    if (error instanceof TurnAborted) {
      if (error.usage) await chargeBroken(input, writer, message.id, error.usage);
      if (timer.signal.aborted && !session.signal.aborted) throw timeout;
    }
    if (error instanceof ModelFailure)
      await storeRunSpans(run.id, toFailedSpans(input.turn, error.failed, "model"));
    throw error;
  } finally {
    clearTimeout(alarm);
  }
}

/** Charges a call that was broken off for what it had used until then. */
async function chargeBroken(
  input: ModelCallInput,
  writer: RunLogWriter,
  messageId: string,
  { model, usage, startedAt }: NonNullable<TurnAborted["usage"]>,
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
  input: ModelCallInput,
  writer: RunLogWriter,
  settled: SettledTurn,
): Promise<TurnOutcome> {
  const { run, limits } = input;
  const after = { ...run, turns: [...run.turns, settled.taken] };
  const follows = followsFrom(after, input, settled);
  if (follows instanceof RunFailure || follows !== "end" || isBuild(run)) {
    try {
      await storeTurn(
        input,
        writer,
        settled,
        follows instanceof RunFailure || follows === "end" ? null : follows,
      );
    } catch (error) {
      // It was cancelled meanwhile: what was used is charged all the same, and nothing follows from
      // it.
      if (error instanceof DriverReplaced) await chargeCut(input, writer, settled);
      throw error;
    }
    failpoint("turn.stored");
    if (follows instanceof RunFailure) throw follows;
    return follows === "end" ? endSpokenBuild(run, writer) : follows;
  }
  try {
    await completeRun(after, limits, writer, settled);
    return { done: true };
  } catch (error) {
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
function chargeCut(
  input: ModelCallInput,
  writer: RunLogWriter,
  settled: SettledTurn,
): Promise<void> {
  const { charge, taken } = settled;
  return chargeAborted(input, writer, {
    ...settled,
    charge: { ...charge, stepKey: `${charge.stepKey}-${taken.messageId}` },
  });
}

function followsFrom(
  after: LoadedRun,
  { limits, readers }: ModelCallInput,
  { taken }: SettledTurn,
): TurnOutcome | "end" | RunFailure {
  try {
    requireAnswer(after, taken, limits);
    const next = nextOf(after, taken);
    if (next && !next.done)
      return {
        done: false,
        calls: next.calls.map((call) => (readers.has(call.name) ? { ...call, reads: true } : call)),
      };
    if (next) return next;
    // What a build's cut message is worth is the build's own question: it has no answer to go on with.
    if (isBuild(after) && taken.finishReason === "length") return "end";
    return resultOf(after, limits) ? "end" : { done: false, calls: [] };
  } catch (error) {
    if (error instanceof RunFailure) return error;
    throw error;
  }
}

/**
 * What was said, each call under an id that the run has not used: some servers count from zero in
 * every turn. A secret goes into no call, as no model is given one: it has put it together from
 * what it read, at whose word whatever.
 */
async function toContent(
  { run, turn }: ModelCallInput,
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
  if (text) content.push({ type: "text", text });
  const used = new Set(
    run.turns.flatMap((earlier) =>
      earlier.content.map((part) => (part.type === "tool-call" ? part.toolCallId : "")),
    ),
  );
  for (const [index, call] of result.toolCalls.entries()) {
    const toolCallId =
      used.has(call.id) || call.id === "" ? `${call.id || "call"}_${turn}_${index}` : call.id;
    used.add(toolCallId);
    const vendor = call.providerOptions && { providerOptions: call.providerOptions };
    const input = await inSlices(
      redactJson((call.input ?? null) as JsonValue, output.redactInSteps),
    ); // a model's JSON, or its text
    content.push({ type: "tool-call", toolCallId, toolName: clean(call.name), input, ...vendor });
  }
  return JSON.parse(toStorableJson(content)) as TurnContent; // the same, with NUL characters and lone surrogates replaced
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
  };
  /** The longest answer by the agent's config, in tokens; null: it does not say. */
  maxOutputTokens: number | null;
} {
  const config = run.agent && isAgentRun(run) ? run.agent.config : null;
  const named = [run.model, ...(config?.fallback_models ?? [])].map((id) => models().find(id));
  const ids = [...new Set(named.flatMap((model) => (model?.switched_on ? [model.id] : [])))];
  if (ids.length === 0) throw switchedOff(run.model, config !== null);
  return {
    models: ids.map(resolveModel),
    settings: {
      temperature: config?.model_settings?.temperature ?? null,
      reasoning: config?.model_settings?.reasoning ?? null,
      defaultReasoning: config === null ? REASONING_WITHOUT_CONFIG : null,
    },
    maxOutputTokens: config?.model_settings?.max_output_tokens ?? null,
  };
}

/** Of builds, the super-agent and runs without an agent, which no config speaks for. */
const REASONING_WITHOUT_CONFIG: ReasoningEffort = "medium";

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
    ? `Set \`model\` in the agent's config to one that is, or name one in \`fallback_models\` (${known.join(", ")})`
    : `Name another one (${known.join(", ")})`;
  const model = models().find(id) ?? MODEL_CATALOGUE.find((each) => each.id === id);
  const provider = model ? providerOf(model.id) : null;
  const operator = provider ? `; the operator switches it on by ${provider.setUp[0]}` : "";
  return new RunFailure("INVALID_AGENT_CONFIG", `The model ${id} ${what}. ${owner}${operator}.`);
}

/** An operator may let any id of a vendor be named. */
const RESOLVED_MAX = 1_000;

/** One instance a model in this process: its HTTP connections are kept. */
export function resolveModel(id: string): ResolvedModel {
  const known = processSingleton("language-models", () => new Map<string, ResolvedModel>());
  const resolved = known.get(id) ?? {
    ...{ id, model: createLanguageModel(id, env()) },
    findSuccessor: async () => ((await isGone(id)) ? successorOf(id) : false),
  };
  if (known.size >= RESOLVED_MAX) known.clear();
  known.set(id, resolved);
  const { thinking = null, refuses = [] } = models().find(id) ?? {};
  return { ...resolved, abilities: { thinking, refuses } };
}
