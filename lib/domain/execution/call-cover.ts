import "server-only";
import { coverCall } from "@/lib/domain/credits/cover-call";
import { payerOf } from "@/lib/domain/execution/run-limits";
import type { SpeakInput } from "@/lib/domain/execution/speak-input";
import { models } from "@/lib/domain/models/models";
import { env } from "@/lib/env";
import { answerTokens, leastPrice } from "@/lib/runtime/models/estimate-micros";
import { affordableTokens, priceUsage } from "@/lib/runtime/models/price-usage";
import { promptTokensAtMost } from "@/lib/runtime/models/read-turn";
import { TurnAborted } from "@/lib/runtime/models/turn-aborted";

/** What covers the model calls of one turn, each attempt by its own model's price. */
export interface CallCover {
  /**
   * Covers one attempt, and cuts the answer to what is covered.
   * @returns the longest answer that the model may give, in tokens
   * @throws RunFailure BUDGET_EXCEEDED, INSUFFICIENT_CREDITS before the call, when not even a short answer is covered
   */
  cover(modelId: string): Promise<number>;
  /** What the run goes on holding after a call of this model, so that its next turn finds at least as much, in millionths of a credit. */
  keepMicros(modelId: string): bigint;
}

/** @param maxOutputTokens by the agent's config */
export function callCover({ run, limits, prompt, tools }: SpeakInput, maxOutputTokens: number | null): CallCover {
  const inputTokens = promptTokensAtMost({ prompt, tools });
  const answer = (modelId: string) => answerTokens(models().find(modelId), maxOutputTokens);
  const least = (modelId: string) => leastPrice(modelId, inputTokens, answer(modelId), env());
  return {
    async cover(modelId) {
      const outputTokens = answer(modelId);
      const most = priceUsage(modelId, { inputTokens, outputTokens, cachedInputTokens: 0 }, env());
      const covered = await coverCall(payerOf(run, limits), least(modelId), most);
      if (covered === null) throw new TurnAborted(null); // the run was ended meanwhile, and holds nothing any more
      return Math.min(outputTokens, affordableTokens(modelId, inputTokens, covered, env()));
    },
    keepMicros: least,
  };
}
