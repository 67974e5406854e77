import "server-only";
import { OP_WORDS } from "./question-words";
import type { TableProfile } from "./table-profile";
import { emptyQuery, type MeasureOp, type TableQuery } from "./table-query";

const EVERY =
  /\b(?:each|every|all)(?:\s+of)?(?:\s+the)?\s+(?:(?:numeric(?:al)?|number|measured)\s+)?(?:columns?|fields?|variables?)\b|\bnumeric(?:al)?\s+(?:columns?|fields?|variables?)\b/i;
const ROWS =
  /\b(?:number|count|amount)\s+of\s+(?:rows|records|entries|lines)\b|\bhow\s+many\s+(?:rows|records|entries|lines)\b|\brow\s+count\b/i;
const COLUMNS_MAX = 12;
const DEFAULT_OPS: readonly MeasureOp[] = ["mean", "min", "max"];

/**
 * `the average and the maximum of each numeric column`: the figures of a sentence that names no column because it means all of them.
 * Null for a sentence that does not.
 */
export function readEveryColumn(sentence: string, table: TableProfile): TableQuery | null {
  const every = EVERY.exec(sentence);
  const numeric = table.columns.filter((column) => column.kind === "number").slice(0, COLUMNS_MAX);
  if (!every || numeric.length === 0) return null;
  const rest = sentence.replace(EVERY, " ").replace(ROWS, " ");
  const named = (rest.toLowerCase().match(/\p{L}+/gu) ?? []).flatMap((word) => OP_WORDS.get(word) ?? []);
  const ops = [...new Set(named.filter((op) => op !== "count" && op !== "share"))];
  const measures = numeric.flatMap(({ name }) => (ops.length > 0 ? ops : DEFAULT_OPS).map((op) => ({ op, column: name })));
  return { ...emptyQuery(), measures: ROWS.test(sentence) ? [{ op: "count", column: null }, ...measures] : measures };
}
