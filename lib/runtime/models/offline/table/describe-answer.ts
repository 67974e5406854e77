import "server-only";
import { describeFilters, describeMeasure, describeQuery } from "./describe-query";
import { escapeText, showExactly, showShare, showTable, showValue } from "./show-value";
import type { TableAnswer, TableQuery } from "./table-query";

/** One answered query as Markdown. */
export function describeAnswer(query: TableQuery, answer: TableAnswer): string {
  if (answer.matched === 0)
    return `No row fits ${describeFilters(query.filters).replace(/^where /, "the condition that ") || "the question"}.`;
  const parts: string[] = [];
  if (query.correlation !== null) parts.push(describeCorrelation(query, answer));
  if (query.groups.length > 0) parts.push(describeGroupTable(query, answer));
  else if (query.measures.length > 0) parts.push(describeFigures(query, answer));
  if (query.list !== null && answer.list.length > 0) parts.push(describeRows(query, answer));
  return parts.join("\n\n");
}

function describeFigures(query: TableQuery, answer: TableAnswer): string {
  const conditions = describeFilters(query.filters);
  const lines = query.measures.map((measure, index) => {
    const figure = answer.figures[index] ?? { value: null, used: 0 };
    const value =
      measure.op === "share" ? `**${showShare(figure.value)}** (${answer.matched} of ${answer.total})` : showExactly(figure.value);
    const gaps =
      measure.column !== null && figure.used < answer.matched
        ? ` — from the ${figure.used} of ${answer.matched} rows that have a value`
        : "";
    return `- ${capital(describeMeasure(measure))}${conditions ? ` ${conditions}` : ""}: ${value}${gaps}`;
  });
  const isCountOnly = query.measures.every((measure) => measure.op === "count" || measure.op === "share");
  if (query.filters.length > 0 && !isCountOnly) lines.push(`- Rows that fit: ${answer.matched} of ${answer.total}`);
  return lines.join("\n");
}

function describeGroupTable(query: TableQuery, answer: TableAnswer): string {
  const hasCount = query.measures.some((measure) => measure.op === "count" && measure.column === null);
  const header = [
    ...query.groups.map(({ column, period }) => period ?? escapeText(column)),
    ...query.measures.map(describeMeasure),
    ...(hasCount ? [] : ["rows"]),
  ];
  const rows = answer.groups.map((group) => [
    ...group.key.map((key) => (key === null ? "(none)" : showValue(key))),
    ...group.values.map((value, index) => (query.measures[index]?.op === "share" ? showShare(value) : showValue(value))),
    ...(hasCount ? [] : [String(group.rows)]),
  ]);
  const lines = [`**${capital(describeQuery(query))}**`, ""];
  const lead = describeLead(query, answer);
  if (lead) lines.push(lead, "");
  lines.push(showTable(header, rows));
  if (answer.group_count > answer.groups.length) lines.push("", `${answer.group_count - answer.groups.length} more groups are not shown.`);
  return lines.join("\n");
}

/** The first group in words, when the groups are ranked. */
function describeLead(query: TableQuery, answer: TableAnswer): string | null {
  const [first] = answer.groups;
  const measure = query.order && query.measures[query.order.measure];
  if (!query.order || !first || !measure) return null;
  const name = first.key.map((key) => (key === null ? "(none)" : showValue(key))).join(", ");
  const end = query.order.descending ? "highest" : "lowest";
  const what = measure.op === "max" || measure.op === "min" ? escapeText(measure.column ?? "") : describeMeasure(measure);
  return `**${name}** has the ${end} ${what}: ${showExactly(first.values[query.order.measure] ?? null)}.`;
}

function describeRows(query: TableQuery, answer: TableAnswer): string {
  if (query.list === null) return "";
  const { by, descending, limit, columns } = query.list;
  const conditions = describeFilters(query.filters);
  const which =
    by === null
      ? `First ${answer.list.length} of ${answer.matched} rows`
      : `${limit === 1 ? "Row" : `The ${answer.list.length} rows`} with the ${descending ? "highest" : "lowest"} ${escapeText(by)}`;
  return `${which}${conditions ? ` ${conditions}` : ""}:\n\n${showTable(
    columns.map(escapeText),
    answer.list.map((row) => row.map(showValue)),
  )}`;
}

function describeCorrelation({ correlation, filters }: TableQuery, answer: TableAnswer): string {
  const value = answer.correlation?.value ?? null;
  const names = correlation?.map(escapeText).join(" and ") ?? "";
  if (typeof value !== "number") return `The correlation of ${names} cannot be computed: there are too few pairs or no variation.`;
  const strength = Math.abs(value) < 0.2 ? "hardly any" : Math.abs(value) < 0.5 ? "a weak" : Math.abs(value) < 0.8 ? "a clear" : "a strong";
  const direction = value < 0 ? "negative" : "positive";
  return `- Correlation (Pearson) of ${[names, describeFilters(filters)].filter(Boolean).join(" ")}: ${showExactly(value)}, ${strength} ${direction} relationship over ${answer.correlation?.used} pairs`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
