import "server-only";
import { findMentions, type Mention, toWords } from "./find-mentions";
import { capital, isFunctionWord, nameWords, numberOf, ordinalOf, quote, stem } from "./language";
import {
  fitsWithout,
  isKey,
  isMoney,
  nounsOf,
  plainWording,
  unitOf,
  unitOfColumn,
  verbsOf,
  withColumns,
} from "./plain-wording";
import {
  emptyQuery,
  type Field,
  flagOf,
  type MeasureOp,
  type Period,
  type TableColumn,
  type TableProfile,
} from "./table-query";
import { replaceWords } from "./word-pattern";

/** Words that may stand between, and what was understood already. */
export const FILL =
  "(?:(?:the|of|a|an|is|are|was|were|be|been|for|in|on|at|all|each|every|our|my|we|you|their|its|to|value|values|column|columns|had|has|have|with|did|do|does|there|·) )*";
export const COL = "[CTXF]\\d+";
export const NUM = "[NY]\\d+";
const MONTHS =
  "january february march april may june july august september october november december".split(
    " ",
  );
const ROW_NOUNS = "row record entry line observation".split(" ");
const IGNORED =
  /^(?:·|R|and|or|by|per|each|every|all|any|both|made|come|comes|came|recorded|listed|counted|registered|a?cross|away)$/;
/** What asks for the future or for advice is in no table. */
const MODAL = /^(?:will|shall|would|should|could|might|may)$/;

/**
 * Takes what it has understood out of the line: answers what stands in its place, null to leave it
 * as it is. `rest`: the line behind it, from a space on.
 */
type Rule = (found: readonly string[], rest: string) => string | null;

/**
 * A clause in marks: C, T and X for columns of numbers, dates and texts, V for cells, N, Y, M and D
 * for numbers, years, months and days, R for the rows, and all other words as they are. Each rule
 * takes out of the line what it has understood; what is left at the end was not understood.
 */
export class QuestionLine {
  readonly query = emptyQuery();
  /** What may mean two things, or cannot be computed. */
  readonly problems: string[] = [];
  asks = false;
  /** `highest first`: an order of what is worked out. */
  first: "highest" | "lowest" | null = null;
  readonly #mentions: Mention[];
  readonly #words: string[];
  readonly #units = new Map<number, string>();
  /** `in euros`: the unit that the answer is to have. */
  unit: string | null = null;
  text: string;

  constructor(
    clause: string,
    readonly table: TableProfile,
  ) {
    const bare = clause.replaceAll(table.path, " ").replace(/[\w./-]+/g, withoutFileName);
    this.#words = this.#withoutUnits(withColumns(toWords(plainWording(bare, table)), table));
    this.#mentions = findMentions(this.#words, table);
    const text = ` ${this.#marks().join(" ")} `.replace(
      /^ (?:(?:and|what about|how about|but|also|only|so) )+/,
      " ",
    );
    this.text = this.#withoutVerbs(text).replace(/ {2,}/g, " ");
  }

