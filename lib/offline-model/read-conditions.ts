import "server-only";
import { ordinalOf, quote } from "./language";
import { COL, FILL, NUM, type QuestionLine } from "./question-line";
import { type Filter, type FilterOp, flagOf, type Period, type TableColumn } from "./table-query";
import { findWords, isWords } from "./word-pattern";

const NOT =
  "(?:(?:is |are |was |were |did |does |do |had |has |have )?not(?: (?:come|come from|been|in|from|by|with|on|at|for|of|a|an|the))*|except for|except|excluding|without|other than|neither|nor)";
const DAY = "(?:M\\d+ Y\\d+|Y\\d+|D\\d+|Q\\d+)";
const AGGREGATE = "(?:average|mean|total|sum|median|maximum|minimum|highest|lowest|max|min)";
const COMPARISONS: [words: string, op: FilterOp][] = [
  ["(?:more|greater) than or equal to|at least|no less than|no fewer than|not less than|>=", ">="],
  ["less than or equal to|at most|no more than|not more than|not over|not above|up to|<=", "<="],
  ["(?:more|greater|higher|larger|bigger) than|over|above|exceeding|exceeds|>", ">"],
  ["(?:less|fewer|lower|smaller) than|under|below|<", "<"],
  ["exactly|equal to|equals|=", "in"],
];
const COMPARE = `(?:${COMPARISONS.map(([words]) => words).join("|")})`;
const OR_MORE: { [word: string]: FilterOp } = {
  more: ">=",
  higher: ">=",
  above: ">=",
  less: "<=",
  fewer: "<=",
  lower: "<=",
  below: "<=",
};

/** Takes the conditions out of a question: cells, gaps, flags, comparisons, times. */
export function readConditions(line: QuestionLine): void {
  readGaps(line);
  readCells(line);
  if (line.query.groups.length > 0) line.take("compare", () => "·");
  readFlags(line);
  readComparisons(line);
  readTimes(line);
  line.take(`(N\\d+) (?:of )?(C\\d+)`, ([, number = "", column = ""]) =>
    equals(line, column, number),
  );
  line.take(`(C\\d+) (?:is |are |of |was |= )*(${NUM})`, ([, column = "", number = ""]) =>
    equals(line, column, number),
  );
}

/**
 * `without a photo`: the cells that say no, where the column says yes and no; else those that say
 * nothing. Where it may be either, it is a problem.
 */
function withoutIt(line: QuestionLine, column: TableColumn, isThere: boolean): string {
  const flag = flagOf(column);
  const add = (op: FilterOp, value: string | number | boolean | null) =>
    line.query.filters.push({ column: column.name, period: null, op, values: [value] });
  const mayBeZero = column.kind === "number" && Number(column.min) <= 0 && Number(column.max) >= 0;
  const isUnclear = flag
    ? column.missing > 0 && !isThere
    : (mayBeZero && column.missing > 0) || column.has_none;
  if (isUnclear)
    line.problems.push(
      `${quote(column.name)}, where a gap may mean another thing than ${flag ? quote(String(flag.no)) : mayBeZero ? "0" : quote("none")}`,
    );
  else if (flag) add("in", isThere ? flag.yes : flag.no);
  else if (mayBeZero) add(isThere ? "not in" : "in", 0);
  else add(isThere ? "not in" : "in", null);
  return "·";
}

function readGaps(line: QuestionLine): void {
  const only = (mark: string, isThere: boolean) => {
    const [column, other] = line.columns(mark);
    return column === undefined || other !== undefined ? null : withoutIt(line, column, isThere);
  };
  line.take(
    `(?:(?:do|does|did) not have (?:an? |any )?|(?:(?:have|has|had|having|with) )?no |(?:with|has|have|had) (?:an? )?missing |without (?:an? |any )?|(?:is |are )?missing (?:an? )?)(${COL})(?: (?:value|entry|recorded|given))?`,
    ([, mark = ""], rest) => (rest.startsWith(" V") ? null : only(mark, false)),
  );
  line.take(`(${COL}) (?:is |are |was |were )?(?:missing|empty|blank|null)`, ([, mark = ""]) =>
    only(mark, false),
  );
  line.take(`(?:with|have|has|had|having) (?:an? |any )(${COL})`, ([, mark = ""], rest) =>
    /^ (?:R|·)|^(?: are there)? $/.test(rest) ? only(mark, true) : null,
  );
}

