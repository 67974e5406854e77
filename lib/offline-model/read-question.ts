import "server-only";
import { nameWords, quote, stem } from "./language";
import { QuestionLine } from "./question-line";
import {
  type Filter,
  type FilterOp,
  flagOf,
  type MeasureOp,
  type TableColumn,
  type TableProfile,
  type TableQuery,
} from "./table-query";
import { findWords } from "./word-pattern";

/**
 * A clause as a question to a table. It may be answered only when `unread` is empty: then every
 * word of it is in the query.
 */
export interface Question {
  query: TableQuery;
  /** What stands in the way: words that mean nothing to the table, or that may mean two things. */
  unread: string[];
  /** Whether it asks for something, and does not only set conditions. */
  asks: boolean;
  /** Whether it groups and does not say what to work out: a question only after another one. */
  isOpen: boolean;
}

const COLUMN = "[CTXF]\\d+";
const NUMBER = "[NY]\\d+";
const TIME = "[DY]\\d+";
const FIELD = `(?:${COLUMN}|year|quarter|month|calendarmonth|weekday|day)`;
const EXTREME = "(?:max|min|most|least)";
const OP = "(?:mean|sum|median|range|max|min|most|least)";
const COMPARE = "(?:>=|<=|>|<|=)";
const LIST_MAX_COLUMNS = 6;
const LIMIT_MAX = 50;

const MEASURES: { [token: string]: MeasureOp } = { most: "max", least: "min" };
// By the patterns, one of them.
const opOf = (token: string) => MEASURES[token] ?? (token as MeasureOp);
const isDescending = (extreme: string) => extreme === "max" || extreme === "most";

/** Reads a clause by the table's own columns and cells. */
export function readQuestion(clause: string, table: TableProfile): Question {
  const line = new QuestionLine(clause, table);
  readShare(line);
  readLimit(line);
  readGaps(line);
  readCells(line);
  readFlags(line);
  readNumbers(line);
  readTimes(line);
  readEqual(line);
  readRankings(line);
  readFigures(line);
  readGroups(line);
  readAgain(line);
  readColumns(line);
  readOrder(line);
  check(line);
  const { query, asks } = line;
  const isOpen = query.groups.length > 0 && query.measures.length === 0;
  return { query, unread: line.unread(), asks, isOpen };
}

/** A question that leans on the one before it: what it does not say is as it was there. */
export function continueQuestion(before: Question, now: Question): Question {
  if (now.unread.length + before.unread.length > 0 || now.query.list !== null) return now;
  const filtered = now.query.filters.map(({ column }) => column);
  const isKept = ({ column }: { column: string }) => !filtered.includes(column);
  const { groups, measures } = now.query;
  const query = {
    ...before.query,
    filters: [...before.query.filters.filter(isKept), ...now.query.filters],
    groups: groups.length > 0 ? groups : before.query.groups.filter(isKept),
    measures: measures.length > 0 ? measures : before.query.measures,
  };
  const isOpen = query.groups.length > 0 && query.measures.length === 0;
  return { query, unread: [], asks: true, isOpen };
}

/** `share of the rows`, of which one condition says which. */
function readShare(line: QuestionLine): void {
  line.take("share R", () => {
    line.measure("share", null);
    return "R";
  });
}

/** `3 highest`, `top 3`, `second highest`. */
function readLimit(line: QuestionLine): void {
  const limit = (mark: string, extreme: string, behind = "") => {
    const place = line.place(mark);
    if (place === null) return null;
    line.query.limit = place.isOrdinal ? 1 : Math.min(LIMIT_MAX, place.count);
    line.query.skip = place.isOrdinal ? place.count - 1 : 0;
    return `${behind}${extreme}`;
  };
  line.take(`(N\\d+) ((?:R|X\\d+) )?(${EXTREME})`, ([, mark = "", behind = "", extreme = ""]) =>
    limit(mark, extreme, behind),
  );
  line.take(`(${EXTREME}) (N\\d+)`, ([, extreme = "", mark = ""]) => {
    const isFirst = line.place(mark)?.isOrdinal;
    if (isFirst) return line.said(mark) === "first" ? `${extreme}first` : null;
    return limit(mark, extreme);
  });
}

