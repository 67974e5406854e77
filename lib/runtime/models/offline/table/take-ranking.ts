import "server-only";
import type { Mention } from "./find-mentions";
import { labelColumns } from "./label-columns";
import type { Ask, Reading } from "./reading";
import type { Measure, MeasureOp, TableQuery } from "./table-query";

const RANKED_MAX_GROUPS = 10;

export function rankGroups(query: TableQuery, others: Ask[], measured: Mention[], extreme: Ask, over: MeasureOp): MeasureOp[] {
  const column = measured.flatMap((mention) => mention.columns).find((candidate) => candidate.kind === "number");
  const given = others
    .filter((ask) => column !== undefined || ask.op === "count")
    .map((ask): Measure => ({ op: ask.op, column: ask.op === "count" ? null : (column?.name ?? null) }));
  if (given.length > 0) query.measures = given;
  else if (column === undefined) query.measures = [{ op: "count", column: null }];
  else query.measures = [...new Set<MeasureOp>([over, "mean", extreme.op])].map((op) => ({ op, column: column.name }));
  query.order = { measure: 0, descending: extreme.op === "max" };
  query.limit ??= RANKED_MAX_GROUPS;
  return [];
}

export function rankRows(
  query: TableQuery,
  { table, mentions }: Reading,
  measured: Mention[],
  extreme: Ask,
  limit: number | null,
): MeasureOp[] {
  const by = (measured.find((mention) => (mention.at[0] ?? 0) >= extreme.at) ?? measured[0])?.columns[0];
  if (!by) return [extreme.op];
  const mentioned = mentions.flatMap((mention) => mention.columns.map((column) => column.name));
  query.list = { by: by.name, descending: extreme.op === "max", columns: labelColumns(table, [by.name, ...mentioned]), limit: limit ?? 1 };
  query.limit = null;
  return [];
}
