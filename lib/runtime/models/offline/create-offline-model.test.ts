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

  it("counts a token for four characters, on both sides", async () => {
    const given = options("Write a poem");
    const finish = (await read(given)).at(-1);
    const text = (await createOfflineModel().doGenerate(given)).content.map((part) => (part.type === "text" ? part.text : "")).join("");
    expect(finish).toMatchObject({
      type: "finish",
      usage: {
        inputTokens: { total: Math.ceil(JSON.stringify([given.prompt, []]).length / 4) },
        outputTokens: { total: Math.ceil(text.length / 4) },
      },
    });
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
