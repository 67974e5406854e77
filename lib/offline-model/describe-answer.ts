import "server-only";
import { capital, cut, escapeText } from "./language";
import type { OfflineCall } from "./prompt";
import type {
  Field,
  Filter,
  Measure,
  MeasureOp,
  TableAnswer,
  TableProfile,
  TableQuery,
} from "./table-query";

type Plain = string | number | boolean | null;

/** What was found out, in words and for an output schema. */
export interface Finding {
  text: string;
  figures: { name: string; value: Plain }[];
  rows: { columns: string[]; cells: Plain[][] } | null;
}

const OP_NAMES: Record<MeasureOp, string> = {
  count: "number of rows",
  sum: "total",
  mean: "average",
  median: "median",
  min: "lowest",
  max: "highest",
  distinct: "number of distinct values of",
  share: "share of rows",
  range: "difference between the highest and the lowest",
};
const OP_SIGNS: { [op: string]: string } = { in: "is", "not in": "is not" };

/** Why what came is no answer to what was asked; null when it is. */
export function problemOf(query: TableQuery, answer: TableAnswer): string | null {
  return query.isOne && answer.group_rows > 1
    ? "several rows fit, and it does not say how they count together: say total or average"
    : null;
}

/**
 * One answered query, in Markdown. Names what it was computed from, so that a reader sees how the
 * question was understood.
 */
export function describeAnswer(query: TableQuery, answer: TableAnswer, path = ""): Finding {
  const where = describeFilters(query.filters);
  if (answer.matched === 0 && query.measures.every(({ op }) => op !== "count" && op !== "share"))
    return {
      text: `No row fits${where.replace(/^ where/, " the condition that") || " the question"}.`,
      figures: [],
      rows: null,
    };
  const figures = query.measures.map((measure, index) => {
    const { value, used } = answer.figures[index] ?? { value: null, used: 0 };
    const gaps =
      measure.column !== null && used < answer.matched
        ? ` — from the ${used} of ${answer.matched} rows that have a value`
        : "";
    const shown =
      measure.op === "share"
        ? `**${showShare(value)}** (${answer.matched} of ${answer.total})`
        : showExactly(value);
    // A schema may ask for `loans` where `loans.csv` was counted.
    const rows = measure.op === "count" && measure.column === null ? ` ${path}` : "";
    return {
      name: `${nameOf(measure)}${rows}${where}`,
      value,
      line: `- ${capital(nameOf(measure))}${where}: ${shown}${gaps}`,
    };
  });
  const lines = query.groups.length > 0 ? "" : figures.map(({ line }) => line).join("\n");
  const rows =
    query.groups.length > 0
      ? groupRows(query, answer)
      : query.list
        ? { columns: query.list.columns, cells: answer.list }
        : null;
  const table =
    rows === null
      ? ""
      : query.groups.length > 0
        ? describeGroups(query, answer, rows)
        : describeRows(query, answer, rows);
  return {
    text: [lines, table].filter(Boolean).join("\n\n"),
    figures: query.groups.length > 0 ? [] : figures,
    rows,
  };
}

function nameOf({ op, column }: Measure): string {
  return column === null ? OP_NAMES[op] : `${OP_NAMES[op]} ${escapeText(column)}`;
}

function fieldName({ column, period }: Field): string {
  return period === null ? escapeText(column) : `${period} of ${escapeText(column)}`;
}

function describeFilters(filters: readonly Filter[]): string {
  if (filters.length === 0) return "";
  const parts = filters.map((filter) => {
    const values = filter.values
      .map((value) =>
        (value === null ? "missing" : escapeText(String(value))).replace(/^\d\d (?=[A-Z])/, ""),
      )
      .join(" or ");
    return `${fieldName(filter)} ${OP_SIGNS[filter.op] ?? filter.op} ${values}`.trim();
  });
  return ` where ${parts.join(" and ")}`;
}

function groupRows(
  { groups, measures }: TableQuery,
  answer: TableAnswer,
): { columns: string[]; cells: Plain[][] } {
  const hasCount = measures.some(({ op, column }) => op === "count" && column === null);
  return {
    columns: [
      ...groups.map(({ column, period }) => period ?? column),
      ...measures.map(nameOf),
      ...(hasCount ? [] : ["rows"]),
    ],
    cells: answer.groups.map((group) => [
      ...group.key,
      ...group.values,
      ...(hasCount ? [] : [group.rows]),
    ]),
  };
}

