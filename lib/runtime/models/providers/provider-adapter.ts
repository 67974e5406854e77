import "server-only";
import type {
  JSONObject,
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4ProviderTool,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import { type Env, variablesOfProviders } from "@/lib/env";
import type { MediaToolName } from "@/lib/model/agent-config/built-in-tools";
import type { ModelInfo } from "@/lib/model/models/catalogue";
import type { CacheTime, ModelThinking, ReasoningEffort } from "@/lib/model/models/model-facts";
import type { RulesOptions } from "@/lib/model/models/rules-task";
import type { AnswerForm } from "@/lib/runtime/models/answer/answer-form";
import type { RanCode } from "@/lib/runtime/models/providers/ran-code";

/** One model as its vendor's own list shows it. */
export interface ListedModel {
  /** Without the provider: `gpt-6.1-sol`. */
  name: string;
  label: string | null;
  context_tokens: number | null;
  output_max_tokens: number | null;
  /** RFC 3339 date; null where the list names no end. */
  retires: string | null;
  /** Epoch seconds; null where the list does not say. Newer is greater. */
  created: number | null;
  /** Whether it answers conversations: a list may name embeddings and voices too. */
  chats: boolean;
}

/** A part of a vendor's list, and what its next part is asked for with; null: that was all. */
export interface ListedPage {
  models: ListedModel[];
  next: string | null;
}

export interface MediaModel {
  /** `provider/name`. */
  id: string;
  capability: MediaToolName;
  /** Credits a unit: an image, a character of speech, a second of video. */
  unit_price: number;
  /**
   * Of one that makes images: the sizes that it takes, with credits each, where the operator says
   * so.
   */
  sizes?: Record<string, number>;
}

/** What a call asks for that each provider has its own words for. */
export interface AskedOfCall {
  /** The model's name, without the provider. */
  model: string;
  /** How the model is told how much to think; null where nothing is known of that. */
  thinking: ModelThinking | null;
  /** Of a model that is known to think. Null: as its vendor has it. */
  effort: ReasoningEffort | null;
  /** What was asked for in so many words, whatever is known of the model. */
  reasoning: ReasoningEffort | null;
  /** The form that the answer must have. */
  form: AnswerForm | null;
  /** Whether the model can be made to call a tool, as far as is known. */
  forcesTools: boolean;
  /** The provider has refused this call with words of its own: it is made without them. */
  plainly: boolean;
  rules: RulesOptions | undefined;
  /** How long a cache is asked to keep the system prompt and the tools. */
  cache: CacheTime;
}

/**
 * Whatever ends in `_MODELS` is a comma list; all else is a text. What ends in `_API_KEY` and
 * `_BASE_URL` is kept out of what others than the operator read.
 */
export type Settings<Name extends string> = {
  readonly [Each in Name]: Each extends `${string}_MODELS` ? readonly string[] : string;
};

/**
 * How a provider's models search the web on its own servers, in a call that is made for nothing
 * else.
 */
interface ProviderSearch {
  /**
   * @param searches so many at most, where the provider can be told
   * @param isClosed it opens no page anew, where it does so by itself
   */
  tool(searches: number, isClosed: boolean): LanguageModelV4ProviderTool;
  /** The searches that a part of the stream tells of, as the provider bills them. */
  countIn(part: LanguageModelV4StreamPart): number;
}

/**
 * How a provider's models run Python on its own servers, in a call that is made for nothing else.
 */
interface ProviderCode {
  tool: LanguageModelV4ProviderTool;
  /** What a part of the stream tells of code that ran; null: nothing. */
  read(part: LanguageModelV4StreamPart): RanCode | null;
}

interface Definition<Name extends string> {
  /** What the ids of its models begin with, before the slash. */
  id: string;
  /**
   * What the operator sets to switch it on; the first of it is named where there is room for one.
   */
  setUp: readonly [string, ...string[]];
  /** What it is good for, and what speaks it, where its name does not say so. */
  about?: { what: string; examples: string };
  /** Its environment, and what `.env.example` says above each variable, if anything. */
  variables: Readonly<Record<Name, string>>;
  isOn(settings: Settings<Name>, env: Env): boolean;
  /** @param name of the model, without the provider */
  create(name: string, settings: Settings<Name>): LanguageModelV4;
  /**
   * The call in the provider's own words: how much to think, what its cache holds, which form the
   * answer has, and what it does not take beside tools.
   */
  wordCall(options: LanguageModelV4CallOptions, asked: AskedOfCall): LanguageModelV4CallOptions;
  /** A vendor: its models come and go, and it says which of them this key may use. */
  vendor?: {
    /** The variable of models that the operator names before the list does. */
    namedBy: NoInfer<Name> & `${string}_MODELS`;
    /**
     * The list from a page on; the first is "".
     * @throws when the vendor does not answer with a list
     */
    list(page: string, settings: Settings<Name>, signal: AbortSignal): Promise<ListedPage>;
  };
  /** The models that the environment alone says it has. @throws SettingsError */
  models?(settings: Settings<Name>): ModelInfo[];
  /** Those of them that make something else than text. @throws SettingsError */
  media?(settings: Settings<Name>): MediaModel[];
  /**
   * Asks its server for the windows of its models, in tokens by their ids.
   * @throws where it does not answer, or not with a list
   */
  windows?(settings: Settings<Name>, signal: AbortSignal): Promise<ReadonlyMap<string, number>>;
  search?: ProviderSearch;
  code?: ProviderCode;
  /** One sentence of its models for who chooses among them. */
  description?: string;
  /** It is not shown at all where it is switched off. */
  isHiddenWhenOff?: true;
  /**
   * A turn in which no tool may be called names them all the same, with `tool_choice: none`: its
   * prompt begins as those before it did, and Anthropic takes no calls in a prompt otherwise.
   */
  keepsTools?: true;
  /**
   * Servers of any make stand behind it: what goes beyond the protocol may be refused, whatever the
   * call, and the window is what the server says it is.
   */
  isOfAnyMake?: true;
  /**
   * Its models that see pictures read PDF files as they are, each page as text and as a picture.
   */
  takesPdf?: true;
  /**
   * Its cache can be asked to keep the beginning of a prompt for an hour: the tokens that it says
   * it has written for so long.
   * @param usage of a call, in its own words
   */
  cachedForHour?(usage: JSONObject): number;
  /** Its models read no prompt as long as a window would count. */
  hasNoWindow?: true;
  /** Its words for a prompt that is longer than the model's window. */
  overflow?: RegExp;
  /** What the operator should look at where it says that there is no such model. */
  hintWhenAbsent?: string;
}

/** All that the service knows of one provider of models; `define…` binds it to its environment. */
export interface ProviderAdapter
  extends Omit<
    Definition<string>,
    "isOn" | "create" | "vendor" | "models" | "media" | "windows" | "variables"
  > {
  readonly variables: Readonly<Record<string, string>>;
  isOn(env: Env): boolean;
  create(name: string, env: Env): LanguageModelV4;
  vendor?: {
    namedBy: string;
    /** The models that the operator names, as he wrote them. */
    named(env: Env): readonly string[];
    list(page: string, env: Env, signal: AbortSignal): Promise<ListedPage>;
  };
  models(env: Env): ModelInfo[];
  media(env: Env): MediaModel[];
  windows(env: Env, signal: AbortSignal): Promise<ReadonlyMap<string, number>>;
}

/** A provider whose settings are read out of the environment, once for each. */
export function defineProvider<Name extends string>(definition: Definition<Name>): ProviderAdapter {
  const { isOn, create, vendor, models, media, windows, ...plain } = definition;
  const known = new WeakMap<Env, Settings<Name>>();
  const settingsOf = (env: Env): Settings<Name> => {
    const settings = known.get(env) ?? readSettings(definition.variables, env);
    known.set(env, settings);
    return settings;
  };
  return {
    ...plain,
    isOn: (env) => isOn(settingsOf(env), env),
    create: (name, env) => create(name, settingsOf(env)),
    ...(vendor && {
      vendor: {
        namedBy: vendor.namedBy,
        named: (env: Env) => listOf(settingsOf(env)[vendor.namedBy]),
        list: (page: string, env: Env, signal: AbortSignal) =>
          vendor.list(page, settingsOf(env), signal),
      },
    }),
    models: (env) => models?.(settingsOf(env)) ?? [],
    media: (env) => media?.(settingsOf(env)) ?? [],
    windows: async (env, signal) => (await windows?.(settingsOf(env), signal)) ?? new Map(),
  };
}

/** The settings of a provider, for what of it stands in a file of its own. */
export function readSettings<Name extends string>(
  variables: Readonly<Record<Name, string>>,
  env: Env,
): Settings<Name> {
  const given = variablesOfProviders(env);
  const entries = Object.keys(variables).map((name) => {
    const text = given[name] ?? "";
    return [name, name.endsWith("_MODELS") ? listOf(text) : text];
  });
  // The names are those of `variables`, and the values what their endings say.
  return Object.fromEntries(entries) as Settings<Name>;
}

function listOf(value: string | readonly string[]): readonly string[] {
  if (typeof value !== "string") return value;
  return value
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);
}
