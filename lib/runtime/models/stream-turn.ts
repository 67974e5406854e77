import "server-only";
import { setTimeout as wait } from "node:timers/promises";
import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3FunctionTool } from "@ai-sdk/provider";
import { RunFailure } from "@/lib/model/run/run-failure";
import { log } from "@/lib/platform/log";
import { metrics } from "@/lib/platform/metrics/metrics";
import { type SpanNotes, span } from "@/lib/platform/telemetry/telemetry";
import {
  emptyDraft,
  TurnAborted,
  type TurnDraft,
  type TurnListeners,
  type TurnToolCall,
  type TurnUsage,
  takePart,
  toTurnUsage,
} from "./read-turn";
import { type ModelCallProblem, StreamCut, toModelCallProblem } from "./to-model-call-problem";

export type { TurnToolCall, TurnUsage } from "./read-turn";
export { TurnAborted } from "./read-turn";

/** Three tries within 30 s (contract §2). */
const TRIES = 3;
const RETRY_WINDOW_MILLISECONDS = 30_000;
const FIRST_PAUSE_MILLISECONDS = 500;

export interface ResolvedModel {
  /** `provider/name`. */
  id: string;
  model: LanguageModelV3;
}

export interface TurnRequest {
  /** The run's model, then its fallbacks in order. */
  models: readonly ResolvedModel[];
  prompt: LanguageModelV3CallOptions["prompt"];
  tools: LanguageModelV3FunctionTool[];
  toolChoice: LanguageModelV3CallOptions["toolChoice"];
  settings: { temperature?: number | null };
  /**
   * Asked before each attempt: the longest answer that this model may give, in tokens. What it throws ends the turn before the call.
   * @param model `provider/name`
   */
  cover(model: string): Promise<number>;
  /** The end of the run's time, which no waiting outlasts. */
  deadline: Date;
  signal: AbortSignal;
  onText(delta: string): void;
  onReasoning(delta: string): void;
  /** How to wait before another attempt; the process's own timer unless it is given. Rejects when the signal is aborted. */
  pause?(milliseconds: number, signal: AbortSignal): Promise<unknown>;
  /** Takes the account's secrets out of what a provider says of a failure; absent: nothing. */
  redact?(text: string): string;
  /** For the log. */
  runId?: string;
  /** Called before another attempt when deltas of the last one were shown. */
  onRetry(): void;
}

export interface TurnResult {
  /** The model that answered. */
  model: string;
  text: string;
  reasoning: string;
  toolCalls: TurnToolCall[];
  usage: TurnUsage;
  finishReason: string;
}

/**
 * One turn of a model: streams its deltas to the listeners and answers the whole. Tries again, then the fallbacks, as contract §2
 * says. Throws `RunFailure` when none answers, and `TurnAborted` with the usage so far once the signal is aborted.
 */
export async function streamTurn(request: TurnRequest): Promise<TurnResult> {
  let first: ModelCallProblem | null = null;
  for (const [index, model] of request.models.entries()) {
    const outcome = await tryModel(model, request, index < request.models.length - 1);
    if ("finishReason" in outcome) return outcome;
    first ??= outcome;
  }
  if (first === null) throw new RunFailure("EXECUTION_FAILED", "The run has no model to call.");
  throw new RunFailure(first.code, first.message);
}

async function tryModel(model: ResolvedModel, request: TurnRequest, hasFallback: boolean): Promise<TurnResult | ModelCallProblem> {
  const started = Date.now();
  for (let tried = 1; ; tried += 1) {
    const outcome = await attempt(model, request);
    if ("finishReason" in outcome) return outcome;
    const pause = tried < TRIES && outcome.retryable ? pauseBefore(outcome, tried, started, request.deadline, hasFallback) : null;
    if (pause === null) return outcome;
    const resting = request.pause?.(pause, request.signal) ?? wait(pause, undefined, { signal: request.signal });
    await resting.catch(() => {
      throw new TurnAborted(null);
    });
  }
}

/** Milliseconds to wait before the next try; null when it would come too late. */
function pauseBefore(problem: ModelCallProblem, tried: number, started: number, deadline: Date, hasFallback: boolean): number | null {
  const backoff = FIRST_PAUSE_MILLISECONDS * 4 ** (tried - 1) * (0.75 + Math.random() / 2);
  const pause = problem.retryAfterMilliseconds ?? backoff;
  const at = Date.now() + pause;
  if (at >= deadline.getTime()) return null;
  // What the provider asks for is heeded beyond the window, unless another model could answer meanwhile.
  const isAsked = problem.retryAfterMilliseconds !== null && !hasFallback;
  return isAsked || at - started <= RETRY_WINDOW_MILLISECONDS ? pause : null;
}

async function attempt({ id, model }: ResolvedModel, request: TurnRequest): Promise<TurnResult | ModelCallProblem> {
  if (request.signal.aborted) throw new TurnAborted(null);
  const options = toCallOptions(request, await request.cover(id));
  return observeCall({ id, runId: request.runId ?? null }, options, (notes) => call({ id, model }, request, options, notes));
}

