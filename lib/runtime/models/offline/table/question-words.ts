import "server-only";
import type { MeasureOp, Period } from "./table-query";

/** Words that ask for a figure. */
export const OP_WORDS: ReadonlyMap<string, MeasureOp> = new Map(
  Object.entries({
    count: "count",
    counts: "count",
    number: "count",
    frequency: "count",
    sum: "sum",
    total: "sum",
    totals: "sum",
    overall: "sum",
    average: "mean",
    averages: "mean",
    avg: "mean",
    mean: "mean",
    means: "mean",
    typical: "mean",
    median: "median",
    medians: "median",
    minimum: "min",
    min: "min",
    lowest: "min",
    smallest: "min",
    least: "min",
    fewest: "min",
    earliest: "min",
    maximum: "max",
    max: "max",
    highest: "max",
    largest: "max",
    biggest: "max",
    greatest: "max",
    most: "max",
    peak: "max",
    best: "max",
    latest: "max",
    top: "max",
    bottom: "min",
    worst: "min",
    distinct: "distinct",
    unique: "distinct",
    different: "distinct",
    share: "share",
    percentage: "share",
    percent: "share",
    proportion: "share",
    fraction: "share",
    stdev: "stddev",
    deviation: "stddev",
  } satisfies Record<string, MeasureOp>),
);

/** `over` is what a group of rows is judged by. */
interface Superlative {
  hints: string[];
  op: "min" | "max";
  over?: "sum";
}

/** Adjectives that name a column and an end of it: `heaviest` is the most of a weight. */
export const SUPERLATIVES: ReadonlyMap<string, Superlative> = new Map(
  Object.entries<Superlative>({
    heaviest: { hints: ["weight", "mass"], op: "max" },
    lightest: { hints: ["weight", "mass"], op: "min" },
    fastest: { hints: ["speed", "horsepower", "time", "acceleration"], op: "max" },
    slowest: { hints: ["speed", "time", "acceleration"], op: "max" },
    hottest: { hints: ["temp_max", "temperature", "temp"], op: "max" },
    warmest: { hints: ["temp_max", "temperature", "temp"], op: "max" },
    coldest: { hints: ["temp_min", "temperature", "temp"], op: "min" },
    wettest: { hints: ["precipitation", "rain", "rainfall"], op: "max", over: "sum" },
    rainiest: { hints: ["precipitation", "rain", "rainfall"], op: "max", over: "sum" },
    driest: { hints: ["precipitation", "rain", "rainfall"], op: "min", over: "sum" },
    windiest: { hints: ["wind"], op: "max" },
    longest: { hints: ["length", "duration", "time", "distance"], op: "max" },
    shortest: { hints: ["length", "duration", "time", "distance", "height"], op: "min" },
    tallest: { hints: ["height"], op: "max" },
    oldest: { hints: ["age", "year", "date"], op: "max" },
    youngest: { hints: ["age"], op: "min" },
    newest: { hints: ["date", "year"], op: "max" },
    expensive: { hints: ["price", "cost", "budget"], op: "max" },
    costliest: { hints: ["price", "cost", "budget"], op: "max" },
    cheapest: { hints: ["price", "cost", "budget"], op: "min" },
    richest: { hints: ["income", "gdp", "wealth"], op: "max" },
    powerful: { hints: ["horsepower", "power"], op: "max" },
    economical: { hints: ["miles gallon", "mileage", "mpg"], op: "max" },
    strongest: { hints: ["magnitude", "mag", "strength", "power"], op: "max" },
    popular: { hints: ["votes", "popularity"], op: "max" },
    profitable: { hints: ["profit", "gross"], op: "max" },
    rated: { hints: ["rating", "score"], op: "max" },
  }),
);

export const PERIOD_WORDS: ReadonlyMap<string, Period> = new Map(
  Object.entries({
    year: "year",
    yearly: "year",
    annual: "year",
    annually: "year",
    month: "month",
    monthly: "month",
    quarter: "quarter",
    quarterly: "quarter",
    weekday: "weekday",
    decade: "decade",
  } satisfies Record<string, Period>),
);

export const MONTH_NAMES = "january february march april may june july august september october november december".split(" ");

const NUMBER_WORDS = "one two three four five six seven eight nine ten eleven twelve".split(" ");

/** What other words a column may go by. */
export const SYNONYMS: Record<string, string[]> = {
  rain: ["precipitation"],
  rainfall: ["precipitation"],
  revenue: ["gross", "sales", "income"],
  earning: ["gross", "income"],
  salary: ["income", "wage"],
  mileage: ["miles", "mpg"],
  hp: ["horsepower"],
  mpg: ["miles"],
  cost: ["price", "budget"],
  windspeed: ["wind"],
  bill: ["beak"],
  weight: ["mass"],
  mass: ["weight"],
};

/** A whole number written in digits or, up to twelve, in words; null when it is none. */
export function numberOf(word: string): number | null {
  const scaled = /^(\d+(?:\.\d+)?)(k|m|bn|b)?$/i.exec(word.replaceAll(",", ""));
  if (scaled) return Number(scaled[1]) * ({ k: 1e3, m: 1e6, b: 1e9, bn: 1e9 }[(scaled[2] ?? "").toLowerCase()] ?? 1);
  const place = NUMBER_WORDS.indexOf(word.toLowerCase());
  return place < 0 ? null : place + 1;
}
