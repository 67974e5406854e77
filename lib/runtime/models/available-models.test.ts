import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Env, envSchema, SettingsError } from "@/lib/env";
import { STARTING_CREDITS } from "@/lib/model/limits";
import { availableModels } from "@/lib/runtime/models/available-models";
import { createLanguageModel } from "@/lib/runtime/models/create-language-model";
import {
  affordableTokens,
  estimateMicros,
  priceAtMost,
  priceUsage,
} from "@/lib/runtime/models/prices";
import type { ListedModel } from "@/lib/runtime/models/providers/provider-adapter";

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
    expect(models.known.filter((model) => model.switched_on).map((model) => model.id)).toEqual([
      "builtin/offline",
    ]);
    expect(models.find("openai/gpt-5.1")?.switched_on).toBe(false);
    expect(models.find("openai/nope")).toBeNull();
  });

  it("leaves the built-in one out where the operator says so, and never falls to it", () => {
    const off = { ...compatible, OFFLINE_MODEL: "off" };
    const models = availableModels(env(off));
    expect(models.known.map(({ id }) => id)).not.toContain("builtin/offline");
    expect(models.find("builtin/offline")).toBeNull();
    for (const role of ["run", "builder", "judge"] as const)
      expect(models.roleModel(role)).toBe("compatible/a");
    expect(() => availableModels(env({ ...off, DEFAULT_MODEL: "builtin/offline" }))).toThrow(
      "DEFAULT_MODEL cannot be used: no model “builtin/offline” is known. Switched on: " +
        "compatible/a, compatible/b.",
    );
  });

  it.each<Record<string, string>>([{}, { OPENAI_COMPATIBLE_BASE_URL: "http://127.0.0.1:1/v1" }])(
    "refuses to start without any model, in one sentence: %j",
    (rest) => {
      expect(() => availableModels(env({ ...rest, OFFLINE_MODEL: "off" }))).toThrow(
        /^The environment variable OFFLINE_MODEL cannot be off where no other model is switched on: set a vendor's key[^.]*\.$/,
      );
    },
  );

  it("knows compatible models by their names and what they see", () => {
    const models = availableModels(env(compatible));
    expect(models.default_model).toBe("compatible/a");
    expect(models.find("compatible/b")).toMatchObject({
      vision: true,
      switched_on: true,
      price: { input: 1000, output: 2000 },
    });
    expect(
      availableModels(env({ ...compatible, OPENAI_COMPATIBLE_IMAGE_MODELS: "i" })).media,
    ).toEqual([{ id: "compatible/i", capability: "image", unit_price: 40 }]);
    const prices = {
      OPENAI_COMPATIBLE_SPEECH_MODELS: "s",
      OPENAI_COMPATIBLE_PRICES: '{"s": {"unit": 0.5}}',
    };
    expect(availableModels(env({ ...compatible, ...prices })).media).toEqual([
      { id: "compatible/s", capability: "speech", unit_price: 0.5 },
    ]);
    expect(availableModels(env({ OPENAI_COMPATIBLE_IMAGE_MODELS: "i" })).media).toEqual([]);
  });

  it("prefers the first vendor that is switched on, and DEFAULT_MODEL to all", () => {
    expect(availableModels(env({ ANTHROPIC_API_KEY: "k", ...compatible })).default_model).toBe(
      "anthropic/claude-sonnet-5-5",
    );
    expect(
      availableModels(env({ ANTHROPIC_API_KEY: "k", ...compatible, DEFAULT_MODEL: "compatible/b" }))
        .default_model,
    ).toBe("compatible/b");
  });

  it("says which models there are when DEFAULT_MODEL is none of them", () => {
    const fault = (DEFAULT_MODEL: string) =>
      expect(() => availableModels(env({ ...compatible, DEFAULT_MODEL })));
    fault("openai/gpt-5.1").toThrow(
      /DEFAULT_MODEL.*the provider of “openai\/gpt-5.1” is not switched on/,
    );
    fault("a").toThrow(
      new SettingsError(
        "The environment variable DEFAULT_MODEL cannot be used: no model “a” is known. Switched " +
          "on: compatible/a, compatible/b, builtin/offline.",
      ),
    );
  });

  it.each([
    "{",
    "[]",
    '{"a": {"input": 0, "output": 1}}',
    '{"a": {"input": 1}}',
    '{"a": {"input": 1, "output": 1, "x": 1}}',
  ])("refuses prices %s and names the variable", (prices) => {
    expect(() => availableModels(env({ ...compatible, OPENAI_COMPATIBLE_PRICES: prices }))).toThrow(
      "OPENAI_COMPATIBLE_PRICES",
    );
  });

  it("makes a model of every provider that is on, and says why it cannot", () => {
    const on = env({
      ...compatible,
      OPENAI_API_KEY: "k",
      ANTHROPIC_API_KEY: "k",
      GOOGLE_GENERATIVE_AI_API_KEY: "k",
    });
    for (const { id } of availableModels(on).known)
      expect(createLanguageModel(id, on).specificationVersion).toBe("v4");
    expect(() => createLanguageModel("openai/gpt-5.1", env())).toThrow(/not switched on/);
    expect(() => createLanguageModel("x/y", env())).toThrow(/not known/);
  });
});

