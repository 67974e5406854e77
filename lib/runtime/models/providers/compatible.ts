import "server-only";
import type { Env } from "@/lib/env";
import { createCompatibleModel } from "@/lib/runtime/models/compatible/create-compatible-model";
import { mediaPrices, parseCompatiblePrices } from "@/lib/runtime/models/compatible/prices";
import { askWindows, readWindows } from "@/lib/runtime/models/compatible/windows";
import {
  defineProvider,
  type MediaModel,
  readSettings,
} from "@/lib/runtime/models/providers/provider-adapter";
import { callsTools, withForm } from "@/lib/runtime/models/providers/response-format";

const CONTEXT_TOKENS = 128_000;
const OUTPUT_TOKENS = 16_384;

/** What servers that speak OpenAI's protocol know for how much to think. */
const EFFORTS = { off: "none", low: "low", medium: "medium", high: "high", max: "high" } as const;

const variables = {
  OPENAI_COMPATIBLE_BASE_URL:
    "Any server that speaks OpenAI's protocol; its models are called compatible/<name>. Comma " +
    "lists of\nnames.",
  OPENAI_COMPATIBLE_API_KEY: "",
  OPENAI_COMPATIBLE_MODELS: "",
  OPENAI_COMPATIBLE_VISION_MODELS: "",
  OPENAI_COMPATIBLE_WINDOWS: `Tokens that prompt and answer may have together, where the server \
does not say it: {"name": 8192},
or one number for all of its models. 128000 where nobody does. Ollama cuts what is longer than its
own num_ctx without a word: set that there, and here to the same.`,
  OPENAI_COMPATIBLE_IMAGE_MODELS: `What the tools image, speech and video have things made by: \
/images/generations, /audio/speech
and /videos of that server. Without a name there is no such tool.`,
  OPENAI_COMPATIBLE_SPEECH_MODELS: "",
  OPENAI_COMPATIBLE_VIDEO_MODELS: "",
  OPENAI_COMPATIBLE_PRICES: `Credits a million tokens, in and out, of those models: {"name": \
{"input": 1000, "output": 2000}}.
Of those that make something, credits an image, a character of speech, a second of video:
{"name": {"unit": 40}}; 40, 0.015 and 100 unless they are said. An image of more than 1024x1024
costs more by its area; {"name": {"unit": 40, "sizes": {"1024x1024": 40, "2048x2048": 160}}} says
which sizes there are, and what each costs.`,
};

/** One server of whatever make that speaks OpenAI's chat completions. */
export const compatible = defineProvider({
  id: "compatible",
  setUp: ["OPENAI_COMPATIBLE_BASE_URL", "OPENAI_COMPATIBLE_MODELS"],
  about: {
    what: "any server that speaks OpenAI's protocol",
    examples: "vLLM, Ollama, llama.cpp",
  },
  variables,
  isOn: ({ OPENAI_COMPATIBLE_BASE_URL }) => OPENAI_COMPATIBLE_BASE_URL !== "",
  create: (name, { OPENAI_COMPATIBLE_BASE_URL, OPENAI_COMPATIBLE_API_KEY }) =>
    createCompatibleModel({
      name,
      baseUrl: OPENAI_COMPATIBLE_BASE_URL,
      apiKey: OPENAI_COMPATIBLE_API_KEY,
    }),
  wordCall: (options, asked) => ({
    // Servers that hold a model to a form let it call no tools.
    ...withForm(options, asked, !callsTools(options)),
    ...(asked.reasoning !== null &&
      !asked.plainly && {
        providerOptions: { compatible: { reasoningEffort: EFFORTS[asked.reasoning] } },
      }),
  }),
  models(settings) {
    const priceOf = parseCompatiblePrices(settings.OPENAI_COMPATIBLE_PRICES);
    const vision = new Set(settings.OPENAI_COMPATIBLE_VISION_MODELS);
    const windowOf = readWindows(settings.OPENAI_COMPATIBLE_WINDOWS);
    return [...new Set([...settings.OPENAI_COMPATIBLE_MODELS, ...vision])].map((name) => ({
      id: `compatible/${name}`,
      provider: "compatible",
      label: name,
      family: null,
      tools: true,
      vision: vision.has(name),
      reasoning: false,
      thinking: null,
      refuses: [],
      retires: null,
      successor: null,
      context_tokens: windowOf(name) ?? CONTEXT_TOKENS,
      output_max_tokens: OUTPUT_TOKENS,
      price: priceOf(name),
    }));
  },
  media(settings) {
    if (!settings.OPENAI_COMPATIBLE_BASE_URL) return [];
    const priceOf = mediaPrices(settings.OPENAI_COMPATIBLE_PRICES);
    const of = (names: readonly string[], capability: MediaModel["capability"]) =>
      names.map((name) => ({
        id: `compatible/${name}`,
        capability,
        ...priceOf(name, capability),
      }));
    return [
      ...of(settings.OPENAI_COMPATIBLE_IMAGE_MODELS, "image"),
      ...of(settings.OPENAI_COMPATIBLE_SPEECH_MODELS, "speech"),
      ...of(settings.OPENAI_COMPATIBLE_VIDEO_MODELS, "video"),
    ];
  },
  async windows(settings, signal) {
    const said = readWindows(settings.OPENAI_COMPATIBLE_WINDOWS);
    const asked = await askWindows(
      settings.OPENAI_COMPATIBLE_BASE_URL,
      settings.OPENAI_COMPATIBLE_API_KEY,
      signal,
    );
    const names = [
      ...settings.OPENAI_COMPATIBLE_MODELS,
      ...settings.OPENAI_COMPATIBLE_VISION_MODELS,
    ];
    return new Map(
      names.flatMap((name) => {
        const window = asked(name);
        const most = said(name) ?? Number.POSITIVE_INFINITY;
        return window === null ? [] : [[`compatible/${name}`, Math.min(window, most)] as const];
      }),
    );
  },
  isOfAnyMake: true,
  overflow:
    /too many (?:input )?tokens|exceeds? the (?:maximum|model'?s?)[^.]{0,40}tokens|maximum (?:prompt|input) length/i,
  hintWhenAbsent:
    "Does OPENAI_COMPATIBLE_BASE_URL end as that server's API does, mostly in /v1, and does " +
    "it have this model?",
});

/** Where that server is, for what is asked of it beside answers. */
export function compatibleServer(env: Env): { baseUrl: string; apiKey: string } {
  const settings = readSettings(variables, env);
  return {
    baseUrl: settings.OPENAI_COMPATIBLE_BASE_URL,
    apiKey: settings.OPENAI_COMPATIBLE_API_KEY,
  };
}