function filter(
  line: QuestionLine,
  column: string,
  op: FilterOp,
  values: Filter["values"],
): string {
  line.query.filters.push({ column, period: null, op, values });
  return "";
}

/**
 * `without a photo`: the cells that say no, where the column says yes and no; else those that say
 * nothing. Where it may be either, it is a problem.
 */
function without(line: QuestionLine, column: TableColumn, isThere = false): string {
  const flag = flagOf(column);
  const mayBeZero = column.kind === "number" && Number(column.min) <= 0 && Number(column.max) >= 0;
  const isUnclear = flag ? column.missing > 0 && !isThere : mayBeZero || column.has_none;
  if (isUnclear)
    line.problems.push(`${quote(column.name)}, where a gap may mean another thing than no or 0`);
  const value = flag === null ? null : isThere ? flag.yes : flag.no;
  return filter(line, column.name, flag === null && isThere ? "not in" : "in", [value]);
}

function readGaps(line: QuestionLine): void {
  const gap = (mark: string) => {
    const column = line.column(mark);
    return column ? without(line, column) : "";
  };
  line.take(`no (${COLUMN})`, ([, mark = ""], rest) => (rest.startsWith(" V") ? null : gap(mark)));
  line.take(`(${COLUMN}) missing`, ([, mark = ""]) => gap(mark));
}

/** Adjectives and nouns that are flags of the rows: `late`, `not resolved`, `with a photo`. */
function readFlags(line: QuestionLine): void {
  const flag = (mark: string, isThere: boolean) => {
    const column = line.column(mark);
    return column ? without(line, column, isThere) : "";
  };
  line.take("(?:not|no) (F\\d+)", ([, mark = ""]) => flag(mark, false));
  line.take(`((?:by|or|distinct|commonest|rarest|which|what) )?(F\\d+)`, ([, before, mark = ""]) =>
    before ? null : flag(mark, true),
  );
}

/** Several cells of one column with `and` between them are shown apart. */
function readCells(line: QuestionLine): void {
  const cells = "V\\d+(?:(?: and| or| not|) V\\d+)*";
  line.take(
    `(?:(not|no) )?(?:(${COLUMN}) )?(?:(not|no) ` +
      `)?(?:(?:from|to|with|by|in|for|at|on|both|either|=) )?(${cells})(?: (X\\d+))?`,
    ([, before = "", column = "", after = "", said = "", behind = ""]) => {
      const isNot = before !== "" || after !== "";
      const namesOf = (mark: string) => (mark ? line.columns(mark).map(({ name }) => name) : []);
      const marks = findWords(said, "V\\d+");
      const own = new Set(marks.flatMap((mark) => Object.keys(line.cells(mark))));
      const isNamed = (mark: string) => namesOf(mark).some((name) => own.has(name));
      const filters = new Map<string, Filter>();
      for (const mark of marks) {
        const all = Object.keys(line.cells(mark));
        const narrowed = [namesOf(column), namesOf(behind), [...filters.keys()]]
          .map((names) => all.filter((name) => names.includes(name)))
          .find(({ length }) => length > 0);
        const [name = "", other] = narrowed ?? all;
        if (other !== undefined)
          line.problems.push(`${quote(line.said(mark))}, which stands in ${name} and ${other}`);
        const values = filters.get(name)?.values ?? [];
        const op = isNot ? "not in" : "in";
        filters.set(name, {
          column: name,
          period: null,
          op,
          values: [...values, line.cells(mark)[name] ?? ""],
        });
      }
      const isMixed = filters.size > 1 && (isNot || / (?:and|or|not) /.test(said));
      if ((before && after) || isMixed || (!isNot && said.includes(" not ")))
        line.problems.push("a condition on two columns at once");
      for (const one of filters.values()) {
        line.query.filters.push(one);
        if (!isNot && one.values.length > 1 && !said.includes(" or "))
          line.query.groups.push({ column: one.column, period: null });
      }
      const kept = [column, behind].map((mark) => (mark && !isNamed(mark) ? mark : ""));
      return kept.filter(Boolean).join(" ");
    },
  );
}

type Bound = [op: string, number: string];

