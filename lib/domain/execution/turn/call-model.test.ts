import { expect, test } from "vitest";
import type { LoadedRun } from "@/lib/domain/execution/run/loaded-run";
import { resolveModel, turnModels } from "@/lib/domain/execution/turn/call-model";
import { testRun } from "@/lib/domain/test/test-run";
import type { AgentConfig } from "@/lib/model/agent-config/agent-config-schema";
import { testService } from "@/lib/platform/test/test-service";

testService({
  OPENAI_COMPATIBLE_BASE_URL: "http://127.0.0.1:9/v1",
  OPENAI_COMPATIBLE_MODELS: "one,two",
  DEFAULT_MODEL: "compatible/one",
  OPENAI_API_KEY: "",
});

const run = (model: string, config: Partial<AgentConfig> | null = null, kind = "agent") =>
  testRun({ kind, model, agent: config && { config: { version: 1, ...config } } });
const idsOf = (of: LoadedRun) => turnModels(of).models.map(({ id }) => id);

test("a turn calls the run's model, then the fallbacks switched on, each once", () => {
  const fallback_models = [
    "openai/gpt-5",
    "compatible/two",
    "compatible/one",
    "compatible/unknown",
  ];
  expect(idsOf(run("compatible/one", { fallback_models }))).toEqual([
    "compatible/one",
    "compatible/two",
  ]);
  expect(idsOf(run("openai/gpt-5", { fallback_models }))).toEqual([
    "compatible/two",
    "compatible/one",
  ]);
  expect(idsOf(run("compatible/one", { fallback_models }, "agent_edit"))).toEqual([
    "compatible/one",
  ]);
  expect(idsOf(run("compatible/one"))).toEqual(["compatible/one"]);
  expect(resolveModel("compatible/one").model).toBe(resolveModel("compatible/one").model);
});

test("a turn goes by the settings of the agent's config, and a build by none of them", () => {
  const model_settings = { temperature: 0.5, reasoning: "low", max_output_tokens: 300 } as const;
  const { settings, maxOutputTokens } = turnModels(run("compatible/one", { model_settings }));
  expect([settings, maxOutputTokens]).toEqual([
    { temperature: 0.5, reasoning: "low", defaultReasoning: null, cache: "5m" },
    300,
  ]);
  const build = turnModels(run("compatible/one", { model_settings }, "agent_edit"));
  expect([build.settings, build.maxOutputTokens]).toEqual([
    { temperature: null, reasoning: null, defaultReasoning: "medium", cache: "5m" },
    null,
  ]);
});

test("a run whose models are all switched off fails, and says who can do what about it", () => {
  const failure = (of: LoadedRun) => {
    try {
      turnModels(of);
    } catch (error) {
      return error;
    }
    return null;
  };
  const known = "builtin/offline, compatible/one, compatible/two";
  const names = (text: string) =>
    text
      .slice(text.indexOf("(") + 1, text.indexOf(")"))
      .split(", ")
      .sort()
      .join(", ");
  const of = (model: string, config: Partial<AgentConfig> | null) => {
    const { code, message } = failure(run(model, config)) as { code: string; message: string };
    return { code, known: names(message), message: message.replace(/\([^)]*\)/, "(…)") };
  };
  expect(of("openai/gpt-5", {})).toEqual({
    code: "INVALID_AGENT_CONFIG",
    known,
    message:
      "The model openai/gpt-5 is not switched on in this deployment. Set `model` in the agent's " +
      "config to one that is, or name one in `fallback_models` (…); the operator switches it on " +
      "by OPENAI_API_KEY.",
  });
  expect(of("compatible/gone", null)).toEqual({
    code: "INVALID_AGENT_CONFIG",
    known,
    message:
      "The model compatible/gone is not known in this deployment any more. Name another one (…).",
  });
});
