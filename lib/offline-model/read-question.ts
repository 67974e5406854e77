import "server-only";
import { nameWords, quote, stem } from "./language";
import { isMoney, unitOf, unitOfColumn } from "./plain-wording";
import { COL, FILL, QuestionLine } from "./question-line";
import { readConditions } from "./read-conditions";
import {
  FIELD,
  group,
  LIST_MAX_COLUMNS,
  LOW,
  labelsOf,
  OP,
  OPS,
  opOf,
  ROWS,
  readOrder,
  readRankings,
  TOP,
} from "./read-rankings";
import type { TableProfile, TableQuery } from "./table-query";
import { findWords, isWords } from "./word-pattern";

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

const EVERY: { [adverb: string]: string } = {
  yearly: "year",
  annual: "year",
  monthly: "month",
  quarterly: "quarter",
  daily: "day",
};

const PERSON = /^(?:name|person|member|employee|player|student|author|monarch)$/;

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
  return {
    query,
    unread: line.unread(),
    asks,
    isOpen: query.groups.length > 0 && query.measures.length === 0,
  };
}

/** A question that leans on the one before it: what it does not say is as it was there. */
export function continueQuestion(before: Question, now: Question): Question {
  const words = now.unread.map((word) => word.replace(/[“”]/g, ""));
  const ops = words.flatMap((word) =>
    OPS.filter(([pattern]) => isWords(word, pattern)).map(([, op]) => op),
  );
  if (ops.length < words.length || before.unread.length > 0) return now;
  const again = before.query.measures.flatMap(({ column }) => ops.map((op) => ({ op, column })));
  const measures =
    now.query.measures.length > 0
      ? now.query.measures
      : again.length > 0
        ? again
        : before.query.measures;
  const filtered = now.query.filters.map(({ column }) => column);
  const groups =
    now.query.groups.length > 0
      ? now.query.groups
      : before.query.groups.filter(({ column }) => !filtered.includes(column));
  const filters = [
    ...before.query.filters.filter(({ column }) => !filtered.includes(column)),
    ...now.query.filters,
  ];
  const list = groups.length > 0 ? null : before.query.list;
  const query = now.query.list
    ? { ...now.query, filters }
    : { ...before.query, filters, groups, measures, list };
  return { query, unread: [], asks: true, isOpen: groups.length > 0 && measures.length === 0 };
}

function readFigures(line: QuestionLine): void {
  line.take(`(${OP}) (?:number|amount|count) of`, ([, op = ""], rest) =>
    /^ (?:the )?C\d/.test(rest) ? op : null,
  );
  line.take(
    `(?:how many|total number of|number of|count of|count) (?:· )?${FILL}(?:(?:distinct|unique|different) )?${FILL}([CTX]\\d+|${ROWS})(?: are there)?`,
    ([said = "", mark = ""]) => {
      const column = /^[CTXF]\d/.test(mark) ? line.column(mark) : null;
      const isDistinct = /distinct|unique|different/.test(said);
      // `How many were seen` does not count the days of `seen_on`.
      if (column?.kind === "date" && !isDistinct && !/s$/.test(line.said(mark))) return null;
      if (column)
        line.measure(column.kind === "number" && !isDistinct ? "sum" : "distinct", column.name);
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
      line.isEveryNumber(mark)
        ? line.columns(mark).map(({ name }) => name)
        : (line.numeric(mark) ?? []),
    );
    const wanted = findWords(ops, OP).map(opOf);
    for (const name of names) for (const op of wanted) line.measure(op, name);
    // A sum of prices of one unit each is seldom what `total price` means.
    const isUnitPrice = (mark: string) =>
      line
        .columns(mark)
        .some(({ name }) => nameWords(name).some((word) => /^(?:unit|per)$/.test(word)));
    for (const mark of marks)
      if (wanted.includes("sum") && isUnitPrice(mark) && !/\b(?:unit|per)\b/.test(line.said(mark)))
        line.problems.push(`the total of ${quote(line.said(mark))}, which is one of each unit`);
    return "·";
  };
  const ops = `${OP}(?:(?: and| or|) (?:the )?${OP})*`;
  line.take(
    `(${ops}) ${FILL}(C\\d+(?:(?: and|) (?:the )?C\\d+)*)`,
    ([, words = "", columns = ""]) => each(words, columns),
  );
  line.take(`(C\\d+) ${FILL}(${ops})`, ([, columns = "", words = ""]) => each(words, columns));
  const dated = (word: string, column: string | undefined) => {
    const isFirst = /^N/.test(word) ? line.said(word) === "first" : LOW.test(word);
    if (!column || (/^N/.test(word) && !isFirst)) return null;
    line.measure(isFirst ? "min" : "max", column);
    return "·";
  };
  line.take(`(${TOP}|N\\d+|last) ${FILL}(T\\d+)`, ([, word = "", mark = ""]) =>
    dated(word, line.column(mark)?.name),
  );
  line.take(`for the (N\\d+|last|latest) time`, ([, word = ""]) =>
    dated(word.replace("latest", "last"), line.dateField("", "day")?.column),
  );
  const isDated = line.query.measures.some(({ column }) =>
    line.table.columns.some(({ name, kind }) => name === column && kind === "date"),
  );
  if (isDated) line.take("(?:which|what) (?:day|date)", () => "·");
}

