import "server-only";
import { z } from "zod";
import type { JsonValue } from "@/lib/model/json-schema/json-value";

export type Period = "year" | "quarter" | "month" | "month of the year" | "weekday" | "day";
export type FilterOp = "in" | "not in" | ">" | ">=" | "<" | "<=";
export type MeasureOp =
  | "count"
  | "sum"
  | "mean"
  | "median"
  | "min"
  | "max"
  | "distinct"
  | "share"
  | "range";
type Plain = string | number | boolean;

/** A column, or a period of the dates in it. */
export interface Field {
  column: string;
  period: Period | null;
}
export interface Filter extends Field {
  op: FilterOp;
  /** Null is a cell without a value. */
  values: (Plain | null)[];
}
export interface Measure {
  op: MeasureOp;
  /** Null counts rows. */
  column: string | null;
}

/** One thing to compute on a table. */
export interface TableQuery {
  filters: Filter[];
  groups: Field[];
  measures: Measure[];
  /** Order of the groups, by a measure; their own order when null. */
  order: { measure: number; descending: boolean } | null;
  /** The rows themselves, best first by `by`; null for figures only. */
  list: { by: string | null; descending: boolean; columns: string[] } | null;
  /** At most so many groups or rows, after `skip` of them. */
  limit: number | null;
  skip: number;
  /** Whether each group must be one row: it was not said how several count together. */
  isOne: boolean;
}

export function emptyQuery(): TableQuery {
  return {
    filters: [],
    groups: [],
    measures: [],
    order: null,
    list: null,
    limit: null,
    skip: 0,
    isOne: false,
  };
}

const plain = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const figure = z.object({ value: plain, used: z.number() });
const columnSchema = z.object({
  name: z.string(),
  kind: z.enum(["number", "date", "text", "flag", "empty", "nested"]),
  distinct: z.number(),
  missing: z.number(),
  min: plain,
  max: plain,
  /** All its cells, where they are few words or flags. */
  values: z.array(z.union([z.string(), z.boolean()])).nullable(),
  /** Whether some cell says `none` in words. */
  has_none: z.boolean(),
});
const profileSchema = z.object({
  path: z.string(),
  rows: z.number(),
  columns: z.array(columnSchema),
  /** Cells that a phrase of the request is, word for word but for case and plural. */
  hits: z.array(
    z.object({
      column: z.string(),
      value: z.union([z.string(), z.number(), z.boolean()]),
      phrase: z.string(),
    }),
  ),
});
const answerSchema = z.object({
  total: z.number(),
  matched: z.number(),
  figures: z.array(figure),
  groups: z.array(z.object({ key: z.array(plain), values: z.array(plain), rows: z.number() })),
  group_count: z.number(),
  /** The most rows that one group has. */
  group_rows: z.number(),
  list: z.array(z.array(plain)),
});

/** What the code of each pass answers. */
export const profilesSchema = z.object({
  tables: z.array(z.union([profileSchema, z.object({ path: z.string(), error: z.string() })])),
});
export const answersSchema = z.object({ answers: z.array(answerSchema) });

export type TableColumn = z.infer<typeof columnSchema>;
export type TableProfile = z.infer<typeof profileSchema>;
export type TableAnswer = z.infer<typeof answerSchema>;
/** Tables that the request itself carries, by a name: CSV text or a list of objects. */
export type InlineTables = Record<string, JsonValue>;

/** The cells of a column that say yes and no; null for any other column. */
export function flagOf({
  values,
}: TableColumn): { yes: string | boolean; no: string | boolean } | null {
  const is = (pattern: RegExp) => values?.find((value) => pattern.test(String(value)));
  const [yes, no] = [is(/^(?:yes|ja|oui|si|true|y)$/i), is(/^(?:no|nein|non|false|n)$/i)];
  if (
    !values ||
    values.length > 2 ||
    (values.length === 2 && (yes === undefined || no === undefined))
  )
    return null;
  if (yes === undefined && no === undefined) return null;
  return { yes: yes ?? true, no: no ?? false };
}

/** Means and medians of all columns of numbers. */
export function overviewOf(table: TableProfile): TableQuery {
  const columns = table.columns.filter(({ kind }) => kind === "number").slice(0, 30);
  return {
    ...emptyQuery(),
    measures: columns.flatMap(({ name }) =>
      (["mean", "median"] as const).map((op) => ({ op, column: name })),
    ),
  };
}
