import "server-only";
import { z } from "zod";

export const MEASURE_OPS = ["count", "sum", "mean", "median", "min", "max", "distinct", "stddev", "share"] as const;
export type MeasureOp = (typeof MEASURE_OPS)[number];
export const PERIODS = ["year", "quarter", "month", "calendar month", "weekday", "day", "decade"] as const;
export type Period = (typeof PERIODS)[number];
export type FilterOp = "in" | "not in" | ">" | ">=" | "<" | "<=" | "year>=" | "year<=" | "month=";

export interface Filter {
  column: string;
  op: FilterOp;
  values: (string | number | boolean)[];
}
export interface Group {
  column: string;
  period: Period | null;
}
export interface Measure {
  op: MeasureOp;
  /** Null counts rows. */
  column: string | null;
}

/** One thing to compute on a table. */
export interface TableQuery {
  filters: Filter[];
  groups: Group[];
  measures: Measure[];
  /** Order of the groups: by a measure, or in their own order when null. */
  order: { measure: number; descending: boolean } | null;
  /** At most so many groups or rows. */
  limit: number | null;
  /** Rows themselves, best first by `by`; null for figures only. */
  list: { by: string | null; descending: boolean; columns: string[]; limit: number } | null;
  correlation: [string, string] | null;
}

const plain = z.union([z.string(), z.number(), z.boolean(), z.null()]);

const answerSchema = z.object({
  total: z.number(),
  matched: z.number(),
  figures: z.array(z.object({ value: plain, used: z.number() })),
  groups: z.array(z.object({ key: z.array(plain), values: z.array(plain), rows: z.number() })),
  group_count: z.number(),
  list: z.array(z.array(plain)),
  correlation: z.object({ value: plain, used: z.number() }).nullable(),
});
/** What the second pass answers, one for each query. */
export const answersSchema = z.object({ kind: z.literal("answers"), path: z.string(), answers: z.array(answerSchema) });
export type TableAnswer = z.infer<typeof answerSchema>;

export function emptyQuery(): TableQuery {
  return { filters: [], groups: [], measures: [], order: null, limit: null, list: null, correlation: null };
}
