import "server-only";
import { ordinalOf, quote } from "./language";
import { isMoney, unitOf, unitOfColumn } from "./plain-wording";
import { COL, FILL, QuestionLine } from "./question-line";
import { readConditions } from "./read-conditions";
import type { MeasureOp, TableProfile, TableQuery } from "./table-query";

/** A clause as a question to a table. It may be answered only when `unread` is empty: then every word of it is in the query. */
export interface Question {
  query: TableQuery;
  /** What stands in the way: words that mean nothing to the table, or that may mean two things. */
  unread: string[];
  /** Whether it asks for something, and does not only set conditions. */
  asks: boolean;
  /** Whether it groups and does not say what to work out: a question only after another one. */
  isOpen: boolean;
}

const PERIOD = "(?:years?|quarters?|months? of the year|calendar months?|months?|weekdays?|days? of the week|days?)";
const FIELD = `(?:${COL}|${PERIOD})`;
const ROWS = "(?:R|rows?|records?|entries|lines?)";
const OPS: [words: string, op: MeasureOp][] = [
  ["averages?|means?|avg", "mean"],
  ["totals?|sums?|sum up", "sum"],
  ["medians?", "median"],
  ["minimums?|min|lowest|smallest|least|fewest|earliest", "min"],
  ["maximums?|max|highest|largest|biggest|greatest|most|latest", "max"],
];
const OP = `(?:${OPS.map(([words]) => words).join("|")})`;
const TOP = `(?:${OPS.filter(([, op]) => op === "min" || op === "max")
  .map(([words]) => words)
  .join("|")})`;
const LOW = /^(?:min|low|small|least|few|earl|bottom)/;
const EVERY: { [adverb: string]: string } = { yearly: "year", annual: "year", monthly: "month", quarterly: "quarter", daily: "day" };

/** Reads a clause by the table's own columns and cells. */
export function readQuestion(clause: string, table: TableProfile): Question {
  const line = new QuestionLine(clause, table);
  readOrder(line);
  readConditions(line);
  readRankings(line);
  readFigures(line);
  readGroups(line);
  readRest(line);
  const { query, asks } = line;
  return { query, unread: line.unread(), asks, isOpen: query.groups.length > 0 && query.measures.length === 0 };
}

/** A question that leans on the one before it: what it does not say is as it was there. */
export function continueQuestion(before: Question, now: Question): Question {
  const words = now.unread.map((word) => word.replace(/[“”]/g, ""));
  const ops = words.flatMap((word) => OPS.filter(([pattern]) => new RegExp(`^(?:${pattern})$`).test(word)).map(([, op]) => op));
  if (ops.length < words.length || before.unread.length > 0) return now;
  const again = before.query.measures.flatMap(({ column }) => ops.map((op) => ({ op, column })));
  const measures = now.query.measures.length > 0 ? now.query.measures : again.length > 0 ? again : before.query.measures;
  const filtered = now.query.filters.map(({ column }) => column);
  const groups = now.query.groups.length > 0 ? now.query.groups : before.query.groups.filter(({ column }) => !filtered.includes(column));
  const filters = [...before.query.filters.filter(({ column }) => !filtered.includes(column)), ...now.query.filters];
  const list = groups.length > 0 ? null : before.query.list;
  const query = now.query.list ? { ...now.query, filters } : { ...before.query, filters, groups, measures, list };
  return { query, unread: [], asks: true, isOpen: groups.length > 0 && measures.length === 0 };
}

function group(line: QuestionLine, said: string): boolean {
  const field = line.field(said);
  const isThere = field === null || line.query.groups.some(({ column, period }) => column === field.column && period === field.period);
  if (!isThere) line.query.groups.push(field);
  return field !== null;
}