/** Adjectives and nouns that are flags of the rows: `late`, `not resolved`, `with a photo`. */
function readFlags(line: QuestionLine): void {
  const flag = (mark: string, isThere: boolean) => {
    const [column] = line.columns(mark);
    return column ? withoutIt(line, column, isThere) : null;
  };
  line.take(`(?:${NOT}|never|no|not yet) (F\\d+)`, ([, mark = ""]) => flag(mark, false));
  line.take(
    "((?:per|by|each|every|and|or|column|different|distinct|common|often|which|what) )?(?:the )?(F\\d+)",
    ([, before = "", mark = ""], rest) =>
      /^(?:and )?$/.test(before) && !/^ (?:V|most|least)/.test(rest) ? flag(mark, true) : null,
  );
}

/** Several cells of one column with `and` between them are shown apart. */
function readCells(line: QuestionLine): void {
  const list = "V\\d+(?:(?: and| or| nor| versus| vs|) (?:(?:of|for|in) )?(?:the )?V\\d+)*";
  line.take(
    `(compare )?(?:(${NOT}) )?(?:(${COL}) (?:is |are |was |= )?)?(?:(${NOT}) )?(?:the |either |both )?(${list})(?: (X\\d+))?`,
    (found) => {
      const [, compare = "", before = "", column = "", after = "", said = "", behind = ""] = found;
      const isNot = before !== "" || after !== "";
      const named = [column, behind].flatMap((mark) =>
        mark ? line.columns(mark).map(({ name }) => name) : [],
      );
      const own = new Set(
        (said.match(/V\d+/g) ?? []).flatMap((mark) => Object.keys(line.cells(mark))),
      );
      // `female Sex` names the column behind the cell; `Kiel items` speaks of another one.
      const rest =
        behind && !line.columns(behind).some(({ name }) => own.has(name)) ? ` ${behind}` : "";
      const filters = new Map<string, Filter>();
      let isNamed = false;
      for (const mark of said.match(/V\d+/g) ?? []) {
        const cells = line.cells(mark);
        const all = Object.keys(cells);
        const narrowed =
          [named, [...filters.keys()]]
            .map((names) => all.filter((name) => names.includes(name)))
            .find(({ length }) => length > 0) ?? all;
        const [name = "", other] = narrowed;
        if (other !== undefined)
          line.problems.push(
            `${quote(line.said(mark))}, which stands in the columns ${narrowed.join(" and ")}`,
          );
        isNamed ||= named.includes(name);
        const filter = filters.get(name) ?? {
          column: name,
          period: null,
          op: isNot ? "not in" : "in",
          values: [],
        };
        filters.set(name, { ...filter, values: [...filter.values, cells[name] ?? ""] });
      }
      if ((before && after) || (filters.size > 1 && (isNot || / (?:or|nor) /.test(said))))
        line.problems.push("a condition on two columns at once");
      for (const filter of filters.values()) {
        line.query.filters.push(filter);
        if (!isNot && filter.values.length > 1 && !/ or /.test(said))
          line.query.groups.push({ column: filter.column, period: null });
        else if (compare) line.problems.push("a comparison of one");
      }
      return `${column && !isNamed ? `${column} ` : ""}·${rest}`;
    },
  );
}