function compareWith(line: QuestionLine, mark: string, bounds: readonly Bound[]): string {
  // By the patterns, one of them.
  for (const column of line.numbers(mark))
    for (const [op, number] of bounds)
      filter(line, column, op === "=" ? "in" : (op as FilterOp), [line.number(number, column)]);
  return "";
}

function readNumbers(line: QuestionLine): void {
  const compare = (mark: string, ...bounds: Bound[]) => compareWith(line, mark, bounds);
  line.take(`(mean |sum |median |max |min )(C\\d+) (?:${COMPARE}|between|from) ${NUMBER}`, () => {
    line.problems.push("a condition on a figure of several rows");
    return null;
  });
  line.take(
    `(C\\d+) (?:between|from) (${NUMBER}) (?:and|to) (${NUMBER})`,
    ([, mark = "", low = "", high = ""]) => compare(mark, [">=", low], ["<=", high]),
  );
  line.take(`(C\\d+) (?:by )?(${COMPARE}) (${NUMBER})`, ([, mark = "", op = "", number = ""]) =>
    compare(mark, [op, number]),
  );
  line.take(`(${COMPARE}) (${NUMBER}) (C\\d+)`, ([, op = "", number = "", mark = ""]) =>
    compare(mark, [op, number]),
  );
  line.take(`(${COMPARE}) (${NUMBER})`, ([, op = "", number = ""]) => {
    const column = line.columnOf(number);
    if (column === null) return null;
    return filter(line, column, op === "=" ? "in" : (op as FilterOp), [
      line.number(number, column),
    ]); // as above
  });
}

const BOUNDS: { [word: string]: FilterOp } = {
  since: ">=",
  starting: ">=",
  after: ">",
  before: "<",
  until: "<=",
  till: "<=",
  through: "<=",
  "<=": "<=",
};

function readTimes(line: QuestionLine): void {
  const dated = (mark: string, op: FilterOp, marks: readonly string[]) => {
    const times = marks.map((one) => line.time(one));
    const [period = "year", other] = new Set(times.map((time) => time.period));
    if (other) line.problems.push("years, months and days beside each other");
    // No cell says which of two months of no year is the later one.
    if (period === "month of the year" && op !== "in") line.problems.push("months of which year");
    const field = line.dateField(mark, period);
    if (field === null) return null;
    line.query.filters.push({ ...field, op, values: times.map(({ value }) => value) });
    return field;
  };
  const lead = "(?:(T\\d+) )?";
  const done = (...fields: unknown[]) => (fields.includes(null) ? null : "");
  line.take(
    `${lead}(?:between|from) (${TIME}) (?:and|to|until|till|through) (${TIME})`,
    ([, mark = "", low = "", high = ""]) =>
      done(dated(mark, ">=", [low]), dated(mark, "<=", [high])),
  );
  line.take(
    `${lead}((?:from|starting) )?(${TIME}) (?:on|onwards?)`,
    ([, mark = "", from, time = ""], rest) =>
      from || rest === " " ? done(dated(mark, ">=", [time])) : null,
  );
  // It may be until it.
  line.take(`(?:by|to) ${TIME}`, () => {
    line.problems.push("a time that may be an end");
    return null;
  });
  line.take(
    `${lead}(${Object.keys(BOUNDS).join("|")}) (${TIME})`,
    ([, mark = "", word = "", time = ""]) => done(dated(mark, BOUNDS[word] ?? "in", [time])),
  );
  line.take(
    `(?:(not) )?${lead}(?:(?:in|during|on|from|for|at) )?(?:year )?(${TIME}(?:(?: and| or) ` +
      `${TIME})*)`,
    ([, not, mark = "", said = ""]) => {
      const marks = findWords(said, TIME);
      const field = dated(mark, not ? "not in" : "in", marks);
      if (field && !not && marks.length > 1 && !said.includes(" or "))
        line.query.groups.push(field);
      return done(field);
    },
  );
}

/** `price 20`: what stands beside each other, and is no time. */
function readEqual(line: QuestionLine): void {
  const equal = (mark: string, number: string) =>
    line.place(number)?.isOrdinal ? null : compareWith(line, mark, [["=", number]]);
  line.take("(C\\d+) (?:= )?(N\\d+)", ([, mark = "", number = ""]) => equal(mark, number));
}