/** How many, in which order, and what has words of its own. */
function readOrder(line: QuestionLine): void {
  const { query } = line;
  readShare(line);
  line.take("(top|bottom) (N\\d+)", ([, end, number = ""]) => {
    query.limit = limitOf(line, number);
    return end === "top" ? "highest" : "lowest";
  });
  line.take(`(N\\d+)(?= ${TOP} | [XT]\\d+ with ${FILL}${TOP} )`, ([, number = ""]) => {
    const rank = ordinalOf(line.said(number));
    query.limit = rank === null ? limitOf(line, number) : 1;
    query.skip = Math.max(0, (rank ?? 1) - 1);
    return "";
  });
  line.take(`(${TOP}) (?:(C\\d+) )?(N\\d+)`, ([, top = "", column = "", mark = ""]) => {
    const isOther =
      column !== "" && !(line.text.match(/C\d+/g) ?? []).some((one) => one !== column && line.numeric(one) === line.numeric(column));
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
  line.take(`(${FIELD}) ${FILL}(?:occurs? |appears? )?(?:the )?${common}`, ([, said, word]) => commonest(word, said));
}

/** `What share of the loans in Kiel was late`: what stands before the verb is the whole, what stands behind it the part. */
function readShare(line: QuestionLine): void {
  line.take(`(?:percentage|percent|share|proportion|fraction|%)(?= ${FILL}${ROWS} )`, () => {
    line.measure("share", null);
    return "·";
  });
  line.take("(?:percentage|percent|share|proportion|fraction|%) of", () => {
    line.measure("share", null);
    return "·";
  });
  const [, whole, part] =
    line.query.measures.length > 0 ? (/^(.* R .*?(?<= ))((?:is|are|was|were|has|have|had) .*)$/.exec(line.text) ?? []) : [];
  if (!whole || !part) return;
  line.text = whole;
  readConditions(line);
  if (/ [CTXFVMYD]\d/.test(line.text)) line.problems.push("a share of what");
  line.query.within = line.query.filters.splice(0);
  line.text = `${line.text}${part}`;
}

function limitOf(line: QuestionLine, number: string): number {
  return Math.max(1, Math.min(50, line.number(number)));
}

const LIST_MAX_COLUMNS = 6;

/** The row with the highest of a column, and what else stands in it: `the customer of the dearest job`. */
function readBestRow(line: QuestionLine): void {
  const { query, table } = line;
  const row = (top: string, mark: string, wanted: string) => {
    const by = line.numeric(mark);
    const shown = (wanted.match(/[CTXF]\d+/g) ?? []).map((one) => line.column(one)?.name ?? "").filter(Boolean);
    if (by === null || query.groups.length > 0 || query.measures.length > 0) return null;
    line.asks = true;
    query.limit ??= 1;
    query.list = {
      by,
      descending: !LOW.test(top),
      columns: [...new Set([...(shown.length > 0 ? shown : labelsOf(line)), by])].slice(0, LIST_MAX_COLUMNS),
    };
    return table.rows === 0 ? null : "·";
  };
  const wanted = `([CTX]\\d+(?:(?: and| ·)? (?:the )?[CTX]\\d+)*)`;
  line.take(`${wanted} ${FILL}(${TOP}) ${FILL}(C\\d+) R`, ([, shown = "", top = "", by = ""]) => row(top, by, shown));
  line.take(`${wanted} ${FILL}R ${FILL}(?:that ${FILL})?(${TOP}) ${FILL}(C\\d+)`, ([, shown = "", top = "", by = ""]) =>
    row(top, by, shown),
  );
  line.take(`(?:which|what) R ${FILL}(${TOP}) ${FILL}(C\\d+)`, ([, top = "", by = ""]) => row(top, by, ""));
  line.take(`(?:which|what) ${FILL}(${TOP}) (C\\d+) R`, ([, top = "", by = ""]) => row(top, by, ""));
}

/** Which one has the most: groups in order of a figure, or rows in order of a column. */
function readRankings(line: QuestionLine): void {
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
    if (by !== null && op === "" && column !== null && query.groups.length === 0 && column.distinct >= line.table.rows - column.missing) {
      query.list = { by, descending, columns: [...new Set([column.name, by])] };
      return "·";
    }
    if (!group(line, target)) return "·";
    const isSum = /^(?:most|least|fewest)$/.test(top);
    const ops: MeasureOp[] = isCount ? ["count"] : op ? [opOf(op)] : isSum ? ["sum"] : ["sum", "mean", descending ? "max" : "min"];
    for (const each of ops) line.measure(each, by);
    query.order = { measure: 0, descending };
    return "·";
  };
  line.take(
    `(?:which|what|who) (?:is |are |was |were )?(?:the )?(${FIELD}) ${FILL}(?:shows? |saw |got |by )?${FILL}(${TOP}) ${FILL}${what}`,
    ([, target = "", top = "", op, figure]) => rank(top, target, op, figure),
  );
  line.take(`(?:which|what|who) (${FIELD}) ${FILL}(?:(${OP}) )?(C\\d+) ${FILL}(${TOP})`, ([, target = "", op, figure, top = ""]) =>
    rank(top, target, op, figure),
  );
  line.take(`(${FIELD}) with ${FILL}(${TOP}) ${FILL}${what}`, ([, target = "", top = "", op, figure]) => rank(top, target, op, figure));
  line.take(`(${TOP}) (${FIELD}) by ${FILL}${what}`, ([, top = "", target = "", op, figure]) => rank(top, target, op, figure));
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

function opOf(words: string): MeasureOp {
  return OPS.find(([pattern]) => new RegExp(`^(?:${pattern})$`).test(words))?.[1] ?? "mean";
}

function readFigures(line: QuestionLine): void {
  line.take(`(${OP}) (?:number|amount|count) of(?= (?:the )?C\\d)`, ([, op = ""]) => op);
  line.take(
    `(?:how many|total number of|number of|count of|count) (?:· )?${FILL}(?:(?:distinct|unique|different) )?${FILL}(${COL}|${ROWS})(?: are there)?`,
    ([said = "", mark = ""]) => {
      const column = /^[CTXF]\d/.test(mark) ? line.column(mark) : null;
      const isDistinct = /distinct|unique|different/.test(said);
      // `How many were seen` does not count the days of `seen_on`.
      if (column?.kind === "date" && !isDistinct && !/s$/.test(line.said(mark))) return null;
      if (column) line.measure(column.kind === "number" && !isDistinct ? "sum" : "distinct", column.name);
      else if (/^[CTXF]\d/.test(mark) || isDistinct) return null;
      else line.measure("count", null);
      return "·";
    },
  );
  line.take(
    `(?:difference between|range of) ${FILL}(?:(?:highest|lowest|largest|smallest|maximum|minimum|greatest) (?:and )?${FILL}){0,2}(C\\d+)`,
    ([, mark = ""]) => {
      const column = line.numeric(mark);
      if (column) line.measure("range", column);
      return "·";
    },
  );
  const each = (ops: string, columns: string) => {
    const marks = columns.match(/C\d+/g) ?? [];
    const names = marks.flatMap((mark) =>
      line.isEveryNumber(mark) ? line.columns(mark).map(({ name }) => name) : (line.numeric(mark) ?? []),
    );
    const wanted = [...ops.matchAll(new RegExp(`\\b${OP}\\b`, "g"))].map(([words]) => opOf(words));
    for (const name of names) for (const op of wanted) line.measure(op, name);
    return "·";
  };
  const ops = `${OP}(?:(?: and| or|) (?:the )?${OP})*`;
  line.take(`(${ops}) ${FILL}(C\\d+(?:(?: and|) (?:the )?C\\d+)*)`, ([, words = "", columns = ""]) => each(words, columns));
  line.take(`(C\\d+) ${FILL}(${ops})`, ([, columns = "", words = ""]) => each(words, columns));
  const dated = (word: string, column: string | undefined) => {
    const isFirst = /^N/.test(word) ? line.said(word) === "first" : LOW.test(word);
    if (!column || (/^N/.test(word) && !isFirst)) return null;
    line.measure(isFirst ? "min" : "max", column);
    return "·";
  };
  line.take(`(${TOP}|N\\d+|last) ${FILL}(T\\d+)`, ([, word = "", mark = ""]) => dated(word, line.column(mark)?.name));
  line.take(`for the (N\\d+|last|latest) time`, ([, word = ""]) =>
    dated(word.replace("latest", "last"), line.dateField("", "day")?.column),
  );
  const isDated = line.query.measures.some(({ column }) => line.table.columns.some(({ name, kind }) => name === column && kind === "date"));
  if (isDated) line.take("(?:which|what) (?:day|date)", () => "·");
}

function readGroups(line: QuestionLine): void {
  const by = "(?:for each|for every|in each|of each|on each|grouped by|group by|broken down by|split by|per|by|each|every|across)";
  line.take(`${by} (?:the )?(${FIELD}(?:(?: and)?(?: per| by)?(?: the)? ${FIELD})*)`, ([, fields = ""]) => {
    for (const [field] of fields.matchAll(new RegExp(FIELD, "g"))) group(line, field);
    return "·";
  });
  line.take(`(${Object.keys(EVERY).join("|")})`, ([, adverb = ""]) => (group(line, EVERY[adverb] ?? "") ? "·" : null));
  line.take(`(?:distinct|unique|different|possible) ${FILL}([CTX]\\d+)`, ([, mark = ""]) => {
    group(line, mark);
    line.measure("count", null);
    return "·";
  });
  // `animals per sighting` is a quotient, and no total.
  line.take(`(?:${by}) R`, () => {
    line.problems.push("what to work out for each row");
    return "·";
  });
}

/** What was named twice, or says no more than what was understood: `the dearest in price`, `the halls on floor 2`. */
function readAgain(line: QuestionLine): void {
  const { query, table } = line;
  const used = new Set([...query.measures, ...query.filters, ...query.groups].map(({ column }) => column));
  for (const column of [query.list?.by ?? null, ...(query.list?.columns ?? [])]) used.add(column);
  const only = (mark: string) => {
    const [column, other] = line.columns(mark);
    return column && !other ? column : null;
  };
  line.take(`(?:(?:in|by|of|on) )?(${COL})`, ([said = "", mark = ""]) => {
    const column = only(mark);
    if (column === null || query.measures.length + (query.list ? 1 : 0) === 0) return null;
    const isRowName =
      column.kind === "text" &&
      column.distinct === table.rows &&
      column.missing === 0 &&
      query.measures.every((one) => one.column !== column.name);
    // `were seen` beside a table of which each row was.
    const isVerb = column.kind === "date" && column.missing === 0 && /(?:ed|en|wn)$/.test(line.said(mark));
    return (used.has(column.name) && said !== mark) || (isRowName && query.groups.length === 0) || isVerb ? "·" : null;
  });
}

/** Columns without a word for the figure, and what makes a query whole. */
function readRest(line: QuestionLine): void {
  const { query, table } = line;
  readAgain(line);
  const isAlone = query.measures.length === 0;
  // Where a value is asked for, several rows do not answer.
  const isMuch = isAlone && query.filters.length > 0 && query.groups.length === 0 && query.list === null;
  if (isMuch)
    line.take("how (?:much|many)(?= .*C\\d)", () => {
      query.isOne = true;
      return "what";
    });
  const columns: string[] = [];
  const wantsRows = /(?:^| )(?:list|show|which|find|display|print|what|who|give|return)(?= )/.test(line.text);
  if (isAlone) {
    line.take(`(${COL})`, ([, mark = ""]) => {
      const column = query.groups.length > 0 ? line.numeric(mark) : (line.column(mark)?.name ?? null);
      if (column !== null) columns.push(column);
      return "·";
    });
    if (columns.length > 0 || (wantsRows && query.filters.length > 0)) line.asks = true;
    // `yield per tree` is a quotient, and no figure of each number of trees.
    const isQuotient =
      columns.length > 0 && query.groups.some(({ column }) => table.columns.some(({ name, kind }) => name === column && kind === "number"));
    if (isQuotient) line.problems.push("what to work out for each number");
    if (query.groups.length > 0)
      for (const column of columns) for (const op of ["sum", "mean", "min", "max"] as const) line.measure(op, column);
    else if (line.asks && (query.list === null || query.limit === null)) {
      const order = query.list;
      const shown = [
        ...(columns.length > 0 && query.filters.length === 0 ? [] : labelsOf(line)),
        ...query.filters.map(({ column }) => column),
        ...columns,
        ...(order?.columns ?? []),
      ];
      query.list = {
        by: order?.by ?? null,
        descending: order?.descending ?? false,
        columns: [...new Set(shown)].slice(0, LIST_MAX_COLUMNS),
      };
    }
  }
  if (query.groups.length > 0 && query.list !== null) {
    const { by, descending } = query.list;
    const measure = query.measures.findIndex(({ column }) => column === by);
    if (measure < 0) line.problems.push("an order of groups by what was not worked out");
    else query.order = { measure, descending };
    query.list = null;
  }
  const [only, second] = query.measures;
  if (line.first !== null && query.list !== null && query.list.by !== null) query.list.descending = line.first === "highest";
  else if (line.first !== null && query.groups.length > 0 && only && !second && query.limit === null)
    query.order = { measure: 0, descending: line.first === "highest" };
  else if (line.first !== null) line.problems.push("an order of what");
  if (
    query.groups.length === 0 &&
    query.list === null &&
    query.measures.length === 1 &&
    only?.column &&
    (only.op === "min" || only.op === "max")
  ) {
    // The lowest and the highest are worth little without the row that they stand in.
    query.list = { by: only.column, descending: only.op === "max", columns: [...new Set([...labelsOf(line), only.column])] };
    query.limit ??= 1;
    // The second highest is not the highest: its row says it.
    if (query.skip > 0) query.measures = [];
  }
  const chosen = query.filters.filter(({ op }) => op === "in").map(({ column, period }) => `${column} ${period}`);
  if (new Set(chosen).size < chosen.length) line.problems.push("two values of one column at once");
  if (
    query.measures.some(({ op }) => op === "share") &&
    (query.measures.length > 1 || query.filters.length !== 1 || query.groups.length > 0)
  )
    line.problems.push("a share of what");
  if (query.limit !== null && query.list === null && query.order === null) line.problems.push("how many of what");
  const shown = [...query.measures.map(({ column }) => column), ...(query.list?.columns ?? [])];
  const isUnit = (name: string | null) =>
    name !== null &&
    (unitOfColumn(name) === line.unit || (unitOf(line.unit ?? "") !== "%" && isMoney(name) && unitOfColumn(name) === null));
  if (
    line.unit === "%" ? !query.measures.some(({ op }) => op === "share") && !shown.some(isUnit) : line.unit !== null && !shown.some(isUnit)
  )
    line.problems.push(`a figure in ${quote(line.unit ?? "")}`);
  if (table.rows === 0) line.problems.push("a table without rows");
}

const LABELS_MAX = 3;

/** Columns that tell a row from others. */
function labelsOf({ table }: QuestionLine): string[] {
  const labels = table.columns
    .filter(({ kind }) => kind === "text" || kind === "date")
    .sort((a, b) => b.distinct - a.distinct)
    .slice(0, LABELS_MAX);
  return table.columns.filter((column) => labels.includes(column)).map(({ name }) => name);
}