function readComparisons(line: QuestionLine): void {
  const compare = (mark: string, bounds: [FilterOp, string][], aggregate = "") => {
    if (aggregate) line.problems.push("a condition on a figure of several rows");
    const column = line.numeric(mark);
    if (column === null) return "·";
    for (const [op, number] of bounds)
      line.query.filters.push({ column, period: null, op, values: [line.number(number, column)] });
    return "·";
  };
  const opOf = (words: string) =>
    COMPARISONS.find(([pattern]) => isWords(words, pattern))?.[1] ?? "in";
  line.take(
    `(${AGGREGATE} )?(C\\d+) ${FILL}(?:between|from) (${NUM}) (?:and|to) (${NUM})`,
    ([, aggregate, mark = "", low = "", high = ""]) =>
      compare(
        mark,
        [
          [">=", low],
          ["<=", high],
        ],
        aggregate,
      ),
  );
  line.take(`between (${NUM}) and (${NUM}) (C\\d+)`, ([, low = "", high = "", mark = ""]) =>
    compare(mark, [
      [">=", low],
      ["<=", high],
    ]),
  );
  line.take(
    `(${AGGREGATE} )?(C\\d+) ${FILL}(${COMPARE}) ${FILL}(${NUM})(?: %)?`,
    ([, aggregate, mark = "", words = "", number = ""]) =>
      compare(mark, [[opOf(words), number]], aggregate),
  );
  line.take(`(${COMPARE}) (${NUM}) (?:of )?(C\\d+)`, ([, words = "", number = "", mark = ""]) =>
    compare(mark, [[opOf(words), number]]),
  );
  line.take(`(${COMPARE}) (${NUM})`, ([, words = "", number = ""]) => {
    const column = line.columnOf(number);
    if (column !== null)
      line.query.filters.push({
        column,
        period: null,
        op: opOf(words),
        values: [line.number(number, column)],
      });
    return column === null ? null : "·";
  });
  line.take(
    `(${NUM}) (?:or|and) (${Object.keys(OR_MORE).join("|")}) (C\\d+)`,
    ([, number = "", word = "", mark = ""]) => compare(mark, [[OR_MORE[word] ?? "in", number]]),
  );
  line.take(
    `(C\\d+) ${FILL}(${NUM}) (?:or|and) (${Object.keys(OR_MORE).join("|")})`,
    ([, mark = "", number = "", word = ""]) => compare(mark, [[OR_MORE[word] ?? "in", number]]),
  );
}

function equals(line: QuestionLine, mark: string, number: string): string | null {
  // `the second price` is no condition.
  const column =
    line.isEveryNumber(mark) || ordinalOf(line.said(number)) !== null ? null : line.numeric(mark);
  if (column !== null)
    line.query.filters.push({
      column,
      period: null,
      op: "in",
      values: [line.number(number, column)],
    });
  return column === null ? null : "·";
}

const CHANGE =
  "fall|falls|fell|drop|dropped|decrease|decreased|decline|declined|shrink|rise|rose|grow|grew|increase|increased|change|changed|go up|go down";
const DIFFERENCE_OPS = "(?:(total|average) )?";

/** `By how much did it fall from 2021 to 2022`: both figures and what lies between them. */
function readDifferences(line: QuestionLine): void {
  const set = (from: string, to: string, op: string, mark: string) => {
    const [low, high] = [from, to].map((day) => day.replace(/\d+/g, ""));
    const period = low === "Y" ? "year" : low === "M Y" ? "month" : low === "Q" ? "quarter" : "day";
    const field = low === high ? line.dateField("", period) : null;
    if (field === null) return null;
    const values: [string | number, string | number] = [dayOf(line, from), dayOf(line, to)];
    line.query.filters.push({ ...field, op: "in", values });
    line.query.groups.push(field);
    line.query.difference = values;
    line.query.isOne = op === "";
    const column = line.numeric(mark);
    if (column !== null) line.measure(op === "average" ? "mean" : "sum", column);
    return "·";
  };
  line.take(
    `(?:by )?(?:how much|what) ${FILL}${DIFFERENCE_OPS}(C\\d+) ${FILL}(?:${CHANGE}) (?:by )?(?:from|between) (${DAY}) (?:to|and) (${DAY})`,
    ([, op = "", mark = "", from = "", to = ""]) => set(from, to, op, mark),
  );
  line.take(
    `difference (?:in|of|between) ${FILL}${DIFFERENCE_OPS}(C\\d+) ${FILL}(?:between|from) (${DAY}) (?:and|to) (${DAY})`,
    ([, op = "", mark = "", from = "", to = ""]) => set(from, to, op, mark),
  );
}