/** Which one has the most: groups in order of a figure, or rows in order of a column. */
function readRankings(line: QuestionLine): void {
  const { query, table } = line;
  const commonest = (extreme: string, field: string) => {
    if (!line.group(field)) return "";
    line.measure("count", null);
    query.order = { measure: 0, descending: extreme === "commonest" };
    query.limit ??= 1;
    return "";
  };
  line.take(`(commonest|rarest) (${FIELD})`, ([, extreme = "", field = ""]) =>
    commonest(extreme, field),
  );
  line.take(`(${FIELD}) (commonest|rarest)`, ([, field = "", extreme = ""]) =>
    commonest(extreme, field),
  );
  const rows = (extreme: string, mark: string, shown: string) => {
    const [by, other] = line.numbers(mark);
    if (by === undefined || other !== undefined) return "";
    const columns = findWords(shown, COLUMN).flatMap((one) => line.column(one)?.name ?? []);
    line.asks = true;
    query.limit ??= 1;
    query.list = { by, descending: isDescending(extreme), columns: [...columns, by] };
    if (columns.length === 0) query.list.columns.unshift(...labelsOf(table));
    return "";
  };
  line.take(
    `([CTX]\\d+(?:(?: and)? [CTX]\\d+)*) (${EXTREME}) (C\\d+) R`,
    ([, shown = "", extreme = "", mark = ""]) => rows(extreme, mark, shown),
  );
  line.take(`R (?:with )?(${EXTREME}) (C\\d+)`, ([, extreme = "", mark = ""]) =>
    rows(extreme, mark, ""),
  );
  line.take(`(${EXTREME}) (C\\d+) R`, ([, extreme = "", mark = ""]) => rows(extreme, mark, ""));
  const rank = (extreme: string, target: string, op: string, what: string) => {
    const descending = isDescending(extreme);
    const column = /^[CTX]/.test(target) ? line.column(target) : null;
    const isUnique = column !== null && column.distinct >= table.rows - column.missing;
    if (what.startsWith("C") && op === "" && isUnique && query.groups.length === 0)
      return rows(extreme, what, target);
    if (!line.group(target)) return "";
    query.limit ??= 1;
    query.order = { measure: 0, descending };
    if (what.startsWith("X")) line.measure("distinct", line.column(what)?.name ?? null);
    else if (!what.startsWith("C")) line.measure("count", null);
    else {
      // It was not said how several rows of one group count together.
      query.isOne = op === "" && extreme !== "most" && extreme !== "least";
      for (const name of line.numbers(what)) line.measure(op ? opOf(op) : "sum", name);
    }
    return "";
  };
  const what = `(?:(${OP}) )?([CX]\\d+|(?:count )?R)`;
  line.take(
    `((?:which|what|who) )?(${FIELD}) (${EXTREME}) ${what}`,
    ([, asks, target = "", extreme = "", op = "", mark = ""]) =>
      // `the fee of most vessels` asks for no ranking of fees.
      asks || mark.startsWith("C") ? rank(extreme, target, op, mark) : null,
  );
  line.take(
    `(?:which|what|who) (${FIELD}) (?:(${OP}) )?(C\\d+) (${EXTREME})`,
    ([, target = "", op = "", mark = "", extreme = ""]) => rank(extreme, target, op, mark),
  );
  line.take(
    `(${EXTREME}) (${FIELD}) by ${what}`,
    ([, extreme = "", target = "", op = "", mark = ""]) =>
      // `the highest price by symbol` is a figure of each, and ranks no prices by their symbols.
      target.startsWith("C") && mark.startsWith("X") ? null : rank(extreme, target, op, mark),
  );
}

