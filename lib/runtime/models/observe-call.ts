import "server-only";
import type { LanguageModelV3CallOptions } from "@ai-sdk/provider";
import { log } from "@/lib/platform/log";
import { metrics } from "@/lib/platform/metrics/metrics";
import { type SpanNotes, span } from "@/lib/platform/telemetry/telemetry";
import type { TurnUsage } from "@/lib/runtime/models/read-turn";
import type { ModelCallProblem } from "@/lib/runtime/models/to-model-call-problem";

/** What one call of a model tells of itself as it goes. */
export interface CallNotes {
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
export function observeCall<T>(
  model: CalledModel,
  options: LanguageModelV3CallOptions,
  call: (notes: CallNotes) => Promise<T>,
): Promise<T> {
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
