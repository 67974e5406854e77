import "server-only";
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import { generateFromStream } from "@/lib/runtime/models/compatible/create-compatible-model";
import type { ResolvedModel } from "@/lib/runtime/models/stream-turn";
import { watchPrompts } from "@/lib/runtime/test/watch-prompts";

/** What a test has the model say in one turn. */
export interface ScriptedTurn {
  text?: string;
  call?: { name: string; input: unknown };
  /** Further calls of the same turn. */
  calls?: { name: string; input: unknown }[];
  /** What else its provider says in the stream, such as what its own search has found. */
  parts?: LanguageModelV4StreamPart[];
  /**
   * The stream does not end: only whoever cuts the call ends it. Called once all parts were taken
   * and more is waited for.
   */
  onWait?: () => void;
  /** How it ends; `stop`, or `tool-calls` after a call, unless it is given. */
  finish?: LanguageModelV4FinishReason["unified"];
  /** What it reports to have used, in tokens; ten each way unless it is given. */
  usage?: { input: number; output: number };
}

/** What a scripted model is shown. */
export interface SeenTurn {
  /** Counts the calls of this model from 0. */
  call: number;
  system: string;
  prompt: LanguageModelV4CallOptions["prompt"];
  tools: LanguageModelV4CallOptions["tools"];
  /** The longest answer that it may give, in tokens. */
  maxOutputTokens: number | undefined;
  toolChoice: LanguageModelV4CallOptions["toolChoice"];
  responseFormat: LanguageModelV4CallOptions["responseFormat"];
}

/**
 * A model of `provider/name` `id` that says what `script` decides, for tests that inject it. It may
 * wait; an aborted call ends at once.
 */
export function scriptedModel(
  id: string,
  script: (seen: SeenTurn) => ScriptedTurn | Promise<ScriptedTurn>,
): ResolvedModel {
  let calls = 0;
  const watch = watchPrompts();
  const model: LanguageModelV4 = {
    specificationVersion: "v4",
    provider: "test",
    modelId: id,
    supportedUrls: {},
    doGenerate: (options) => generateFromStream(model, options),
    async doStream({ prompt, tools, maxOutputTokens, toolChoice, responseFormat, abortSignal }) {
      const call = calls++;
      const system = prompt
        .flatMap((message) => (message.role === "system" ? [message.content] : []))
        .join("\n");
      watch.check(prompt, tools);
      const turn = await Promise.race([
        script({ call, system, prompt, tools, maxOutputTokens, toolChoice, responseFormat }),
        aborted(abortSignal),
      ]);
      watch.answered(`call_${call}`, turn.text ?? "", prompt, tools);
      return { stream: toStream(toParts(turn, `call_${call}`), turn.onWait) };
    },
  };
  return { id, model };
}

function toStream(
  parts: Iterable<LanguageModelV4StreamPart>,
  onWait?: () => void,
): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream(
    {
      start(controller) {
        for (const part of parts) controller.enqueue(part);
        if (!onWait) controller.close();
      },
      pull: () => onWait?.(),
    },
    // So it is asked for more only by who has done with all that there was.
    { highWaterMark: 0 },
  );
}

function aborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason);
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

function* toParts(turn: ScriptedTurn, toolCallId: string): Generator<LanguageModelV4StreamPart> {
  yield { type: "stream-start", warnings: [] };
  if (turn.text) {
    yield { type: "text-start", id: "text" };
    yield { type: "text-delta", id: "text", delta: turn.text };
    yield { type: "text-end", id: "text" };
  }
  yield* turn.parts ?? [];
  const calls = [...(turn.call ? [turn.call] : []), ...(turn.calls ?? [])];
  for (const [index, { name, input }] of calls.entries())
    yield {
      type: "tool-call",
      toolCallId: index === 0 ? toolCallId : `${toolCallId}-${index}`,
      toolName: name,
      input: JSON.stringify(input),
    };
  if (turn.onWait) return;
  const { input, output } = turn.usage ?? { input: 10, output: 10 };
  const unified = turn.finish ?? (calls.length > 0 ? "tool-calls" : "stop");
  yield {
    type: "finish",
    finishReason: { unified, raw: unified },
    usage: {
      inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: output, text: output, reasoning: 0 },
    },
  };
}
