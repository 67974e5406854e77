import type { LanguageModelV3CallOptions, LanguageModelV3StreamPart } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { createOfflineModel } from "./create-offline-model";

const options = (request: string): LanguageModelV3CallOptions => ({
  prompt: [{ role: "user", content: [{ type: "text", text: request }] }],
});
const read = async (given: LanguageModelV3CallOptions) => {
  const { stream } = await createOfflineModel().doStream(given);
  const parts: LanguageModelV3StreamPart[] = [];
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) parts.push(next.value);
  return parts;
};

describe("builtin/offline as a language model", () => {
  it("streams words whose joined deltas are the text, and the same for the same prompt", async () => {
    const parts = await read(options("Write a poem"));
    const deltas = parts.flatMap((part) => (part.type === "text-delta" ? [part.delta] : []));
    expect(deltas.length).toBeGreaterThan(20);
    expect(deltas.every((delta) => delta.trim().split(/\s+/).length <= 1)).toBe(true);
    const whole = await createOfflineModel().doGenerate(options("Write a poem"));
    expect(whole.content).toEqual([{ type: "text", text: deltas.join("") }]);
  });

  it("counts a token for four characters, begun ones too, on both sides", async () => {
    const usageOf = async (request: string) => {
      const parts = await read(options(request));
      const characters = parts.reduce((sum, part) => sum + (part.type === "text-delta" ? part.delta.length : 0), 0);
      const [finish] = parts.slice(-1);
      if (finish?.type !== "finish") throw new Error("the stream has no end");
      return { input: finish.usage.inputTokens.total ?? 0, output: finish.usage.outputTokens.total ?? 0, characters };
    };
    const [poem, longer] = [await usageOf("Write a poem"), await usageOf(`Write a poem${"!".repeat(5)}`)];
    // 72 characters of the prompt's JSON, and 77.
    expect([poem.input, longer.input]).toEqual([18, 20]);
    for (const { output, characters } of [poem, longer]) {
      expect(output * 4).toBeGreaterThanOrEqual(characters);
      expect((output - 1) * 4).toBeLessThan(characters);
    }
  });

  it("stops in the middle when it is aborted", async () => {
    const controller = new AbortController();
    const { stream } = await createOfflineModel().doStream({ ...options("Write a poem"), abortSignal: controller.signal });
    const reader = stream.getReader();
    await reader.read();
    controller.abort(new Error("stop"));
    await expect(
      (async () => {
        while (!(await reader.read()).done);
      })(),
    ).rejects.toThrow("stop");
  });
});