  /** Takes `kg` out of `40 kg` and of `in kg`, where a column holds kilograms. */
  #withoutUnits(words: readonly string[]): string[] {
    const kept: string[] = [];
    const numbers = this.table.columns.filter(({ kind }) => kind === "number");
    for (const [at, word] of words.entries()) {
      const unit = unitOf(word);
      const last = kept.at(-1) ?? "";
      const isHeld =
        unit === "%" ||
        numbers.some(
          ({ name }) => unit !== null && (unitOfColumn(name) === unit || fitsWithout(unit, name)),
        );
      if (unit && isHeld && numberOf(last) !== null && !/^\d{4}-/.test(last))
        this.#units.set(kept.length - 1, unit);
      else if (
        unit &&
        isHeld &&
        last === "in" &&
        word.length > 1 &&
        numberOf(words[at + 1] ?? "") === null
      ) {
        this.unit = unit;
        kept.pop();
      } else kept.push(word);
    }
    return kept;
  }

  #withoutVerbs(text: string): string {
    const isFigure = / C\d+ /.test(text) || this.#units.size > 0;
    const verbs = [...verbsOf(this.table, isFigure), "still|currently|already|please"].join("|");
    const total =
      "(?:in total|altogether|all together|overall|in all|taken together|put together|together|combined)";
    const without = (line: string, words: string) => replaceWords(line, words, () => "");
    const asksTotal = / (?:how (?:many|much)|totals?|sum|number of|count) /.test(
      without(text, total),
    );
    const plain = without(this.#withMoney(text), verbs);
    if (asksTotal || / total C\d/.test(plain)) return without(plain, total);
    // `the hours of Jonas put together` are their total.
    return replaceWords(plain, `(C\\d+ .*) ${total}`, ([, figure]) => `total ${figure}`);
  }

  /**
   * `what we spent on parts` is the total of the parts' cost, and `what did the roof cost` is the
   * cost, where one column holds money.
   */
  #withMoney(text: string): string {
    const asked = / (?:what|how much) /.exec(text)?.index ?? text.length;
    const verb =
      text
        .slice(asked)
        .split(" ")
        .find((word) => SPENDING.has(word)) ?? "";
    const marks = [...new Set(text.split(" ").filter((word) => /^C\d+$/.test(word)))];
    const money = this.table.columns.filter(({ kind, name }) => kind === "number" && isMoney(name));
    const isTotal = verb.startsWith("spen") || verb.startsWith("pa");
    const [mark] = marks;
    if (verb === "" || marks.length > 1 || money.length === 0) return text;
    let isFirst = true;
    const bare = replaceWords(text, `${verb}(?: on| for)?`, () => {
      const put = isFirst ? "" : null;
      isFirst = false;
      return put;
    }).replace(/ how much /, " what ");
    if (mark && this.columns(mark).length === 1 && isMoney(this.columns(mark)[0]?.name ?? ""))
      return isTotal ? bare.replace(mark, `total ${mark}`) : text;
    if (mark || money.length > 1) return text;
    return bare.replace(/ what /, ` what ${isTotal ? "total " : ""}C${this.#mention(money)} `);
  }

  /** A mention of columns that was not said word for word. */
  #mention(columns: TableColumn[], from = -1, to = -1): number {
    return this.#mentions.push({ from, to, columns, value: null, isExact: true }) - 1;
  }

  #marks(): string[] {
    const file = (this.table.path.split("/").pop() ?? "").replace(/\.\w+$/, "");
    const nouns = new Set([
      ...ROW_NOUNS,
      ...nameWords(file).map(stem),
      ...this.table.columns.flatMap((column) => nounsOf(column, this.table)),
    ]);
    const marks: string[] = [];
    for (let place = 0; place < this.#words.length; place += 1) {
      const word = this.#words[place] ?? "";
      const index = this.#mentions.findIndex(({ from }) => from === place);
      const mention = this.#mentions[index];
      const isNoun =
        mention &&
        !mention.value &&
        mention.to - mention.from === 1 &&
        nouns.has(stem(word)) &&
        mention.columns.every((column) => isKey(column, this.table));
      if (mention && !isNoun) {
        const has = (kind: string) => mention.columns.some((column) => column.kind === kind);
        const isFlag =
          mention.columns.length === 1 &&
          mention.columns.every((column) => flagOf(column) !== null);
        marks.push(
          `${mention.value ? "V" : isFlag ? "F" : has("number") ? "C" : has("date") ? "T" : "X"}${index}`,
        );
        place = mention.to - 1;
      } else if (/^numeric(?:al)?$/.test(word) && /^columns?$/.test(this.#words[place + 1] ?? "")) {
        marks.push(
          `C${this.#mention(
            this.table.columns.filter(({ kind }) => kind === "number"),
            place,
            place + 2,
          )}`,
        );
        place += 1;
      } else marks.push(this.#markOf(word, place) ?? (nouns.has(stem(word)) ? "R" : word));
    }
    return marks;
  }

  #markOf(word: string, place: number): string | null {
    if (/^\d{4}-\d\d-\d\d$/.test(word)) return `D${place}`;
    if (/^\d{4}-q\d$/.test(word)) return `Q${place}`;
    if (/^(?:1[5-9]|20|21)\d\d$/.test(word)) return `Y${place}`;
    if (/^-\d/.test(word) || numberOf(word) !== null || ordinalOf(word) !== null)
      return `N${place}`;
    const isMay =
      /^(?:in|of|during|and|or|from|since|until|before|after|to|between)$/.test(
        this.#words[place - 1] ?? "",
      ) || /^(?:1[5-9]|20|21)\d\d$/.test(this.#words[place + 1] ?? "");
    const isMonth = MONTHS.includes(word) && (word !== "may" || isMay);
    return isMonth ? `M${place}` : null;
  }

  take(pattern: string, rule: Rule): void {
    this.text = replaceWords(this.text, pattern, rule).replace(/ {2,}/g, " ");
  }

  /** What nothing was understood of, as it was said. */
  unread(): string[] {
    const left = this.text
      .split(" ")
      .filter(
        (word) => word !== "" && !IGNORED.test(word) && (MODAL.test(word) || !isFunctionWord(word)),
      );
    return [...this.problems, ...new Set(left.map((mark) => quote(this.said(mark))))];
  }

  /** A mark as it was said. */
  said(mark: string): string {
    const at = Number(/^[A-Z](\d+)$/.exec(mark)?.[1] ?? Number.NaN);
    const mention = /^[CTXFV]\d/.test(mark) ? this.#mentions[at] : undefined;
    if (mention?.from === -1) return mention.columns.map(({ name }) => name).join(" or ");
    return mention
      ? this.#words.slice(mention.from, mention.to).join(" ")
      : (this.#words[at] ?? mark);
  }

  /** A number that is compared with a column, whose unit it may have and no other. */
  number(mark: string, column = ""): number {
    const said = this.said(mark);
    const unit = this.#units.get(Number(mark.slice(1)));
    const isOwn =
      unit === undefined ||
      unitOfColumn(column) === unit ||
      (unitOfColumn(column) === null && fitsWithout(unit, column));
    if (!isOwn) this.problems.push(`${quote(`${said} ${unit}`)} of another column`);
    return numberOf(said) ?? ordinalOf(said) ?? Number(said.replaceAll(",", ""));
  }

  columns(mark: string): TableColumn[] {
    return this.#mentions[Number(mark.slice(1))]?.columns ?? [];
  }

  /** The cells that a mark names, by their columns. */
  cells(mark: string): { [column: string]: string | number | boolean } {
    return this.#mentions[Number(mark.slice(1))]?.value ?? {};
  }

  isEveryNumber(mark: string): boolean {
    return /^numeric/.test(this.said(mark));
  }

  /** The one column that holds the unit behind a number; null where none or several do. */
  columnOf(mark: string): string | null {
    const unit = this.#units.get(Number(mark.slice(1)));
    const held = this.table.columns.filter(
      ({ kind, name }) => kind === "number" && unit !== undefined && unitOfColumn(name) === unit,
    );
    return held.length === 1 ? (held[0]?.name ?? null) : null;
  }

  /**
   * The one column of numbers that a mark means; null with a problem where there is none or more
   * than one.
   */
  numeric(mark: string): string | null {
    return (
      this.#only(
        mark,
        this.columns(mark).filter(({ kind }) => kind === "number"),
        "holds no numbers",
      )?.name ?? null
    );
  }

  /** The one column that a mark means, rather one of names than one of numbers. */
  column(mark: string): TableColumn | null {
    const named = this.columns(mark).filter(({ kind }) => kind !== "number");
    return this.#only(mark, named.length > 0 ? named : this.columns(mark), "is no column");
  }

  #only(mark: string, columns: readonly TableColumn[], problem: string): TableColumn | null {
    const [only] = columns;
    if (only && columns.length === 1) return only;
    this.problems.push(
      `${quote(this.said(mark))}, which ${only ? `may be ${columns.map(({ name }) => name).join(" or ")}` : problem}`,
    );
    return null;
  }

  /** A column or period to group by; null with a problem. */
  field(said: string): Field | null {
    if (!/^[CTXF]\d/.test(said)) {
      const name = said
        .replace(/^days? of the week$/, "weekday")
        .replace(/^(?:calendar months?|months of the year)$/, "month of the year")
        .replace(/s$/, "");
      const field = this.dateField("", name as Period); // the rule's pattern lets no other word through
      if (field === null && this.problems.length === 0)
        this.problems.push(`${quote(said)}, as no column holds dates`);
      return field;
    }
    const column = this.column(said);
    const isPeriod = column?.kind === "date" && /^(?:year|month|day)$/.test(stem(this.said(said)));
    return (
      column && { column: column.name, period: isPeriod ? (stem(this.said(said)) as Period) : null }
    ); // just tested
  }

  /**
   * The one column that a period can be of; null when there is none, with a problem where there are
   * several.
   */
  dateField(mark: string, period: Period): Field | null {
    const named = mark ? this.columns(mark) : this.table.columns;
    const dates = named.filter(({ kind }) => kind === "date");
    const plain = named.filter(
      ({ kind, name }) =>
        kind !== "date" &&
        kind !== "nested" &&
        nameWords(name).some((word) => word === period || word === PERIODS[period]),
    );
    if (dates.length > 1)
      this.problems.push(`which date is meant: ${dates.map(({ name }) => name).join(" or ")}`);
    if (dates[0]) return { column: dates[0].name, period };
    return plain.length === 1 && plain[0] ? { column: plain[0].name, period: null } : null;
  }

  /** `03 March`, as the months of the year are shown and compared. */
  monthOf(mark: string): string {
    const at = MONTHS.indexOf(this.said(mark));
    return `${String(at + 1).padStart(2, "0")} ${capital(MONTHS[at] ?? "")}`;
  }

  measure(op: MeasureOp, column: string | null): void {
    this.asks = true;
    const key = this.table.columns.find(({ name }) => name === column);
    if (key && /^(?:sum|mean|median)$/.test(op) && isKey(key, this.table))
      this.problems.push(`a figure of ${quote(key.name)}, whose numbers are names`);
    const isThere = this.query.measures.some((one) => one.op === op && one.column === column);
    if (!isThere) this.query.measures.push({ op, column });
  }
}

const SPENDING = new Set(["spent", "spend", "paid", "pay", "cost", "costs"]);
const TABLE_ENDING = /\.(?:csv|tsv|jsonl?|ndjson|geojson)\b/gi;

/** What stands behind the name of a table's file in a run of characters that names have. */
function withoutFileName(run: string): string {
  const ending = [...run.matchAll(TABLE_ENDING)].at(-1);
  return ending && ending.index > 0 ? ` ${run.slice(ending.index + ending[0].length)}` : run;
}

const PERIODS: { [period: string]: string } = {
  year: "jahr",
  month: "monat",
  quarter: "quartal",
  day: "tag",
};
