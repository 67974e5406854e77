import "server-only";
import { readFileSync } from "node:fs";
import { z } from "zod";
import { type Env, SettingsError } from "@/lib/env";
import {
  CONTAINER_PRICES,
  MODEL_ALIASES,
  MODEL_CATALOGUE,
  MODEL_DEFAULTS,
  type ModelInfo,
  type ModelPrice,
  SEARCH_PRICES,
  toModelInfo,
} from "@/lib/model/models/catalogue";
import {
  isModelName,
  MODEL_ROLES,
  type ModelRole,
  type OperatorFacts,
  operatorFactsSchema,
} from "@/lib/model/models/model-facts";
import { amount, DEFAULT_INPUT, DEFAULT_OUTPUT } from "@/lib/runtime/models/compatible/prices";
import type { ListedModel, MediaModel } from "@/lib/runtime/models/providers/provider-adapter";
import {
  PROVIDERS,
  providerOf,
  VENDORS,
  type VendorAdapter,
  vendorNamed,
} from "@/lib/runtime/models/providers/providers";

/** A model as this deployment knows it; `switched_on` says that its provider is configured. */
export interface AvailableModel extends ModelInfo {
  switched_on: boolean;
  /** Its vendor's list was read, and does not show it. */
  gone: boolean;
}

/**
 * The models of a deployment. What a vendor lists is learned while the process lives, so each
 * question is answered as of now.
 */
export interface AvailableModels {
  /**
   * Every model that the lists show: the catalogue, what the operator names, what vendors list, and
   * the configured compatible ones.
   */
  readonly known: readonly AvailableModel[];
  /** Ids that stand for others: alias → the id that it stands for now. */
  readonly aliases: Readonly<Record<string, string>>;
  readonly media: readonly MediaModel[];
  /** The model of a run that names none: the one of the role `run`. */
  readonly default_model: string;
  /** The model of a role, where nobody names one: an id, never an alias. */
  roleModel(role: ModelRole): string;
  /** The model behind an id or an alias; null where no request may name it. */
  find(id: string): AvailableModel | null;
  /**
   * Credits a search of the vendor's own on top of its tokens; null: it has none, or none is known.
   */
  searchPrice(id: string): number | null;
  /** Credits a container in which the vendor runs code; null: it takes nothing beside tokens. */
  codePrice(id: string): number | null;
  /** Takes what a vendor's list showed; it stands until the next one. */
  learn(vendor: string, listed: readonly ListedModel[]): void;
}

/** What is taken for granted of a vendor's model of which nothing is known. */
const UNKNOWN_CONTEXT_TOKENS = 128_000;
const UNKNOWN_OUTPUT_TOKENS = 16_384;

/**
 * The models of a deployment, by its environment.
 * @throws SettingsError that names the variable, when `OPENAI_COMPATIBLE_PRICES`,
 * `UNKNOWN_MODEL_PRICE` or `MODELS_FILE` is not what it should be,
 * `DEFAULT_MODEL`, `BUILDER_MODEL` or `JUDGE_MODEL` names a model that is unknown or switched off,
 * or `OFFLINE_MODEL` is off where there is no other model
 */
export function availableModels(env: Env): AvailableModels {
  const existing = made.get(env);
  if (existing) return existing;
  const models = new Models(env);
  made.set(env, models);
  return models;
}

/** Hot paths ask for every call; an environment is parsed once and never changes. */
const made = new WeakMap<Env, AvailableModels>();

const ROLE_VARIABLES = {
  run: "DEFAULT_MODEL",
  builder: "BUILDER_MODEL",
  judge: "JUDGE_MODEL",
} as const satisfies Record<ModelRole, keyof Env>;