const listed = (name: string, more: Partial<ListedModel> = {}): ListedModel => ({
  ...{
    name,
    label: null,
    context_tokens: null,
    output_max_tokens: null,
    retires: null,
    created: null,
    chats: true,
  },
  ...more,
});

describe("models of which the repository has never heard", () => {
  const key = { OPENAI_API_KEY: "k" };

  it("are named by the operator, one by one, in a file, or all of a vendor's", () => {
    expect(availableModels(env(key)).find("openai/gpt-9")).toBeNull();
    expect(
      availableModels(env({ ...key, OPENAI_MODELS: "gpt-9, openai/gpt-10" })).find("openai/gpt-10"),
    ).toMatchObject({
      switched_on: true,
    });
    const open = availableModels(env({ ...key, OPENAI_MODELS: "*" }));
    expect(open.find("openai/ft:gpt-9:us:x@1")).toMatchObject({
      id: "openai/ft:gpt-9:us:x@1",
      switched_on: true,
    });
    for (const id of [
      "anthropic/claude-9",
      "openai/",
      "openai/a b",
      `openai/${"a".repeat(151)}`,
      "gpt-9",
    ])
      expect(open.find(id)).toBeNull();
    expect(() => availableModels(env({ ...key, OPENAI_MODELS: "a b" }))).toThrow("OPENAI_MODELS");
  });

  it("are what their vendor listed last, newest first, without dated copies and others", () => {
    const models = availableModels(env(key));
    models.learn("openai", [
      listed("gpt-6.1-sol"),
      listed("gpt-9", {
        created: 1,
        label: "GPT-9",
        context_tokens: 9_000,
        output_max_tokens: 900,
        retires: "2031-01-01",
      }),
      listed("gpt-10", { created: 2 }),
      listed("gpt-10-2026-12-01", { created: 2 }),
      listed("text-embedding-9", { chats: false }),
    ]);
    expect(models.find("openai/gpt-9")).toMatchObject({
      ...{
        label: "GPT-9",
        context_tokens: 9_000,
        output_max_tokens: 900,
        retires: "2031-01-01",
        switched_on: true,
        gone: false,
      },
    });
    const shown = models.known.filter(({ provider }) => provider === "openai").map(({ id }) => id);
    expect(shown.slice(-2)).toEqual(["openai/gpt-10", "openai/gpt-9"]);
    expect(models.find("openai/gpt-10-2026-12-01")?.switched_on).toBe(true);
    expect(models.find("openai/gpt-11")).toBeNull();
  });

  it("cost as the operator says, else as their vendor's dearest, and are asked simply", () => {
    const dearest = availableModels(env({ ...key, OPENAI_MODELS: "gpt-9" })).find("openai/gpt-9");
    expect(dearest?.price).toMatchObject({ input: 10_000, output: 50_000 });
    expect(dearest).toMatchObject({
      reasoning: false,
      thinking: null,
      refuses: ["temperature", "forced_tool"],
    });
    const stated = env({
      ...key,
      OPENAI_MODELS: "gpt-9",
      UNKNOWN_MODEL_PRICE: '{"input": 500, "output": 1500}',
    });
    expect(
      priceUsage(
        "openai/gpt-9",
        { inputTokens: 1_000, outputTokens: 1_000, cachedInputTokens: 500 },
        stated,
      ),
    ).toBe(2_000_000n);
    for (const bad of ["x", "{}", '{"input": -1, "output": 1}'])
      expect(() => availableModels(env({ ...key, UNKNOWN_MODEL_PRICE: bad }))).toThrow(
        "UNKNOWN_MODEL_PRICE",
      );
  });

  it("are described by MODELS_FILE before the repository; a bad file is told by name", () => {
    const folder = mkdtempSync(join(tmpdir(), "lathe-models-"));
    const file = (value: unknown) => {
      const path = join(folder, `${Math.random()}.json`);
      writeFileSync(path, typeof value === "string" ? value : JSON.stringify(value));
      return path;
    };
    const row = {
      id: "openai/gpt-9",
      label: "GPT-9",
      context_tokens: 10,
      output_max_tokens: 5,
      price: { input: 1, cached_input: 1, output: 1 },
    };
    const cheaper = { ...row, id: "openai/gpt-6.1-sol", label: "Ours" };
    const facts = {
      models: [row, cheaper],
      aliases: { "openai/ours": "openai/gpt-9" },
      defaults: { openai: { run: "openai/ours" } },
    };
    const models = availableModels(env({ ...key, MODELS_FILE: file(facts) }));
    expect(models.find("openai/gpt-6.1-sol")?.label).toBe("Ours");
    expect([models.default_model, models.find("openai/ours")?.id]).toEqual([
      "openai/gpt-9",
      "openai/gpt-9",
    ]);
    const strange = { models: [{ ...row, id: "mistral/large" }] };
    for (const bad of [
      join(folder, "none.json"),
      file("{"),
      file({ models: [{ id: "openai/x" }] }),
      file(strange),
    ])
      expect(() => availableModels(env({ ...key, MODELS_FILE: bad }))).toThrow("MODELS_FILE");
    rmSync(folder, { recursive: true });
  });
});