function readFigures(line: QuestionLine): void {
  line.take(`(${OP}) count`, ([, op = ""], rest) => (/^ C\d/.test(rest) ? op : null));
  line.take(`count (distinct )?([CTX]\\d+|R)`, ([, distinct, mark = ""]) => {
    if (mark === "R") {
      if (distinct) return null;
      line.measure("count", null);
      return "";
    }
    const column = line.column(mark);
    // `How many were seen` does not count the days of `seen_on`.
    if (column?.kind === "date" && !distinct) return null;
    if (column)
      line.measure(column.kind === "number" && !distinct ? "sum" : "distinct", column.name);
    return "";
  });
  const each = (ops: string, marks: string) => {
    const wanted = findWords(ops, OP).map(opOf);
    // `the highest total` is no figure of these rows, but one of the groups' totals.
    const isNested = wanted.length > 1 && (!ops.includes(" and ") || wanted.includes("range"));
    if (isNested)
      line.problems.push(
        `${quote(
          findWords(ops, OP)
            .map((op) => line.said(op))
            .join(" "),
        )}, a figure of figures`,
      );
    for (const mark of findWords(marks, "[CT]\\d+")) {
      const isDate = mark.startsWith("T") && wanted.every((op) => op === "min" || op === "max");
      const column = isDate ? line.column(mark) : null;
      const names = isDate ? (column ? [column.name] : []) : line.numbers(mark);
      for (const name of names) for (const op of wanted) line.measure(op, name);
      // A sum of prices of one unit each is seldom what `total price` means.
      const isUnitPrice = names.some((name) =>
        nameWords(name).some((word) => /^(?:unit|per)$/.test(word)),
      );
      if (wanted.includes("sum") && isUnitPrice && !/\b(?:unit|per)\b/.test(line.said(mark)))
        line.problems.push(`the total of ${quote(line.said(mark))}, which is one of each unit`);
    }
    return "";
  };
  const ops = `${OP}(?:(?: and|) ${OP})*`;
  const marks = "[CT]\\d+(?:(?: and|) [CT]\\d+)*";
  line.take(`(${ops}) (?:by )?(${marks})`, ([, said = "", columns = ""]) => each(said, columns));
  line.take(`(C\\d+)((?: by ${FIELD})*) altogether`, ([, mark = "", rest = ""]) => {
    each("sum", mark);
    return rest.trim();
  });
  if (line.query.measures.some(({ op }) => op === "sum" || op === "count"))
    line.take("altogether", () => "");
}

function readGroups(line: QuestionLine): void {
  line.take(`by (${FIELD}(?:(?: and)?(?: by)? ${FIELD})*)`, ([, fields = ""]) => {
    for (const field of findWords(fields, FIELD)) {
      line.group(field);
      // `fee per parcel` beside a column `parcels` of numbers: one of what it counts.
      const isOneOfMany = line.columns(field).some(({ kind, name }) => {
        const said = line.said(field);
        return (
          kind === "number" && nameWords(name).some((word) => word !== said && stem(word) === said)
        );
      });
      if (isOneOfMany)
        line.problems.push(`${quote(`per ${line.said(field)}`)}, which divides by their number`);
    }
    return "";
  });
  line.take("distinct ([CTX]\\d+)", ([, mark = ""]) => {
    if (line.group(mark)) line.measure("count", null);
    return "";
  });
  // `animals per sighting` is a quotient, and no total.
  line.take("by R", () => {
    line.problems.push("what to work out for each row");
    return "";
  });
}

/**
 * What says no more than what was understood: the column that names the rows, a verb that each row
 * has a date of, a column that is in the query.
 */
function readAgain(line: QuestionLine): void {
  const { query, table } = line;
  if (query.measures.length + (query.list ? 1 : 0) === 0) return;
  const used = [...query.measures, ...query.filters, ...query.groups].map(({ column }) => column);
  line.take(`((?:in|by|on) )?(${COLUMN})`, ([, lead, mark = ""]) => {
    const [column, other] = line.columns(mark);
    if (column === undefined || other !== undefined || column.missing > 0) return null;
    const isRowName = column.kind === "text" && column.distinct === table.rows;
    const isVerb = column.kind === "date" && /(?:ed|en|wn)$/.test(line.said(mark));
    const isAgain = lead !== "" && used.includes(column.name);
    return isAgain || (isRowName && query.groups.length === 0) || isVerb ? "" : null;
  });
}