function describeGroups(
  query: TableQuery,
  answer: TableAnswer,
  { columns, cells }: { columns: string[]; cells: Plain[][] },
): string {
  const per = query.groups.map(fieldName).join(" and ");
  const title =
    `**${capital(query.measures.map(nameOf).join(", "))} per ` +
    `${per}${describeFilters(query.filters)}**`;
  const shown = cells.map((row) => row.map(showValue));
  const left = answer.group_count - answer.groups.length - query.skip;
  const isCut = query.limit === null && left > 0;
  return [
    title,
    describeFirst(query, answer),
    showTable(columns.map(escapeText), shown),
    isCut ? `${left} more groups are not shown.` : "",
  ]
    .filter(Boolean)
    .join("\n\n");
}

/** The first of a ranking in words. */
function describeFirst(
  { order, measures, limit, skip }: TableQuery,
  { groups }: TableAnswer,
): string {
  const measure = order && measures[order.measure];
  const [first] = groups;
  if (!order || !measure || !first || limit !== 1) return "";
  const names = groups.map(({ key }) => key.map((part) => showValue(part)).join(", "));
  const place = skip > 0 ? ` number ${skip + 1} from the` : " the";
  return (
    `**${names.join(" and ")}** ${names.length > 1 ? "have" : "has"}${place} ` +
    `${order.descending ? "highest" : "lowest"} ${nameOf(measure)}: ` +
    `${showExactly(first.values[order.measure] ?? null)}.`
  );
}

function describeRows(
  { list, limit, skip, filters, measures }: TableQuery,
  answer: TableAnswer,
  rows: { columns: string[]; cells: Plain[][] },
): string {
  if (list === null || rows.cells.length === 0) return "";
  const where = describeFilters(filters);
  const wanted = limit ?? answer.matched;
  const order =
    list.by === null ? "" : ` by ${list.descending ? "highest" : "lowest"} ${escapeText(list.by)}`;
  const count =
    `${rows.cells.length} of ${answer.matched} ` +
    `rows${where}${order}${skip > 0 ? `, from number ${skip + 1} on` : ""}`;
  const tied = limit !== null && rows.cells.length > wanted ? " (some are level)" : "";
  const lead =
    measures.length > 0 && rows.cells.length === 1 ? "In the row:" : `${capital(count)}${tied}:`;
  return `${lead}\n\n${showTable(
    rows.columns.map(escapeText),
    rows.cells.map((row) => row.map(showValue)),
  )}`;
}

/** What a table holds, column by column; measured columns with their figures. */
export function describeTable(table: TableProfile, figures: Finding): string {
  const columns = table.columns.map(({ name, kind, distinct, missing, min, max }) => [
    escapeText(name),
    kind,
    String(distinct),
    String(missing),
    showValue(min),
    showValue(max),
  ]);
  return [
    `\`${table.path}\` has ${table.rows} rows and ${table.columns.length} columns:`,
    showTable(["column", "kind", "distinct", "missing", "lowest", "highest"], columns),
    figures.text,
  ]
    .filter(Boolean)
    .join("\n\n");
}

/**
 * A figure as people read it: two decimals, or four digits when it is small. Thousands are not set
 * apart, so it can be copied.
 */
function showValue(value: Plain): string {
  if (value === null) return "–";
  if (typeof value !== "number") return escapeText(cut(String(value).replace(/\s+/g, " "), 120));
  if (Number.isInteger(value)) return String(value);
  return Math.abs(value) < 1 ? String(Number(value.toPrecision(4))) : value.toFixed(2);
}

function showExactly(value: Plain): string {
  const shown = showValue(value);
  return typeof value === "number" && Number(shown) !== value
    ? `**${shown}** (exactly ${value})`
    : `**${shown}**`;
}

function showShare(value: Plain): string {
  return typeof value === "number" ? `${showValue(value * 100)} %` : "–";
}

function showTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(header), line(header.map(() => "---")), ...rows.map(line)].join("\n");
}

/** The call that makes a file of what was found: Markdown, or the first table of it as CSV. */
export function writeFile(
  title: string,
  text: string,
  isCsv: boolean,
  findings: readonly Finding[],
): OfflineCall {
  const slug =
    title
      .normalize("NFKD")
      .replace(/[^A-Za-z0-9]+/g, "-")
      .replace(/^-|-$/g, "")
      .toLowerCase() || "report";
  const rows = isCsv ? findings.find((finding) => finding.rows)?.rows : null;
  if (!rows)
    return {
      name: "artifacts",
      input: {
        title,
        name: `${slug}.md`,
        type: "text/markdown",
        content: `# ${title}\n\n${text}\n`,
      },
    };
  const content = [rows.columns, ...rows.cells].map((row) => row.map(toCell).join(",")).join("\n");
  return {
    name: "artifacts",
    input: { title, name: `${slug}.csv`, type: "text/csv", content: `${content}\n` },
  };
}

/** A cell of text cannot start a formula in a spreadsheet. */
function toCell(value: string | number | boolean | null): string {
  const text = value === null ? "" : String(value);
  const safe = typeof value === "string" && /^[=+@-]/.test(text) ? `'${text}` : text;
  return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
