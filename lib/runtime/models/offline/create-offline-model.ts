import "server-only";
import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3StreamPart } from "@ai-sdk/provider";
import { estimateTokens } from "../estimate-tokens";
import { generateFromStream } from "../generate-from-stream";
import { decideTurn } from "./decide-turn";
import type { OfflineTurn } from "./offline-turn";

/**
 * `builtin/offline`: a language model of rules, which needs no network and no weights. It sees what any model sees, the prompt and
 * the tools, and gives the same answer to the same prompt. Its usage is counted at one token for four characters.
 */
export function createOfflineModel(): LanguageModelV3 {
  const model: LanguageModelV3 = {
    specificationVersion: "v3",
    provider: "builtin",
    modelId: "offline",
    supportedUrls: {},
    doGenerate: (options) => generateFromStream(model, options),
    doStream: async (options) => {
      options.abortSignal?.throwIfAborted();
      return { stream: toStream(toParts(decideTurn(options), options), options.abortSignal) };
    },
  };
  return model;
}

const PARTS_PER_PULL = 8;

/** Gives parts as they are asked for, so that a reader who stops, stops the model. */
function toStream(parts: Iterator<LanguageModelV3StreamPart>, signal: AbortSignal | undefined): ReadableStream<LanguageModelV3StreamPart> {
  return new ReadableStream({
    pull(controller) {
      if (signal?.aborted) return controller.error(signal.reason);
      for (let given = 0; given < PARTS_PER_PULL; given += 1) {
        const { done, value } = parts.next();
        if (done) return controller.close();
        controller.enqueue(value);
      }
    },
  });
}

function* toParts(turn: OfflineTurn, options: LanguageModelV3CallOptions): Generator<LanguageModelV3StreamPart> {
  yield { type: "stream-start", warnings: [] };
  yield* block("reasoning", turn.reasoning);
  yield* block("text", turn.text);
  // Ids need to differ from those of earlier turns, and to be the same when the step runs again.
  const turnNumber = options.prompt.length;
  let written = turn.reasoning.length + turn.text.length;
  for (const [index, call] of turn.calls.entries()) {
    const id = `call_${turnNumber}_${index + 1}`;
    const input = JSON.stringify(call.input);
    written += input.length;
    yield { type: "tool-input-start", id, toolName: call.name };
    yield { type: "tool-input-delta", id, delta: input };
    yield { type: "tool-input-end", id };
    yield { type: "tool-call", toolCallId: id, toolName: call.name, input };
  }
  const finished = turn.calls.length > 0 ? "tool-calls" : "stop";
  const input = JSON.stringify([options.prompt, options.tools ?? []]).length;
  yield {
    type: "finish",
    finishReason: { unified: finished, raw: finished },
    usage: {
      inputTokens: { total: estimateTokens(input), noCache: estimateTokens(input), cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: estimateTokens(written), text: estimateTokens(written), reasoning: undefined },
    },
  };
}

function* block(kind: "reasoning" | "text", text: string): Generator<LanguageModelV3StreamPart> {
  if (text === "") return;
  yield { type: `${kind}-start`, id: kind };
  for (const word of text.match(/\s*\S+\s*$|\s*\S+/g) ?? [text]) yield { type: `${kind}-delta`, id: kind, delta: word };
  yield { type: `${kind}-end`, id: kind };
}
