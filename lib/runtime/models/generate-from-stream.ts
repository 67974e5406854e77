import "server-only";
import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3Content, LanguageModelV3GenerateResult } from "@ai-sdk/provider";
import { emptyDraft, takePart } from "@/lib/runtime/models/read-turn";
import { StreamCut } from "@/lib/runtime/models/to-model-call-problem";

const UNKNOWN_USAGE = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

/** A whole answer out of a model's stream, for the callers that want no deltas. */
export async function generateFromStream(
  model: LanguageModelV3,
  options: LanguageModelV3CallOptions,
): Promise<LanguageModelV3GenerateResult> {
  const { stream } = await model.doStream(options);
  const draft = emptyDraft();
  const content: LanguageModelV3Content[] = [];
  let finishReason: LanguageModelV3GenerateResult["finishReason"] | null = null;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    takePart(draft, value, { onText: () => {}, onReasoning: () => {} });
    if (value.type === "tool-call") content.push(value);
    if (value.type === "finish") finishReason = value.finishReason;
  }
  if (finishReason === null) throw new StreamCut("no finish part");
  if (draft.text) content.unshift({ type: "text", text: draft.text });
  if (draft.reasoning) content.unshift({ type: "reasoning", text: draft.reasoning });
  return { content, finishReason, usage: draft.reported ?? UNKNOWN_USAGE, warnings: [] };
}