/** `fee per parcel` beside a column `parcels` of numbers: one of what it counts, not its values. */
function isOneOfMany(line: QuestionLine, mark: string): boolean {
  const said = line.said(mark);
  return line
    .columns(mark)
    .some(
      ({ kind, name }) =>
        kind === "number" &&
        nameWords(name).some((word) => word !== said && word.endsWith("s") && stem(word) === said),
    );
}

function readGroups(line: QuestionLine): void {
  const by =
    "(?:for each|for every|in each|of each|on each|grouped by|group by|broken down by|split by|per|by|each|every|across)";
  line.take(
    `${by} (?:the )?(${FIELD}(?:(?: and)?(?: per| by)?(?: the)? ${FIELD})*)`,
    ([, fields = ""]) => {
      for (const field of findWords(fields, FIELD)) {
        group(line, field);
        if (isOneOfMany(line, field))
          line.problems.push(`${quote(`per ${line.said(field)}`)}, which divides by their number`);
      }
      return "·";
    },
  );
  line.take(`(${Object.keys(EVERY).join("|")})`, ([, adverb = ""]) =>
    group(line, EVERY[adverb] ?? "") ? "·" : null,
  );
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

/**
 * What was named twice, or says no more than what was understood: `the dearest in price`, `the
 * halls on floor 2`.
 */
function readAgain(line: QuestionLine): void {
  const { query, table } = line;
  const used = new Set(
    [...query.measures, ...query.filters, ...query.groups].map(({ column }) => column),
  );
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
    const isVerb =
      column.kind === "date" && column.missing === 0 && /(?:ed|en|wn)$/.test(line.said(mark));
    return (used.has(column.name) && said !== mark) ||
      (isRowName && query.groups.length === 0) ||
      isVerb
      ? "·"
      : null;
  });
}

