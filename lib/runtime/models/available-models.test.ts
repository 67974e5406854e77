import { describe, expect, it } from "vitest";
import { type Env, envSchema, SettingsError } from "@/lib/env";
import { STARTING_CREDITS } from "@/lib/model/limits";
import { availableModels } from "@/lib/runtime/models/available-models";
import { createLanguageModel } from "@/lib/runtime/models/create-language-model";
import { affordableTokens, estimateMicros, priceAtMost, priceUsage } from "@/lib/runtime/models/prices";

const env = (given: Record<string, string> = {}): Env => envSchema.parse(given);
const compatible = {
  OPENAI_COMPATIBLE_BASE_URL: "http://127.0.0.1:9/v1",
  OPENAI_COMPATIBLE_MODELS: "a, b",
  OPENAI_COMPATIBLE_VISION_MODELS: "b",
};

describe("the models of a deployment", () => {
  it("serves the built-in one when nothing is switched on", () => {
    const models = availableModels(env());
    expect(models.default_model).toBe("builtin/offline");
    expect(models.known.filter((model) => model.switched_on).map((model) => model.id)).toEqual(["builtin/offline"]);
    expect(models.find("openai/gpt-5.1")?.switched_on).toBe(false);
    expect(models.find("openai/nope")).toBeNull();
  });

  it("knows compatible models by their names and what they see", () => {
    const models = availableModels(env(compatible));
    expect(models.default_model).toBe("compatible/a");
    expect(models.find("compatible/b")).toMatchObject({ vision: true, switched_on: true, price: { input: 1000, output: 2000 } });
    expect(availableModels(env({ ...compatible, OPENAI_COMPATIBLE_IMAGE_MODELS: "i" })).media).toEqual([
      { id: "compatible/i", capability: "image", unit_price: 40 },
    ]);
    const prices = { OPENAI_COMPATIBLE_SPEECH_MODELS: "s", OPENAI_COMPATIBLE_PRICES: '{"s": {"unit": 0.5}}' };
    expect(availableModels(env({ ...compatible, ...prices })).media).toEqual([
      { id: "compatible/s", capability: "speech", unit_price: 0.5 },
    ]);
    expect(availableModels(env({ OPENAI_COMPATIBLE_IMAGE_MODELS: "i" })).media).toEqual([]);
  });

  it("prefers the first vendor that is switched on, and DEFAULT_MODEL to all", () => {
    expect(availableModels(env({ ANTHROPIC_API_KEY: "k", ...compatible })).default_model).toBe("anthropic/claude-sonnet-4-5");
    expect(availableModels(env({ ANTHROPIC_API_KEY: "k", ...compatible, DEFAULT_MODEL: "compatible/b" })).default_model).toBe(
      "compatible/b",
    );
  });

  it("says which models there are when DEFAULT_MODEL is none of them", () => {
    const fault = (DEFAULT_MODEL: string) => expect(() => availableModels(env({ ...compatible, DEFAULT_MODEL })));
    fault("openai/gpt-5.1").toThrow(/DEFAULT_MODEL.*the provider of “openai\/gpt-5.1” is not switched on/);
    fault("a").toThrow(
      new SettingsError(
        "The environment variable DEFAULT_MODEL cannot be used: no model “a” is known. Switched on: compatible/a, compatible/b, builtin/offline.",
      ),
    );
  });

  it.each(["{", "[]", '{"a": {"input": 0, "output": 1}}', '{"a": {"input": 1}}', '{"a": {"input": 1, "output": 1, "x": 1}}'])(
    "refuses prices %s and names the variable",
    (prices) => {
      expect(() => availableModels(env({ ...compatible, OPENAI_COMPATIBLE_PRICES: prices }))).toThrow("OPENAI_COMPATIBLE_PRICES");
    },
  );

  it("makes a model of every provider that is on, and says why it cannot", () => {
    const on = env({ ...compatible, OPENAI_API_KEY: "k", ANTHROPIC_API_KEY: "k", GOOGLE_GENERATIVE_AI_API_KEY: "k" });
    for (const { id } of availableModels(on).known) expect(createLanguageModel(id, on).specificationVersion).toBe("v3");
    expect(() => createLanguageModel("openai/gpt-5.1", env())).toThrow(/not switched on/);
    expect(() => createLanguageModel("x/y", env())).toThrow(/not known/);
  });
});

describe("what a call costs", () => {
  const used = (inputTokens: number, outputTokens: number, cachedInputTokens = 0) => ({ inputTokens, outputTokens, cachedInputTokens });
  const priced = env({ ...compatible, OPENAI_COMPATIBLE_PRICES: '{"a": {"input": 1000, "output": 2000, "cached_input": 100}}' });

  it("adds fresh input, cached input and output at their prices, in whole micros", () => {
    expect(priceUsage("compatible/a", used(1_000_000, 0), priced)).toBe(1_000_000_000n);
    expect(priceUsage("compatible/a", used(1_000_000, 500_000, 1_000_000), priced)).toBe(1_100_000_000n);
    expect(priceUsage("builtin/offline", used(1, 1), priced)).toBe(200n);
  });

  it("has what is written to Anthropic's cache at its own price, and covers a prompt that is written whole", () => {
    const id = "anthropic/claude-sonnet-4-5";
    const usage = { inputTokens: 1_000, outputTokens: 0, cachedInputTokens: 400, cacheWriteTokens: 500 };
    expect(priceUsage(id, usage, env())).toBe(BigInt(100 * 3_000 + 400 * 300 + 500 * 3_750));
    expect(priceUsage("openai/gpt-5.1", usage, env())).toBe(BigInt(600 * 1_250 + 400 * 125));
    const most = priceAtMost(id, 1_000, 100, env());
    expect(most).toBe(priceUsage(id, { ...usage, outputTokens: 100, cachedInputTokens: 0, cacheWriteTokens: 1_000 }, env()));
    expect(affordableTokens(id, 1_000, most, env())).toBe(100);
  });

  it("is never free, never negative and never thrown off by a provider's nonsense", () => {
    const cheap = env({ ...compatible, OPENAI_COMPATIBLE_PRICES: '{"a": {"input": 0.0001, "output": 0.0001}}' });
    expect(priceUsage("compatible/a", used(1, 0), cheap)).toBe(1n);
    expect(priceUsage("compatible/a", used(0, 0), priced)).toBe(1n);
    expect(priceUsage("compatible/a", used(Number.NaN, -5, Number.POSITIVE_INFINITY), priced)).toBe(1n);
    expect(priceUsage("compatible/a", used(10, 0, 1000), priced)).toBe(1000n);
    expect(priceUsage("gone/model", used(1_000_000, 0), priced)).toBe(1_000_000_000n);
  });

  it("is estimated at about one turn, with every model the starting credits can pay", () => {
    for (const { id } of availableModels(priced).known) {
      const estimate = estimateMicros(id, "a request", priced);
      expect(estimate).toBeGreaterThan(0n);
      // A twentieth of what an account starts with, in micros of credits.
      expect(estimate).toBeLessThan((BigInt(STARTING_CREDITS) * 1_000_000n) / 20n);
    }
    expect(estimateMicros("compatible/a", "a".repeat(400_000), priced)).toBeGreaterThan(estimateMicros("compatible/a", "a", priced));
  });
});