describe("the model of a role", () => {
  it("is the operator's, by id or alias; BUILDER_MODEL and JUDGE_MODEL follow it unset", () => {
    const named = availableModels(
      env({
        ANTHROPIC_API_KEY: "k",
        DEFAULT_MODEL: "anthropic/latest-haiku",
        BUILDER_MODEL: "anthropic/latest-opus",
      }),
    );
    expect([named.roleModel("run"), named.roleModel("builder"), named.roleModel("judge")]).toEqual([
      "anthropic/claude-haiku-5-5",
      "anthropic/claude-opus-5-5",
      "anthropic/claude-haiku-5-5",
    ]);
    expect(availableModels(env({ ANTHROPIC_API_KEY: "k" })).roleModel("builder")).toBe(
      "anthropic/claude-opus-5-5",
    );
    expect(() => availableModels(env({ BUILDER_MODEL: "anthropic/claude-opus-5-5" }))).toThrow(
      /BUILDER_MODEL .* not switched on/,
    );
    // Its vendor may list it, which is known only when it was asked.
    expect(
      availableModels(env({ ANTHROPIC_API_KEY: "k", DEFAULT_MODEL: "anthropic/claude-9" }))
        .default_model,
    ).toBe("anthropic/claude-sonnet-5-5");
  });

  it("is one of its vendor: of the same family before another, whatever facts prefer", () => {
    const models = availableModels(env({ ANTHROPIC_API_KEY: "k", DEFAULT_MODEL: "" }));
    models.learn("anthropic", [listed("claude-sonnet-5"), listed("claude-haiku-4-5-20251001")]);
    expect(models.find("anthropic/claude-sonnet-5-5")?.gone).toBe(true);
    expect(models.find("anthropic/claude-haiku-4-5")?.gone).toBe(false);
    expect([models.default_model, models.aliases["anthropic/latest-sonnet"]]).toEqual([
      "anthropic/claude-sonnet-5",
      "anthropic/claude-sonnet-5",
    ]);
    models.learn("anthropic", [listed("claude-nova-9")]);
    expect(models.default_model).toBe("anthropic/claude-nova-9");
  });
});

