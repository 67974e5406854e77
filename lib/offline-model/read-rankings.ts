import "server-only";
import { ordinalOf } from "./language";
import { COL, FILL, type QuestionLine } from "./question-line";
import { readConditions } from "./read-conditions";
import type { MeasureOp } from "./table-query";
import { beginsWith, isWords } from "./word-pattern";

const PERIOD =
  "(?:years?|quarters?|months? of the year|calendar months?|months?|weekdays?|days? of the week|days?)";
export const FIELD = `(?:${COL}|${PERIOD})`;
export const ROWS = "(?:R|rows?|records?|entries|lines?)";
export const OPS: [words: string, op: MeasureOp][] = [
  ["averages?|means?|avg", "mean"],
  ["totals?|sums?|sum up", "sum"],
  ["medians?", "median"],
  ["minimums?|min|lowest|smallest|least|fewest|earliest", "min"],
  ["maximums?|max|highest|largest|biggest|greatest|most|latest", "max"],
];
export const OP = `(?:${OPS.map(([words]) => words).join("|")})`;
export const TOP = `(?:${OPS.filter(([, op]) => op === "min" || op === "max")
  .map(([words]) => words)
  .join("|")})`;
export const LOW = /^(?:min|low|small|least|few|earl|bottom)/;
export const LIST_MAX_COLUMNS = 6;

export function opOf(words: string): MeasureOp {
  return OPS.find(([pattern]) => isWords(words, pattern))?.[1] ?? "mean";
}

export function group(line: QuestionLine, said: string): boolean {
  const field = line.field(said);
  const isThere =
    field === null ||
    line.query.groups.some(
      ({ column, period }) => column === field.column && period === field.period,
    );
  if (!isThere) line.query.groups.push(field);
  return field !== null;
}

/** How many, in which order, and what has words of its own. */
export function readOrder(line: QuestionLine): void {
  const { query } = line;
  readShare(line);
  line.take("(top|bottom) (N\\d+)", ([, end, number = ""]) => {
    query.limit = limitOf(line, number);
    return end === "top" ? "highest" : "lowest";
  });
  const behindRank = ` ${TOP} | [XT]\\d+ with ${FILL}${TOP} `;
  line.take(`(N\\d+)`, ([, number = ""], rest) => {
    if (!beginsWith(rest, behindRank)) return null;
    const rank = ordinalOf(line.said(number));
    query.limit = rank === null ? limitOf(line, number) : 1;
    query.skip = Math.max(0, (rank ?? 1) - 1);
    return "";
  });
  line.take(`(${TOP}) (?:(C\\d+) )?(N\\d+)`, ([, top = "", column = "", mark = ""]) => {
    const isOther =
      column !== "" &&
      !(line.text.match(/C\d+/g) ?? []).some(
        (one) => one !== column && line.numeric(one) === line.numeric(column),
      );
    if (line.said(mark) !== "first" || isOther) return null;
    line.first = LOW.test(top) ? "lowest" : "highest";
    return "·";
  });
  const common = "(most|least) (?:common|frequent|frequently|often)";
  const commonest = (word = "", said = "") => {
    if (!group(line, said)) return null;
    line.measure("count", null);
    query.order = { measure: 0, descending: word === "most" };
    query.limit ??= 1;
    return "·";
  };
  line.take(`${common} ${FILL}(${FIELD})`, ([, word, said]) => commonest(word, said));
  line.take(`(${FIELD}) ${FILL}(?:occurs? |appears? )?(?:the )?${common}`, ([, said, word]) =>
    commonest(word, said),
  );
}

/**
 * `What share of the loans in Kiel was late`: what stands before the verb is the whole, what stands
 * behind it the part.
 */
function readShare(line: QuestionLine): void {
  line.take("percentage|percent|share|proportion|fraction|%", (_, rest) => {
    if (!beginsWith(rest, ` ${FILL}${ROWS} `)) return null;
    line.measure("share", null);
    return "·";
  });
  line.take("(?:percentage|percent|share|proportion|fraction|%) of", () => {
    line.measure("share", null);
    return "·";
  });
  if (line.query.measures.length === 0) return;
  const words = line.text.split(" ");
  const last = words.findLastIndex((word) => HOLDS.has(word));
  const rows = words.slice(0, Math.max(0, last)).lastIndexOf("R");
  const verb = words.findIndex((word, at) => at > rows && HOLDS.has(word));
  if (rows < 0 || verb < 0) return;
  const whole = `${words.slice(0, verb).join(" ")} `;
  const part = words.slice(verb).join(" ");
  line.text = whole;
  readConditions(line);
  if (/ [CTXFVMYD]\d/.test(line.text)) line.problems.push("a share of what");
  line.query.within = line.query.filters.splice(0);
  line.text = `${line.text}${part}`;
}

const HOLDS = new Set(["is", "are", "was", "were", "has", "have", "had"]);

function limitOf(line: QuestionLine, number: string): number {
  return Math.max(1, Math.min(50, line.number(number)));
}

/**
 * The row with the highest of a column, and what else stands in it: `the customer of the dearest
 * job`.
 */
