import {
  type ModelFacts,
  type ModelPrice,
  type ModelRefusal,
  type ModelRole,
  type ModelThinking,
  modelFactsSchema,
} from "@/lib/model/models/model-facts";
import facts from "@/lib/model/models/model-facts.json";

export type { ModelPrice } from "@/lib/model/models/model-facts";

/** A model: what it can do, and what it costs (contract §14). */
export interface ModelInfo {
  /** `provider/name`, as the field `model` carries it. */
  id: string;
  /** As its id says; what is known of each stands in `lib/runtime/models/providers`. */
  provider: string;
  label: string;
  /** Models of one family follow each other. Null: not known. */
  family: string | null;
  /** Whether it can call tools, look at images, and think before it answers. */
  tools: boolean;
  vision: boolean;
  reasoning: boolean;
  /** How it is told how much to think; null where nothing is known of that. */
  thinking: ModelThinking | null;
  refuses: readonly ModelRefusal[];
  context_tokens: number;
  output_max_tokens: number;
  price: ModelPrice;
  /**
   * The first day (RFC 3339 date, UTC) on which its vendor no longer serves it; null where none is
   * announced.
   */
  retires: string | null;
  /** What its vendor names in its place. */
  successor: string | null;
}

export const OFFLINE_MODEL_ID = "builtin/offline";

const OFFLINE: ModelInfo = {
  id: OFFLINE_MODEL_ID,
  provider: "builtin",
  label: "Built-in, rule-based",
  family: null,
  tools: true,
  vision: false,
  reasoning: true,
  thinking: null,
  refuses: [],
  context_tokens: 200_000,
  output_max_tokens: 16_000,
  price: { input: 100, cached_input: 50, output: 100 },
  retires: null,
  successor: null,
};

const FACTS = modelFactsSchema.parse(facts);

/**
 * Every model that is published whatever is configured, in the order in which the lists show it.
 */
export const MODEL_CATALOGUE: readonly ModelInfo[] = [...FACTS.models.map(toModelInfo), OFFLINE];

/** Ids that stand for the newest of a family: alias → id. */
export const MODEL_ALIASES: Readonly<Record<string, string>> = FACTS.aliases;

/** Credits a search of a vendor's own, by what models' ids begin with. */
export const SEARCH_PRICES: Readonly<Record<string, number>> = FACTS.searches;

/** Credits a container for code of a vendor's own, by what models' ids begin with. */
export const CONTAINER_PRICES: Readonly<Record<string, number>> = FACTS.containers;

/** The model of each role by vendor, as an alias or an id. */
export const MODEL_DEFAULTS: Readonly<Record<string, Partial<Record<ModelRole, string>>>> =
  FACTS.defaults;

/**
 * @param row of the facts of the repository, or of an operator's file: its id names its provider
 */
export function toModelInfo(row: ModelFacts): ModelInfo {
  const { id, label, context_tokens, output_max_tokens, price, vision, tools, refuses } = row;
  return {
    ...{ id, label, context_tokens, output_max_tokens, price, vision, tools, refuses },
    // Of the facts of the repository a test says that they name only providers that there are; an
    // operator's are looked at where they are read.
    provider: id.slice(0, id.indexOf("/")),
    family: row.family ?? null,
    reasoning: row.thinking !== undefined,
    thinking: row.thinking ?? null,
    retires: row.retires ?? null,
    successor: row.successor ?? null,
  };
}

const DAY_MILLISECONDS = 86_400_000;

/**
 * Whole days until a model's vendor ends it, negative afterwards; null where no end is announced.
 */
export function daysUntilRetired(model: Pick<ModelInfo, "retires">, now: Date): number | null {
  return model.retires === null
    ? null
    : Math.ceil((Date.parse(model.retires) - now.getTime()) / DAY_MILLISECONDS);
}

/** How long before its end a model is spoken of, in console and log. */
export const RETIREMENT_NOTICE_DAYS = 60;