/** Columns without a word for the figure: rows are shown, or each figure of the groups. */
function readColumns(line: QuestionLine): void {
  const { query, table } = line;
  if (query.measures.length > 0) return;
  const wantsRows = / (?:list|show|which|find|what|who|give) /.test(line.text);
  const isGrouped = query.groups.length > 0;
  const columns: string[] = [];
  line.take(`(${COLUMN})`, ([, mark = ""]) => {
    if (isGrouped) columns.push(...line.numbers(mark));
    else columns.push(...[line.column(mark)?.name ?? []].flat());
    return "";
  });
  if (isGrouped) {
    // `yield per tree` is a quotient, and no figure of each number of trees.
    const isQuotient = query.groups.some(({ column }) =>
      table.columns.some(({ name, kind }) => name === column && kind === "number"),
    );
    if (columns.length > 0 && isQuotient) line.problems.push("what to work out for each number");
    for (const column of columns)
      for (const op of ["sum", "mean", "min", "max"] as const) line.measure(op, column);
    return;
  }
  if (query.list !== null) {
    query.list.columns.unshift(...columns);
    return;
  }
  const isAsked =
    columns.length > 0
      ? wantsRows || query.filters.length > 0
      : wantsRows && query.filters.length > 0;
  if (!isAsked) {
    for (const column of columns) line.problems.push(`what of ${quote(column)}`);
    return;
  }
  line.asks = true;
  const labels = columns.length > 0 && query.filters.length === 0 ? [] : labelsOf(table);
  query.list = {
    by: null,
    descending: false,
    columns: [...labels, ...query.filters.map(({ column }) => column), ...columns],
  };
}

/** `highest first`, and the row that a lowest or a highest value stands in. */
function readOrder(line: QuestionLine): void {
  const { query, table } = line;
  const [only, second] = query.measures;
  const isAlone = only !== undefined && second === undefined;
  line.take("(max|min)first", ([, extreme]) => {
    if (isAlone && query.groups.length > 0 && query.limit === null)
      query.order = { measure: 0, descending: extreme === "max" };
    else line.problems.push("an order of what");
    return "";
  });
  if (isAlone && query.groups.length === 0 && only.column && /^(?:min|max)$/.test(only.op)) {
    query.list = {
      by: only.column,
      descending: only.op === "max",
      columns: [...labelsOf(table), only.column],
    };
    query.limit ??= 1;
    // The second highest is not the highest: its row says it.
    if (query.skip > 0) query.measures = [];
  }
  if (query.list) query.list.columns = [...new Set(query.list.columns)].slice(0, LIST_MAX_COLUMNS);
}

const PERSON = /^(?:name|person|member|employee|player|student|author|monarch)$/;

/** What makes a question whole; each that is missing is a problem. */
function check(line: QuestionLine): void {
  const { query, table, problems } = line;
  const { measures, groups, filters, list, limit, order } = query;
  const isPeople = table.columns.some(
    ({ name, distinct }) =>
      distinct === table.rows && nameWords(name).some((word) => PERSON.test(word)),
  );
  if (/ who /.test(line.text) && groups.length === 0 && !isPeople)
    problems.push("“who”, as no row is one person");
  const chosen = filters
    .filter(({ op }) => op === "in")
    .map(({ column, period }) => `${column} ${period}`);
  if (new Set(chosen).size < chosen.length) problems.push("two values of one column at once");
  const isShare = measures.some(({ op }) => op === "share");
  if (isShare && (measures.length > 1 || filters.length !== 1 || groups.length > 0))
    problems.push("a share of what");
  if (limit !== null && list === null && order === null) problems.push("how many of what");
  if (list !== null && groups.length > 0) problems.push("rows of groups");
  const isOfRow = measures.every(
    ({ op, column }) => column === list?.by && /^(?:min|max)$/.test(op),
  );
  if (list !== null && !isOfRow) problems.push("a figure of some rows");
  if (table.rows === 0) problems.push("a table without rows");
}

const LABELS_MAX = 3;

/** Columns that tell a row from others. */
function labelsOf({ columns }: TableProfile): string[] {
  const labels = columns
    .filter(({ kind }) => kind === "text" || kind === "date")
    .sort((a, b) => b.distinct - a.distinct)
    .slice(0, LABELS_MAX);
  return columns.filter((column) => labels.includes(column)).map(({ name }) => name);
}