function readTimes(line: QuestionLine): void {
  readDifferences(line);
  const lead = `(?:(T\\d+) ${FILL})?`;
  const add = (
    mark: string,
    period: Period,
    op: FilterOp,
    values: (string | number)[],
    isApart = false,
  ) => {
    const field = line.dateField(mark, period);
    if (field === null) return null;
    line.query.filters.push({ ...field, op, values });
    if (isApart && values.length > 1) line.query.groups.push(field);
    return "·";
  };
  const dated = (mark: string, op: FilterOp, said: string, isApart = false) => {
    const days = findWords(said, DAY);
    const kinds = [...new Set(days.map((day) => day.replace(/\d+/g, "")))];
    if (kinds.length > 1) line.problems.push("years, months and days beside each other");
    const period =
      kinds[0] === "D"
        ? "day"
        : kinds[0] === "M Y"
          ? "month"
          : kinds[0] === "Q"
            ? "quarter"
            : "year";
    return add(
      mark,
      period,
      op,
      days.map((day) => dayOf(line, day)),
      isApart,
    );
  };
  line.take(
    `${lead}(?:between|from) (${DAY}) (?:and|to|until|till|through) (${DAY})`,
    ([, mark = "", low = "", high = ""]) => dated(mark, ">=", low) && dated(mark, "<=", high),
  );
  line.take("from M\\d+ (?:on|onwards?|to|until|till|through)", (_, rest) => {
    if (rest.startsWith(" Y")) return null;
    line.problems.push("months of which year");
    return "·";
  });
  line.take(
    `over (?:all )?(?:the )?(?:(N\\d+) )?(years|months|days)(?: ·)?`,
    ([, number = "", said = ""]) => {
      const field = line.dateField("", said.slice(0, -1) as Period); // the pattern lets no other word through
      const column = line.table.columns.find(({ name }) => name === field?.column);
      // `over the three years` is all rows only where there are three.
      return column &&
        field?.period === null &&
        (number === "" || line.number(number) === column.distinct)
        ? "·"
        : null;
    },
  );
  line.take(`${lead}(?:from|starting) (${DAY}) (?:on|onwards?)`, ([, mark = "", day = ""]) =>
    dated(mark, ">=", day),
  );
  line.take(
    `${lead}(since|starting|after|before|until|till|through|up to) (${DAY})`,
    ([, mark = "", word = "", day = ""]) =>
      dated(
        mark,
        word === "after"
          ? ">"
          : word === "before"
            ? "<"
            : /^(?:since|starting)$/.test(word)
              ? ">="
              : "<=",
        day,
      ),
  );
  line.take(
    `(compare )?(?:(${NOT}) )?${lead}(?:(?:in|during|on|of|for|from) )?(?:the )?(?:years? )?(${DAY}(?:(?: and| or| versus| vs) ${DAY})*)`,
    ([, , not, mark = "", days = ""]) =>
      dated(mark, not ? "not in" : "in", days, !not && !/ or /.test(days)),
  );
  line.take("(?:(?:in|during|of|for|from) )?(M\\d+(?:(?: and| or) M\\d+)*)", ([, months = ""]) =>
    add(
      "",
      "month of the year",
      "in",
      months.match(/M\d+/g)?.map((mark) => line.monthOf(mark)) ?? [],
      / and /.test(months),
    ),
  );
}

/** A year as a number, a month as `2024-03`, a day as it was said. */
function dayOf(line: QuestionLine, said: string): string | number {
  const [first = "", year] = said.split(" ");
  if (year !== undefined) return `${line.said(year)}-${line.monthOf(first).slice(0, 2)}`;
  return first.startsWith("Y") ? line.number(first) : line.said(first).toUpperCase();
}
