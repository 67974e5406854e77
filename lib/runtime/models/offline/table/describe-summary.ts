import "server-only";
import { describeAnswer } from "./describe-answer";
import { escapeText, showTable, showValue } from "./show-value";
import type { TableProfile } from "./table-profile";
import type { TableAnswer, TableQuery } from "./table-query";

/** The answers of `summaryQueries` as Markdown: one table of the measured columns, one of each commonest value. */
export function describeSummary(table: TableProfile, queries: readonly TableQuery[], answers: readonly TableAnswer[]): string {
  const paired = queries.flatMap((query, index) => (answers[index] ? [{ query, answer: answers[index] }] : []));
  const figures = paired.filter(({ query }) => query.groups.length === 0);
  const parts = [
    `\`${table.path}\` has ${table.rows} rows and ${table.columns.length} columns. Nothing more particular was asked that the table could answer, so this is a summary.`,
  ];
  if (figures.length > 0) {
    const rows = figures.map(({ query, answer }) => [
      escapeText(query.measures[0]?.column ?? ""),
      ...answer.figures.map((figure) => showValue(figure.value)),
      String(answer.matched - (answer.figures[0]?.used ?? 0)),
    ]);
    parts.push(showTable(["column", "average", "median", "lowest", "highest", "missing"], rows));
  }
  const dates = table.columns.filter((column) => column.kind === "date" && column.min !== null);
  if (dates.length > 0)
    parts.push(dates.map(({ name, min, max }) => `- ${escapeText(name)}: from ${showValue(min)} to ${showValue(max)}`).join("\n"));
  for (const { query, answer } of paired) if (query.groups.length > 0) parts.push(describeAnswer(query, answer));
  return parts.join("\n\n");
}