/** Columns without a word for the figure, and what makes a query whole. */
function readRest(line: QuestionLine): void {
  const { query, table } = line;
  readAgain(line);
  const isAlone = query.measures.length === 0;
  // Where a value is asked for, several rows do not answer.
  const isMuch =
    isAlone && query.filters.length > 0 && query.groups.length === 0 && query.list === null;
  if (isMuch)
    line.take("how (?:much|many)", (_, rest) => {
      if (!/ C\d/.test(rest)) return null;
      query.isOne = true;
      return "what";
    });
  const columns: string[] = [];
  const wantsRows = /(?:^| )(?:list|show|which|find|display|print|what|who|give|return)(?= )/.test(
    line.text,
  );
  if (isAlone) {
    line.take(`(${COL})`, ([, mark = ""]) => {
      const column =
        query.groups.length > 0 ? line.numeric(mark) : (line.column(mark)?.name ?? null);
      if (column !== null) columns.push(column);
      return "·";
    });
    if (columns.length > 0 || (wantsRows && query.filters.length > 0)) line.asks = true;
    // `yield per tree` is a quotient, and no figure of each number of trees.
    const isQuotient =
      columns.length > 0 &&
      query.groups.some(({ column }) =>
        table.columns.some(({ name, kind }) => name === column && kind === "number"),
      );
    if (isQuotient) line.problems.push("what to work out for each number");
    if (query.groups.length > 0)
      for (const column of columns)
        for (const op of ["sum", "mean", "min", "max"] as const) line.measure(op, column);
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
  const isPeople = table.columns.some(
    ({ name, distinct }) =>
      distinct === table.rows && nameWords(name).some((word) => PERSON.test(word)),
  );
  if (/(?:^| )who /.test(line.text) && only?.column && query.groups.length === 0 && !isPeople)
    line.problems.push("“who”, as no row is one person");
  if (line.first !== null && query.list !== null && query.list.by !== null)
    query.list.descending = line.first === "highest";
  else if (
    line.first !== null &&
    query.groups.length > 0 &&
    only &&
    !second &&
    query.limit === null
  )
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
    query.list = {
      by: only.column,
      descending: only.op === "max",
      columns: [...new Set([...labelsOf(line), only.column])],
    };
    query.limit ??= 1;
    // The second highest is not the highest: its row says it.
    if (query.skip > 0) query.measures = [];
  }
  const chosen = query.filters
    .filter(({ op }) => op === "in")
    .map(({ column, period }) => `${column} ${period}`);
  if (new Set(chosen).size < chosen.length) line.problems.push("two values of one column at once");
  if (
    query.measures.some(({ op }) => op === "share") &&
    (query.measures.length > 1 || query.filters.length !== 1 || query.groups.length > 0)
  )
    line.problems.push("a share of what");
  if (query.limit !== null && query.list === null && query.order === null)
    line.problems.push("how many of what");
  const shown = [...query.measures.map(({ column }) => column), ...(query.list?.columns ?? [])];
  const isUnit = (name: string | null) =>
    name !== null &&
    (unitOfColumn(name) === line.unit ||
      (unitOf(line.unit ?? "") !== "%" && isMoney(name) && unitOfColumn(name) === null));
  if (
    line.unit === "%"
      ? !query.measures.some(({ op }) => op === "share") && !shown.some(isUnit)
      : line.unit !== null && !shown.some(isUnit)
  )
    line.problems.push(`a figure in ${quote(line.unit ?? "")}`);
  if (table.rows === 0) line.problems.push("a table without rows");
}

const CODE = /\b\p{Lu}{1,6}(?:-\d+|\d{2,})\b/u;

/**
 * `Who led WO5214, and how many hours were planned?`: what follows a thing that was named by its
 * code is asked of it. `clauses`: of the whole request, in their order.
 */
export function askedOfNamed(
  question: Question,
  clause: string,
  clauses: readonly string[],
  table: TableProfile,
): Question {
  const { query } = question;
  if (
    query.filters.length + query.groups.length > 0 ||
    /\b(?:all|every|each|overall|total|altogether)\b/i.test(clause)
  )
    return question;
  const last = clauses
    .slice(0, clauses.indexOf(clause))
    .reverse()
    .find((text) => CODE.test(text));
  const filters = (last ? readQuestion(last, table).query.filters : []).filter(
    ({ op, values: [value] }) => op === "in" && typeof value === "string" && CODE.test(value),
  );
  return { ...question, query: { ...query, filters } };
}