function readBestRow(line: QuestionLine): void {
  const { query, table } = line;
  const row = (top: string, mark: string, wanted: string) => {
    const by = line.numeric(mark);
    const shown = (wanted.match(/[CTXF]\d+/g) ?? [])
      .map((one) => line.column(one)?.name ?? "")
      .filter(Boolean);
    if (by === null || query.groups.length > 0 || query.measures.length > 0) return null;
    line.asks = true;
    query.limit ??= 1;
    query.list = {
      by,
      descending: !LOW.test(top),
      columns: [...new Set([...(shown.length > 0 ? shown : labelsOf(line)), by])].slice(
        0,
        LIST_MAX_COLUMNS,
      ),
    };
    return table.rows === 0 ? null : "·";
  };
  const wanted = `([CTX]\\d+(?:(?: and| ·)? (?:the )?[CTX]\\d+)*)`;
  line.take(`${wanted} ${FILL}(${TOP}) ${FILL}(C\\d+) R`, ([, shown = "", top = "", by = ""]) =>
    row(top, by, shown),
  );
  line.take(
    `${wanted} (?:of|for) ${FILL}R ${FILL}(?:that ${FILL})?(${TOP}) ${FILL}(C\\d+)`,
    ([, shown = "", top = "", by = ""]) => row(top, by, shown),
  );
  line.take(`(?:which|what) R ${FILL}(${TOP}) ${FILL}(C\\d+)`, ([, top = "", by = ""]) =>
    row(top, by, ""),
  );
  line.take(`(?:which|what) ${FILL}(${TOP}) (C\\d+) R`, ([, top = "", by = ""]) =>
    row(top, by, ""),
  );
}

/** Which one has the most: groups in order of a figure, or rows in order of a column. */
export function readRankings(line: QuestionLine): void {
  const { query } = line;
  readBestRow(line);
  const what = `(?:(${OP}) )?${FILL}([CX]\\d+|${ROWS}|number of ${ROWS}|orders? count)`;
  const rank = (top: string, target: string, op = "", what = "") => {
    const descending = !LOW.test(top);
    if (/^X\d/.test(what)) {
      const counted = line.column(what);
      if (counted === null || !group(line, target)) return "·";
      line.measure("distinct", counted.name);
      query.order = { measure: 0, descending };
      query.limit ??= 1;
      return "·";
    }
    const isCount = !/^C\d/.test(what);
    const by = isCount ? null : line.numeric(what);
    if (by === null && !isCount) return "·";
    const column = /^[CTX]/.test(target) ? line.column(target) : null;
    line.asks = true;
    query.limit ??= 1;
    if (
      by !== null &&
      op === "" &&
      column !== null &&
      query.groups.length === 0 &&
      column.distinct >= line.table.rows - column.missing
    ) {
      query.list = { by, descending, columns: [...new Set([column.name, by])] };
      return "·";
    }
    if (!group(line, target)) return "·";
    const isSum = /^(?:most|least|fewest)$/.test(top);
    const ops: MeasureOp[] = isCount
      ? ["count"]
      : op
        ? [opOf(op)]
        : isSum
          ? ["sum"]
          : ["sum", "mean", descending ? "max" : "min"];
    for (const each of ops) line.measure(each, by);
    query.isOne = ops.length > 1;
    query.order = { measure: 0, descending };
    return "·";
  };
  line.take(
    `(?:which|what|who) (?:is |are |was |were )?(?:the )?(${FIELD}) ${FILL}(?:shows? |saw |got |by )?${FILL}(${TOP}) ${FILL}${what}`,
    ([, target = "", top = "", op, figure]) => rank(top, target, op, figure),
  );
  line.take(
    `(?:which|what|who) (${FIELD}) ${FILL}(?:(${OP}) )?(C\\d+) ${FILL}(${TOP})`,
    ([, target = "", op, figure, top = ""]) => rank(top, target, op, figure),
  );
  line.take(
    `(${FIELD}) with ${FILL}(${TOP}) ${FILL}${what}`,
    ([, target = "", top = "", op, figure]) => rank(top, target, op, figure),
  );
  line.take(`(${TOP}) (${FIELD}) by ${FILL}${what}`, ([, top = "", target = "", op, figure]) =>
    rank(top, target, op, figure),
  );
  line.take(
    `(?:sort|sorted|order|ordered|rank|ranked) ${FILL}(?:R )?by ${FILL}(?:(${OP}) )?${FILL}(${COL})((?: in)? (?:descending|ascending|desc|asc|(?:highest|largest|lowest|smallest) first))?(?: order)?`,
    ([, op, mark = "", way = ""]) => {
      const column = line.column(mark);
      query.list = column && {
        by: column.name,
        descending: way === "" ? column.kind === "number" : /desc|highest|largest/.test(way),
        columns: [column.name],
      };
      return op ? `${op} ${mark}` : "·";
    },
  );
}

const LABELS_MAX = 3;

/** Columns that tell a row from others. */
export function labelsOf({ table }: QuestionLine): string[] {
  const labels = table.columns
    .filter(({ kind }) => kind === "text" || kind === "date")
    .sort((a, b) => b.distinct - a.distinct)
    .slice(0, LABELS_MAX);
  return table.columns.filter((column) => labels.includes(column)).map(({ name }) => name);
}
