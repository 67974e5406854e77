import "server-only";
import { createHash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import type { JsonObject } from "@/lib/model/json-schema/json-value";
import type { CacheTime, ReasoningEffort } from "@/lib/model/models/model-facts";
import type { RulesOptions } from "@/lib/model/models/rules-task";
import { RunFailure } from "@/lib/model/run/run-failure";
import { type AnswerForm, answerForm } from "@/lib/runtime/models/answer/answer-form";
import {
  hasVendorWords,
  type ModelAbilities,
  withVendorOptions,
} from "@/lib/runtime/models/create-language-model";
import {
  type CallNotes,
  type ModelCallProblem,
  observeCall,
  toModelCallProblem,
  toRetiredProblem,
} from "@/lib/runtime/models/model-call";
import { readParts } from "@/lib/runtime/models/part-stream";
import { providerOf } from "@/lib/runtime/models/providers/providers";
import type { RanCode } from "@/lib/runtime/models/providers/ran-code";
import {
  type CallFacts,
  countedTokens,
  emptyDraft,
  type FailedCall,
  type FoundPage,
  hasPdf,
  PDF,
  TurnAborted,
  type TurnDraft,
  type TurnListeners,
  type TurnThought,
  type TurnToolCall,
  type TurnUsage,
  takePart,
  toTurnUsage,
  withoutUnseen,
} from "@/lib/runtime/models/read-turn";
import { RepetitionWatch } from "@/lib/runtime/models/repetition";
import { StreamCut } from "@/lib/runtime/models/stream-cut";
import { definePart } from "@/lib/service";

export type {
  CallFacts,
  FailedCall,
  TurnToolCall,
  TurnUsage,
} from "@/lib/runtime/models/read-turn";
export { TurnAborted } from "@/lib/runtime/models/read-turn";

/** Three tries within 30 s (contract §2). */
const TRIES = 3;
const RETRY_WINDOW_MILLISECONDS = 30_000;
const FIRST_PAUSE_MILLISECONDS = 500;

export interface ResolvedModel {
  /** `provider/name`. */
  id: string;
  model: LanguageModelV4;
  /** What is known of it; absent: what the published list says. */
  abilities?: ModelAbilities;
  /**
   * Asked when the provider says that it has no such model: what takes its place where its vendor
   * has ended it (null: nothing is known), and `false` where the vendor still lists it. Absent:
   * nobody knows.
   */
  findSuccessor?(): Promise<string | null | false>;
}

export interface TurnRequest {
  /** The run's model, then its fallbacks in order. */
  models: readonly ResolvedModel[];
  prompt: LanguageModelV4CallOptions["prompt"];
  tools: LanguageModelV4FunctionTool[];
  toolChoice: LanguageModelV4CallOptions["toolChoice"];
  /** The provider's own search of the web is offered too; its models must have one. */
  search?: {
    /** So many at most, where the provider can be told. */
    searches: number;
    /** It opens no page anew. */
    isClosed: boolean;
  };
  /** The provider's own execution of code is offered too; its models must have one. */
  code?: true;
  settings: {
    temperature?: number | null;
    reasoning?: ReasoningEffort | null;
    defaultReasoning?: ReasoningEffort | null;
    /** How long a cache is asked to keep system prompt and tools; absent: as is usual. */
    cache?: CacheTime;
  };
  /**
   * The schema that the answer must fit; absent: none. How the model is asked for it is its
   * provider's: what is listened to and answered is the value's JSON text, or the model's words.
   */
  schema?: JsonObject | null;
  /**
   * Asked before each attempt: the longest answer that this model may give, in tokens. What it
   * throws ends the turn before the call.
   * @param model `provider/name`
   */
  cover(model: string): Promise<number>;
  /** The end of the run's time, which no waiting outlasts. */
  deadline: Date;
  signal: AbortSignal;
  onText(delta: string): void;
  onReasoning(delta: string): void;
  /**
   * How to wait before another attempt; the process's own timer unless it is given. Rejects when
   * the signal is aborted.
   */
  pause?(milliseconds: number, signal: AbortSignal): Promise<unknown>;
  /** Takes the account's secrets out of what a provider says of a failure; absent: nothing. */
  redact?(text: string): string;
  /**
   * Whether a model is shown the prompt's files of a media type; absent: each is shown all.
   * @param model `provider/name`
   */
  sees?(model: string, mediaType: string): boolean;
  /** For the log. */
  runId?: string;
  /** What a model of rules is told in place of the prompt's words; absent: it answers the user. */
  rules?: RulesOptions;
  /**
   * Called when deltas were shown that are void: before another attempt, and before an answer that
   * the model gives by a call after it has said something.
   */
  onRetry(): void;
}

export interface TurnResult {
  /** The model that answered. */
  model: string;
  text: string;
  /**
   * What the model named as not found in place of an answer that fits the schema, which `text` then
   * says in words; null: it named nothing.
   */
  missing: readonly string[] | null;
  reasoning: string;
  thoughts: TurnThought[];
  toolCalls: TurnToolCall[];
  usage: TurnUsage;
  finishReason: string;
  /** What the provider's own search has found, in its order. */
  pages: readonly FoundPage[];
  /** How often it has searched, as it bills that. */
  searches: number;
  /** What code did that it ran on its own servers, in its order. */
  ran: readonly RanCode[];
  call: CallFacts;
  /** The calls that came to nothing before it. */
  failed: readonly FailedCall[];
}

/** No model answered. */
export class ModelFailure extends RunFailure {
  /** The prompt was too long for the model. */
  readonly overflow: { windowTokens: number | null } | null;

  constructor(
    problem: ModelCallProblem,
    readonly failed: readonly FailedCall[],
  ) {
    super(problem.code, problem.message);
    this.overflow = problem.overflow ?? null;
  }
}

/**
 * One turn of a model: streams its deltas to the listeners and answers the whole. Tries again, then
 * the fallbacks, as contract §2 says. Throws `ModelFailure` when none answers, what `cover` throws,
 * and `TurnAborted` with the usage so far once the signal is aborted.
 */
export async function streamTurn(request: TurnRequest): Promise<TurnResult> {
  let first: ModelCallProblem | null = null;
  const failed: FailedCall[] = [];
  for (const [index, model] of request.models.entries()) {
    const outcome = await tryModel(model, request, index < request.models.length - 1, failed);
    if ("finishReason" in outcome) return { ...outcome, failed };
    first ??= outcome;
  }
  if (first === null) throw new RunFailure("EXECUTION_FAILED", "The run has no model to call.");
  throw new ModelFailure(first, failed);
}

type Answered = Omit<TurnResult, "failed">;

async function tryModel(
  model: ResolvedModel,
  request: TurnRequest,
  hasFallback: boolean,
  failed: FailedCall[],
): Promise<Answered | ModelCallProblem> {
  const started = Date.now();
  for (let tried = 1; ; tried += 1) {
    const startedAt = performance.now();
    const answered = await attempt(model, request);
    if ("finishReason" in answered) return answered;
    const outcome = answered.isAbsent ? await lookForSuccessor(model, answered) : answered;
    const { code, message } = outcome;
    failed.push({
      model: model.id,
      startedAt,
      tookMs: performance.now() - startedAt,
      code,
      message,
    });
    const pause =
      tried < TRIES && outcome.retryable
        ? pauseBefore(outcome, tried, started, request.deadline, hasFallback)
        : null;
    if (pause === null) return outcome;
    const resting =
      request.pause?.(pause, request.signal) ?? wait(pause, undefined, { signal: request.signal });
    await resting.catch(() => {
      throw new TurnAborted(null);
    });
  }
}

/** The same problem, or that of a model that has ended. */
async function lookForSuccessor(
  model: ResolvedModel,
  problem: ModelCallProblem,
): Promise<ModelCallProblem> {
  const successor = model.findSuccessor ? await model.findSuccessor() : false;
  return successor === false ? problem : toRetiredProblem(problem, model.id, successor);
}

/** Milliseconds to wait before the next try; null when it would come too late. */
function pauseBefore(
  problem: ModelCallProblem,
  tried: number,
  started: number,
  deadline: Date,
  hasFallback: boolean,
): number | null {
  const backoff = FIRST_PAUSE_MILLISECONDS * 4 ** (tried - 1) * (0.75 + Math.random() / 2);
  const pause = problem.retryAfterMilliseconds ?? backoff;
  const at = Date.now() + pause;
  if (at >= deadline.getTime()) return null;
  // What the provider asks for is heeded beyond the window, unless another model could answer
  // meanwhile.
  const isAsked = problem.retryAfterMilliseconds !== null && !hasFallback;
  return isAsked || at - started <= RETRY_WINDOW_MILLISECONDS ? pause : null;
}

async function attempt(
  { id, model, abilities }: ResolvedModel,
  request: TurnRequest,
): Promise<Answered | ModelCallProblem> {
  if (request.signal.aborted) throw new TurnAborted(null);
  const prompt = withoutUnseen(request.prompt, (type) => request.sees?.(id, type) ?? true);
  const plain = toCallOptions(id, { ...request, prompt }, await request.cover(id));
  const { reasoning, defaultReasoning, cache } = request.settings;
  const form = request.schema ? answerForm(request.schema, request.tools) : null;
  const asked = {
    reasoning,
    defaultReasoning,
    form,
    rules: request.rules,
    ...(cache && { cache }),
  };
  const once = (options: LanguageModelV4CallOptions) =>
    observeCall({ id, runId: request.runId ?? null }, (notes) =>
      call({ id, model }, { ...request, form }, options, notes),
    );
  const refusal = refusalKey(id, request.schema ?? null);
  const options = withVendorOptions(id, plain, asked, refusers().has(refusal), abilities);
  const outcome = await withoutRefusedPdf(options, once);
  // A server that knows no such words refuses the call before it does anything.
  if (!("code" in outcome) || !outcome.isRefusal || !hasVendorWords(id, options)) return outcome;
  const again = await withoutRefusedPdf(withVendorOptions(id, plain, asked, true, abilities), once);
  if (!("code" in again)) {
    if (refusers().size >= REFUSERS_MAX) refusers().clear();
    refusers().add(refusal);
  }
  return again;
}

/**
 * The call, and where it is refused with PDF files in it, the call without them: one that its
 * vendor cannot read would else end each call of its run.
 */
async function withoutRefusedPdf(
  options: LanguageModelV4CallOptions,
  once: (options: LanguageModelV4CallOptions) => Promise<Answered | ModelCallProblem>,
): Promise<Answered | ModelCallProblem> {
  const outcome = await once(options);
  if (!("code" in outcome) || !outcome.isRefusal || outcome.overflow || !hasPdf(options.prompt))
    return outcome;
  const again = await once({
    ...options,
    prompt: withoutUnseen(options.prompt, (type) => type !== PDF),
  });
  // What is wrong with a call that is refused without them too is told of the call as it was.
  return "code" in again && again.isRefusal ? outcome : again;
}

const REFUSERS_MAX = 1_000;

/**
 * A server of another make knows such words or does not; a vendor refuses the one schema or the
 * other.
 */
function refusalKey(id: string, schema: JsonObject | null): string {
  return providerOf(id)?.isOfAnyMake === true || schema === null
    ? id
    : `${id} ${createHash("sha256").update(JSON.stringify(schema)).digest("hex")}`;
}

/** Models whose servers have refused such words, and took the same call without. */
const refusers = definePart("plain-models", () => new Set<string>());

async function call(
  { id, model }: ResolvedModel,
  request: TurnRequest & { form: AnswerForm | null },
  options: LanguageModelV4CallOptions,
  notes: CallNotes,
): Promise<Answered | ModelCallProblem> {
  const draft = emptyDraft(request.form);
  const startedAt = performance.now();
  let firstTokenMs: number | null = null;
  const show = () => {
    if (firstTokenMs !== null) return;
    notes.firstToken();
    firstTokenMs = performance.now() - startedAt;
  };
  const listeners: TurnListeners = {
    onText(delta) {
      show();
      request.onText(delta);
    },
    onVoid: () => request.onRetry(),
    onReasoning(delta) {
      show();
      request.onReasoning(delta);
    },
  };
  try {
    const search = request.search && providerOf(id)?.search;
    const code = request.code && providerOf(id)?.code;
    const requestId = await readStream(model, options, draft, listeners, request.signal, (part) => {
      if (search) draft.searches += search.countIn(part);
      if (part.type === "finish" && part.usage.raw)
        draft.cachedForHour = providerOf(id)?.cachedForHour?.(part.usage.raw) ?? 0;
      const ran = code?.read(part);
      if (ran) draft.ran.push(ran);
    });
    const reasoningTokens = draft.reported?.outputTokens.reasoning ?? null;
    const facts = {
      startedAt,
      tookMs: performance.now() - startedAt,
      firstTokenMs,
      reasoningTokens,
      requestId,
      countedTokens: countedTokens(draft),
    };
    const result = { ...toResult(id, draft, options), call: facts };
    notes.end(result);
    return result;
  } catch (error) {
    if (request.signal.aborted) {
      const usage = toTurnUsage(draft, options);
      notes.end({ usage, aborted: true });
      const { searches, ran } = draft;
      throw new TurnAborted({ model: id, usage, searches, ran, startedAt });
    }
    if (firstTokenMs !== null) request.onRetry();
    const problem = toModelCallProblem(error, id, request.redact);
    notes.end(problem);
    return problem;
  }
}

/** @returns the vendor's name for the request */
async function readStream(
  model: LanguageModelV4,
  options: LanguageModelV4CallOptions,
  draft: TurnDraft,
  listeners: TurnListeners,
  signal: AbortSignal,
  onPart: (part: LanguageModelV4StreamPart) => void,
): Promise<string | null> {
  const { stream, response } = await model.doStream(options);
  const repetition = watchRepetition();
  await readParts(
    stream,
    (part) => {
      takePart(draft, part, listeners);
      onPart(part);
      return repetition.repeats(draft, part);
    },
    signal,
  );
  if (draft.finishReason === "length") repetition.cut(draft);
  if (draft.finishReason === null) throw new StreamCut("no finish part");
  const headers = response?.headers ?? {};
  return (
    (headers["x-request-id"] ?? headers["request-id"] ?? draft.responseId)?.slice(
      0,
      REQUEST_ID_MAX_CHARACTERS,
    ) ?? null
  );
}

/**
 * Whether a model says the same again and again: what it has said once is all that it has said
 * then, and its turn ends `repeating`.
 */
function watchRepetition(): {
  repeats(draft: TurnDraft, part: LanguageModelV4StreamPart): boolean;
  cut(draft: TurnDraft): void;
} {
  const [text, thoughts] = [new RepetitionWatch(), new RepetitionWatch()];
  const end = (draft: TurnDraft, once: number | null) => {
    const written = draft.text.length;
    if (once !== null) draft.text = draft.text.slice(0, once).toWellFormed();
    draft.finishReason = REPEATING;
    draft.toolCalls = [];
    // What was written all the same is paid for.
    draft.argumentCharacters += written - draft.text.length;
    return true;
  };
  return {
    repeats(draft, part) {
      if (part.type === "text-delta") {
        const once = text.push(part.delta);
        return once !== null && end(draft, once);
      }
      return (
        part.type === "reasoning-delta" && thoughts.push(part.delta) !== null && end(draft, null)
      );
    },
    cut(draft) {
      const once = text.cut();
      if (once !== null) end(draft, once);
    },
  };
}

/** How a turn ends whose model was stopped because it repeated itself. */
export const REPEATING = "repeating";

const REQUEST_ID_MAX_CHARACTERS = 200;

function toCallOptions(
  id: string,
  { prompt, tools: ours, toolChoice, search, code, settings, signal }: TurnRequest,
  maxOutputTokens: number,
): LanguageModelV4CallOptions {
  const provider = providerOf(id);
  const searching = search && provider?.search?.tool(search.searches, search.isClosed);
  const running = code && provider?.code?.tool;
  const tools = [...ours, ...(searching ? [searching] : []), ...(running ? [running] : [])];
  const isWithoutTools =
    tools.length === 0 || (toolChoice?.type === "none" && !provider?.keepsTools);
  return {
    prompt,
    ...(!isWithoutTools && { tools, toolChoice }),
    ...(typeof settings.temperature === "number" && { temperature: settings.temperature }),
    maxOutputTokens,
    abortSignal: signal,
  };
}

function toResult(
  model: string,
  draft: TurnDraft,
  options: LanguageModelV4CallOptions,
): Omit<Answered, "call"> {
  const { text, missing, reasoning, thoughts, toolCalls, finishReason, pages, searches, ran } =
    draft;
  return {
    model,
    text,
    missing,
    reasoning,
    thoughts,
    toolCalls,
    usage: toTurnUsage(draft, options),
    finishReason: finishReason ?? "other",
    pages,
    searches,
    ran,
  };
}