async function call(
  { id, model }: ResolvedModel,
  request: TurnRequest,
  options: LanguageModelV3CallOptions,
  notes: CallNotes,
): Promise<TurnResult | ModelCallProblem> {
  const draft = emptyDraft();
  let shown = false;
  const show = () => {
    if (!shown) notes.firstToken();
    shown = true;
  };
  const listeners: TurnListeners = {
    onText(delta) {
      show();
      request.onText(delta);
    },
    onReasoning(delta) {
      show();
      request.onReasoning(delta);
    },
  };
  try {
    await readStream(model, options, draft, listeners, request.signal);
    const result = toResult(id, draft, options);
    notes.end(result);
    return result;
  } catch (error) {
    if (request.signal.aborted) {
      const usage = toTurnUsage(draft, options);
      notes.end({ usage, aborted: true });
      throw new TurnAborted({ model: id, usage });
    }
    if (shown) request.onRetry();
    const problem = toModelCallProblem(error, id, request.redact);
    notes.end(problem);
    return problem;
  }
}

async function readStream(
  model: LanguageModelV3,
  options: LanguageModelV3CallOptions,
  draft: TurnDraft,
  listeners: TurnListeners,
  signal: AbortSignal,
): Promise<void> {
  const { stream } = await model.doStream(options);
  const reader = stream.getReader();
  // Not every vendor's stream ends when its signal is aborted: cancelling the reader does it for all.
  const onAbort = () => void reader.cancel().catch(() => {});
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) break;
      takePart(draft, value, listeners);
    }
  } catch (error) {
    void reader.cancel().catch(() => {});
    throw error;
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
  if (draft.finishReason === null) throw new StreamCut("no finish part");
}

function toCallOptions({ prompt, tools, toolChoice, settings, signal }: TurnRequest, maxOutputTokens: number): LanguageModelV3CallOptions {
  return {
    prompt,
    ...(tools.length > 0 && { tools, toolChoice }),
    ...(typeof settings.temperature === "number" && { temperature: settings.temperature }),
    maxOutputTokens,
    abortSignal: signal,
  };
}

function toResult(model: string, draft: TurnDraft, options: LanguageModelV3CallOptions): TurnResult {
  const { text, reasoning, toolCalls, finishReason } = draft;
  return { model, text, reasoning, toolCalls, usage: toTurnUsage(draft, options), finishReason: finishReason ?? "other" };
}

/** What one call of a model tells of itself as it goes. */
interface CallNotes {
  /** The first text or thought has come; said once. */
  firstToken(): void;
  /** How it ended: whole, broken off by us, or failed. */
  end(outcome: { usage: TurnUsage; finishReason: string } | { usage: TurnUsage; aborted: true } | ModelCallProblem): void;
}

interface CalledModel {
  /** `provider/name`. */
  id: string;
  runId: string | null;
}

// The names of OpenTelemetry's registry, where they differ from ours.
const PROVIDERS: Record<string, string> = { google: "gcp.gemini" };

/** Makes one call of a model visible: as a span by OpenTelemetry's names for generative AI, in the metrics, and in the log where it failed. */
function observeCall<T>(model: CalledModel, options: LanguageModelV3CallOptions, call: (notes: CallNotes) => Promise<T>): Promise<T> {
  const { id, runId } = model;
  const [vendor = "", name = id] = id.split(/\/(.*)/s);
  const provider = PROVIDERS[vendor] ?? vendor;
  const start = () => ({
    name: `chat ${name}`,
    kind: "client" as const,
    attributes: {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": provider,
      // The older name of the same, which many tools still read.
      "gen_ai.system": provider,
      "gen_ai.request.model": name,
      "gen_ai.request.max_tokens": options.maxOutputTokens,
      "gen_ai.request.temperature": options.temperature,
    },
  });
  return span(start, (notes) => {
    const startedAt = performance.now();
    return call({
      firstToken() {
        metrics()?.firstTokens.observe({ model: id }, secondsSince(startedAt));
      },
      end(outcome) {
        const label = "code" in outcome ? outcome.code : "aborted" in outcome ? "aborted" : "ok";
        metrics()?.modelCalls.observe({ model: id, outcome: label }, secondsSince(startedAt));
        if ("code" in outcome) tellFailure(outcome, { id, runId, notes });
        else noteUsage(outcome, id, notes);
      },
    });
  });
}

function tellFailure(
  { code, message, cause, retryable }: ModelCallProblem,
  { id, runId, notes }: CalledModel & { notes: SpanNotes },
): void {
  notes.fail(code);
  log.warn({ model: id, ...(runId !== null && { run_id: runId }), code, cause, retryable, reason: message }, "a model call failed");
}

function noteUsage({ usage, ...end }: { usage: TurnUsage; finishReason?: string; aborted?: true }, model: string, notes: SpanNotes): void {
  const { inputTokens, outputTokens, cachedInputTokens } = usage;
  notes.set({
    "gen_ai.usage.input_tokens": inputTokens,
    "gen_ai.usage.output_tokens": outputTokens,
    "gen_ai.usage.cache_read.input_tokens": cachedInputTokens,
    "gen_ai.response.finish_reasons": end.finishReason === undefined ? undefined : [end.finishReason],
    "lathe.aborted": end.aborted,
  });
  const made = metrics();
  if (made === null) return;
  made.tokens.inc({ model, direction: "input" }, inputTokens);
  made.tokens.inc({ model, direction: "cached_input" }, cachedInputTokens);
  made.tokens.inc({ model, direction: "output" }, outputTokens);
}

function secondsSince(startedAt: number): number {
  return (performance.now() - startedAt) / 1000;
}