class Models implements AvailableModels {
  readonly media: readonly MediaModel[];
  readonly #env: Env;
  readonly #on: ReadonlySet<string>;
  readonly #file: OperatorFacts;
  /** Catalogue, operator's file and operator's names: what no vendor's list changes. */
  readonly #stated: ReadonlyMap<string, ModelInfo>;
  readonly #unknownPrice: (vendor: string) => ModelPrice;
  readonly #open: ReadonlySet<string>;
  readonly #listed = new Map<string, ReadonlyMap<string, ListedModel>>();
  /** Made anew when a list is learned. */
  #now: {
    known: AvailableModel[];
    byId: Map<string, AvailableModel>;
    aliases: Record<string, string>;
  } | null = null;

  constructor(env: Env) {
    this.#env = env;
    this.#on = new Set(PROVIDERS.filter(({ isOn }) => isOn(env)).map(({ id }) => id));
    this.#file = readModelsFile(env.MODELS_FILE);
    this.media = PROVIDERS.flatMap(({ media }) => media(env));
    const rows = new Map(
      [...MODEL_CATALOGUE, ...(this.#file.models ?? []).map(toModelInfo)].map((model) => [
        model.id,
        model,
      ]),
    );
    this.#unknownPrice = readUnknownPrice(env.UNKNOWN_MODEL_PRICE, [...rows.values()]);
    const named = VENDORS.flatMap((vendor) => namedModels(vendor, env));
    this.#open = new Set(
      VENDORS.filter(({ vendor }) => vendor.named(env).includes("*")).map(({ id }) => id),
    );
    const added = named
      .filter(({ id }) => !rows.has(id))
      .map(({ id, vendor }) => [id, this.#unknown(id, vendor)] as const);
    const ofServer = PROVIDERS.flatMap(({ models }) =>
      models(env).map((model) => [model.id, model] as const),
    );
    this.#stated = new Map(
      [...ofServer, ...added, ...rows].filter(
        ([id, { provider }]) => !providerOf(id)?.isHiddenWhenOff || this.#on.has(provider),
      ),
    );
    for (const role of MODEL_ROLES) this.#requireRole(role);
    if (this.#defaultOf("run") === null) throw new SettingsError(NO_MODEL);
  }

  get known(): readonly AvailableModel[] {
    return this.#current().known;
  }

  get aliases(): Readonly<Record<string, string>> {
    return this.#current().aliases;
  }

  get default_model(): string {
    return this.roleModel("run");
  }

  find(id: string): AvailableModel | null {
    const { byId, aliases } = this.#current();
    const found = byId.get(aliases[id] ?? id);
    if (found) return found;
    const vendor = id.slice(0, Math.max(0, id.indexOf("/")));
    const name = id.slice(vendor.length + 1);
    if (vendorNamed(vendor) === null || !isModelName(name)) return null;
    const listed = this.#listed.get(vendor)?.get(name);
    if (listed) return this.#available(this.#unknown(id, vendor, listed));
    return this.#open.has(vendor) ? this.#available(this.#unknown(id, vendor)) : null;
  }

  searchPrice(id: string): number | null {
    if (providerOf(id)?.search === undefined) return null;
    return closest(id, { ...SEARCH_PRICES, ...this.#file.searches });
  }

  codePrice(id: string): number | null {
    return closest(id, { ...CONTAINER_PRICES, ...this.#file.containers });
  }

  learn(vendor: string, listed: readonly ListedModel[]): void {
    this.#listed.set(vendor, new Map(listed.map((model) => [model.name, model])));
    this.#now = null;
  }

  /**
   * The operator's word; else, of the first provider that is switched on, what the facts name for
   * the role, or what its vendor serves instead.
   */
  roleModel(role: ModelRole): string {
    const wanted = this.#env[ROLE_VARIABLES[role]];
    const named = wanted === "" ? null : this.find(wanted);
    if (named?.switched_on) return named.id;
    // Who names the model of runs has said which one is paid for: the other roles are no reason for
    // another.
    if (role !== "run" && this.#env.DEFAULT_MODEL !== "") return this.roleModel("run");
    // There is one, or the service had not started.
    return this.#defaultOf(role) ?? "";
  }

  /** Of the first provider that is switched on and has one; null where none does. */
  #defaultOf(role: ModelRole): string | null {
    for (const { id, vendor } of PROVIDERS) {
      if (!this.#on.has(id)) continue;
      const picked = vendor ? this.#vendorDefault(id, role) : this.#firstOf(id);
      if (picked !== null) return picked;
    }
    return null;
  }

  #vendorDefault(vendor: string, role: ModelRole): string | null {
    const wanted = this.#file.defaults?.[vendor]?.[role] ?? MODEL_DEFAULTS[vendor]?.[role];
    const found = wanted === undefined ? null : this.find(wanted);
    if (found && !found.gone) return found.id;
    const served = this.known.find((model) => model.provider === vendor && !model.gone);
    return served?.id ?? found?.id ?? null;
  }

  #firstOf(provider: string): string | null {
    return this.known.find((model) => model.provider === provider)?.id ?? null;
  }

  #current() {
    this.#now ??= this.#read();
    return this.#now;
  }

  #read() {
    const listed = [...this.#listed].flatMap(([vendor, models]) =>
      [...models.values()]
        .filter(
          ({ name, chats }) =>
            chats && !this.#stated.has(`${vendor}/${name}`) && !this.#isDated(vendor, name),
        )
        .toSorted((left, right) => (right.created ?? 0) - (left.created ?? 0))
        .map((model) => this.#unknown(`${vendor}/${model.name}`, vendor, model)),
    );
    const known = [...this.#stated.values(), ...listed].map((model) => this.#available(model));
    const byId = new Map(known.map((model) => [model.id, model]));
    const aliases = { ...MODEL_ALIASES, ...this.#file.aliases };
    for (const [alias, id] of Object.entries(aliases))
      aliases[alias] = newestServed(byId.get(id), known)?.id ?? id;
    return { known, byId, aliases };
  }

  #available(model: ModelInfo): AvailableModel {
    const { provider } = model;
    const listed = this.#listed.get(provider);
    const name = model.id.slice(provider.length + 1);
    const retires = listed?.get(name)?.retires ?? model.retires;
    return {
      ...model,
      retires,
      switched_on: this.#on.has(provider),
      gone: listed !== undefined && !isServed(name, listed),
    };
  }

  /**
   * Whether a listed name is a dated copy of one that the list or the catalogue has without its
   * date.
   */
  #isDated(vendor: string, name: string): boolean {
    const plain = withoutDate(name);
    return (
      plain !== name &&
      (this.#stated.has(`${vendor}/${plain}`) || this.#listed.get(vendor)?.has(plain) === true)
    );
  }

  /**
   * A vendor's model of which the facts know nothing: the operator's price, and no abilities that a
   * call would fail of.
   */
  #unknown(id: string, vendor: string, listed?: ListedModel): ModelInfo {
    return {
      ...{
        id,
        provider: vendor,
        label: listed?.label ?? id.slice(vendor.length + 1),
        family: null,
      },
      ...{
        tools: true,
        vision: true,
        reasoning: false,
        thinking: null,
        refuses: ["temperature", "forced_tool"],
      },
      context_tokens: listed?.context_tokens ?? UNKNOWN_CONTEXT_TOKENS,
      output_max_tokens: listed?.output_max_tokens ?? UNKNOWN_OUTPUT_TOKENS,
      price: this.#unknownPrice(vendor),
      retires: listed?.retires ?? null,
      successor: null,
    };
  }

  #requireRole(role: ModelRole): void {
    const variable = ROLE_VARIABLES[role];
    const wanted = this.#env[variable];
    if (wanted === "") return;
    const model = this.find(wanted);
    if (model?.switched_on) return;
    const provider = wanted.slice(0, Math.max(0, wanted.indexOf("/")));
    // Its vendor may list it: that is known only once the vendor was asked.
    if (
      model === null &&
      vendorNamed(provider) !== null &&
      this.#on.has(provider) &&
      isModelName(wanted.slice(provider.length + 1))
    )
      return;
    const why =
      model === null
        ? `no model “${wanted}” is known`
        : `the provider of “${wanted}” is not switched on`;
    const on = this.known.filter((each) => each.switched_on).map(({ id }) => id);
    throw new SettingsError(
      `The environment variable ${variable} cannot be used: ${why}. Switched on: ${on.join(", ")}.`,
    );
  }
}

const NO_MODEL =
  "The environment variable OFFLINE_MODEL cannot be off where no other model is switched on: " +
  "set a vendor's key, such as OPENAI_API_KEY, or OPENAI_COMPATIBLE_BASE_URL with " +
  "OPENAI_COMPATIBLE_MODELS.";

/** Of a model and those of its family that come after it, the first that its vendor has. */
function newestServed(
  model: AvailableModel | undefined,
  known: readonly AvailableModel[],
): AvailableModel | undefined {
  if (!model?.gone || model.family === null) return model;
  const { provider, family } = model;
  return (
    known.find((each) => each.provider === provider && each.family === family && !each.gone) ??
    model
  );
}

/** Vendors list a model by its name, by that with the date of its making, or by both. */
function isServed(name: string, listed: ReadonlyMap<string, ListedModel>): boolean {
  if (listed.has(name)) return true;
  for (const each of listed.keys()) if (withoutDate(each) === name) return true;
  return false;
}

/** `claude-haiku-4-5-20251001` and `gpt-5.1-2025-11-13` without what follows the name. */
function withoutDate(name: string): string {
  return name.replace(/-20\d{2}-?\d{2}-?\d{2}$/, "");
}

function namedModels(
  { id: provider, vendor }: VendorAdapter,
  env: Env,
): { id: string; vendor: string }[] {
  return vendor
    .named(env)
    .filter((name) => name !== "*")
    .map((given) => {
      const name = given.startsWith(`${provider}/`) ? given.slice(provider.length + 1) : given;
      if (!isModelName(name))
        throw new SettingsError(
          `The environment variable ${vendor.namedBy} cannot be used: “${given}” is no model's ` +
            "name.",
        );
      return { id: `${provider}/${name}`, vendor: provider };
    });
}

/** The operator's facts; none where no file is named. */
function readModelsFile(path: string): OperatorFacts {
  if (path === "") return {};
  const fail = (why: string) =>
    new SettingsError(`The environment variable MODELS_FILE cannot be used: ${why}.`);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    throw fail(`the file “${path}” cannot be read`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw fail(`the file “${path}” is not JSON`);
  }
  const parsed = operatorFactsSchema.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw fail(`${issue?.path.join(".")}: ${issue?.message}`);
  }
  const strange = parsed.data.models?.find(({ id }) => providerOf(id)?.vendor === undefined);
  if (strange)
    throw fail(`“${strange.id}” begins with none of ${VENDORS.map(({ id }) => id).join(", ")}`);
  return parsed.data;
}