describe("what a call costs", () => {
  it("has a long prompt at the price of its tier, all of it", () => {
    const id = "openai/gpt-6.1-sol";
    expect(
      priceUsage(id, { inputTokens: 272_000, outputTokens: 1, cachedInputTokens: 0 }, env()),
    ).toBe(BigInt(272_000 * 2_000 + 10_000));
    expect(
      priceUsage(id, { inputTokens: 272_001, outputTokens: 1, cachedInputTokens: 1 }, env()),
    ).toBe(BigInt(272_000 * 4_000 + 200 + 15_000));
    const most = priceAtMost(id, 300_000, 1_000, env());
    expect(affordableTokens(id, 300_000, most, env())).toBe(1_000);
  });

  const used = (inputTokens: number, outputTokens: number, cachedInputTokens = 0) => ({
    inputTokens,
    outputTokens,
    cachedInputTokens,
  });
  const priced = env({
    ...compatible,
    OPENAI_COMPATIBLE_PRICES: '{"a": {"input": 1000, "output": 2000, "cached_input": 100}}',
  });

  it("adds fresh input, cached input and output at their prices, in whole micros", () => {
    expect(priceUsage("compatible/a", used(1_000_000, 0), priced)).toBe(1_000_000_000n);
    expect(priceUsage("compatible/a", used(1_000_000, 500_000, 1_000_000), priced)).toBe(
      1_100_000_000n,
    );
    expect(priceUsage("builtin/offline", used(1, 1), priced)).toBe(200n);
  });

  it("has writes to Anthropic's cache at their price, and covers a whole prompt", () => {
    const id = "anthropic/claude-sonnet-4-5";
    const usage = {
      inputTokens: 1_000,
      outputTokens: 0,
      cachedInputTokens: 400,
      cacheWriteTokens: 500,
    };
    expect(priceUsage(id, usage, env())).toBe(BigInt(100 * 3_000 + 400 * 300 + 500 * 3_750));
    expect(priceUsage("openai/gpt-5.1", usage, env())).toBe(BigInt(600 * 1_250 + 400 * 125));
    const most = priceAtMost(id, 1_000, 100, env());
    expect(most).toBe(
      priceUsage(
        id,
        { ...usage, outputTokens: 100, cachedInputTokens: 0, cacheWriteTokens: 1_000 },
        env(),
      ),
    );
    expect(affordableTokens(id, 1_000, most, env())).toBe(100);
  });

  it("has writes to Anthropic's cache for an hour at twice the input's price, covered", () => {
    const id = "anthropic/claude-sonnet-4-5";
    const usage = {
      ...{ inputTokens: 1_000, outputTokens: 0, cachedInputTokens: 400 },
      ...{ cacheWriteTokens: 500, cacheWriteHourTokens: 200 },
    };
    expect(priceUsage(id, usage, env())).toBe(
      BigInt(100 * 3_000 + 400 * 300 + 300 * 3_750 + 200 * 6_000),
    );
    const most = priceAtMost(id, 1_000, 100, env(), 700);
    expect(most - priceAtMost(id, 1_000, 100, env())).toBe(BigInt(700 * (6_000 - 3_750)));
    expect(affordableTokens(id, 1_000, most, env(), 700)).toBe(100);
    const reserved = estimateMicros(id, "a request", env(), { cache: "1h" });
    expect(reserved).toBeGreaterThan(estimateMicros(id, "a request", env()));
    expect(estimateMicros("openai/gpt-5.1", "a request", env(), { cache: "1h" })).toBe(
      estimateMicros("openai/gpt-5.1", "a request", env()),
    );
    // More than was written cannot have been written for an hour.
    expect(priceUsage(id, { ...usage, cacheWriteHourTokens: 9_000 }, env())).toBe(
      BigInt(100 * 3_000 + 400 * 300 + 500 * 6_000),
    );
  });

  it("is never free, never negative and never thrown off by a provider's nonsense", () => {
    const cheap = env({
      ...compatible,
      OPENAI_COMPATIBLE_PRICES: '{"a": {"input": 0.0001, "output": 0.0001}}',
    });
    expect(priceUsage("compatible/a", used(1, 0), cheap)).toBe(1n);
    expect(priceUsage("compatible/a", used(0, 0), priced)).toBe(1n);
    expect(priceUsage("compatible/a", used(Number.NaN, -5, Number.POSITIVE_INFINITY), priced)).toBe(
      1n,
    );
    expect(priceUsage("compatible/a", used(10, 0, 1000), priced)).toBe(1000n);
    expect(priceUsage("gone/model", used(1_000_000, 0), priced)).toBe(1_000_000_000n);
  });

  it("is estimated at about one turn, with every model the starting credits can pay", () => {
    for (const { id } of availableModels(priced).known) {
      const estimate = estimateMicros(id, "a request", priced);
      expect(estimate).toBeGreaterThan(0n);
      // A tenth of what an account starts with, in micros of credits.
      expect(estimate).toBeLessThan((BigInt(STARTING_CREDITS) * 1_000_000n) / 10n);
    }
    expect(estimateMicros("compatible/a", "a".repeat(400_000), priced)).toBeGreaterThan(
      estimateMicros("compatible/a", "a", priced),
    );
  });
});
