import "server-only";
import { coverCall } from "@/lib/domain/credits/cover-call";
import { beginTurn } from "@/lib/domain/execution/begin-turn";
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
   * Covers one attempt, and cuts the answer to what is covered. Call `begin` first, for the turn's first model.
   * @returns the longest answer that the model may give, in tokens
   * @throws RunFailure BUDGET_EXCEEDED, INSUFFICIENT_CREDITS before the call, when not even a short answer is covered
   */
  cover(modelId: string): Promise<number>;
  /** Begins the turn, which covers the first call of this model with it. @throws as `beginTurn` */
  begin(modelId: string): Promise<void>;
  /** What the run goes on holding after a call of this model, so that its next turn finds at least as much, in millionths of a credit. */
  keepMicros(modelId: string): bigint;
}

/** @param maxOutputTokens by the agent's config */
export function callCover(input: SpeakInput, maxOutputTokens: number | null): CallCover {
  const { run, limits, prompt, tools } = input;
  const inputTokens = promptTokensAtMost({ prompt, tools });
  const answer = (modelId: string) => answerTokens(models().find(modelId), maxOutputTokens);
  const least = (modelId: string) => leastPrice(modelId, inputTokens, answer(modelId), env());
  const most = (modelId: string) => priceUsage(modelId, { inputTokens, outputTokens: answer(modelId), cachedInputTokens: 0 }, env());
  /** What the beginning of the turn has covered, for the model that is called first. */
  let begun: { modelId: string; covered: bigint } | null = null;
  return {
    async begin(modelId) {
      begun = { modelId, covered: await beginTurn(input, least(modelId), most(modelId)) };
    },
    async cover(modelId) {
      const first = begun?.modelId === modelId ? begun.covered : null;
      begun = null;
      const covered = first ?? (await coverCall(payerOf(run, limits), least(modelId), most(modelId)));
      if (covered === null) throw new TurnAborted(null); // the run was ended meanwhile, and holds nothing any more
      return Math.min(answer(modelId), affordableTokens(modelId, inputTokens, covered, env()));
    },
    keepMicros: least,
  };
}