/**
 * What a vendor's model costs whose price is not known: as the operator says, else as the dearest
 * of that vendor that is.
 */
function readUnknownPrice(
  text: string,
  rows: readonly ModelInfo[],
): (vendor: string) => ModelPrice {
  const stated = text.trim() === "" ? null : parseUnknownPrice(text);
  return (vendor) => {
    if (stated !== null) return stated;
    const dearest = rows
      .filter(({ provider }) => provider === vendor)
      .toSorted((left, right) => right.price.output - left.price.output)[0];
    return (
      dearest?.price ?? {
        input: DEFAULT_INPUT,
        cached_input: DEFAULT_INPUT,
        output: DEFAULT_OUTPUT,
      }
    );
  };
}

function parseUnknownPrice(text: string): ModelPrice {
  const fail = (why: string) =>
    new SettingsError(`The environment variable UNKNOWN_MODEL_PRICE cannot be used: ${why}.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw fail("it is not JSON");
  }
  const parsed = z
    .strictObject({ input: amount, output: amount, cached_input: amount.optional() })
    .safeParse(value);
  if (!parsed.success) throw fail(`it must be {"input": …, "output": …}, credits a million tokens`);
  const { input, output, cached_input } = parsed.data;
  return { input, output, cached_input: Math.min(input, cached_input ?? input) };
}

/** Of prices by what ids begin with, that of the longest that fits. */
function closest(id: string, prices: Readonly<Record<string, number>>): number | null {
  const fitting = Object.keys(prices).filter((start) => id.startsWith(start));
  const [longest] = fitting.toSorted((left, right) => right.length - left.length);
  return longest === undefined ? null : (prices[longest] ?? null);
}
