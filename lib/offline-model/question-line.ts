import "server-only";
import { findMentions, type Mention, toWords } from "./find-mentions";
import { isFunctionWord, nameWords, numberOf, ordinalOf, quote, stem } from "./language";
import {
  EMPTY_WORDS,
  FILLERS,
  LIGHT_VERBS,
  MEASURES,
  MODAL_WORDS,
  MONTHS,
  ROW_NOUNS,
  SYNONYMS,
  unitOf,
} from "./lexicon";
import {
  emptyQuery,
  type Field,
  flagOf,
  type MeasureOp,
  type Period,
  type TableColumn,
  type TableProfile,
} from "./table-query";
import { beginsWith, replaceWords } from "./word-pattern";

/** What a question goes on with, behind the one before it. */
const LEAD = /^ (?:(?:and|what about|how about|but|also|only|so) )+/;

/** A time that a question names, as the cells' periods are compared. */
export interface Time {
  period: Period;
  value: string | number;
}

/**
 * Takes what it has understood out of the line: answers what stands in its place, null to leave it
 * as it is. `rest`: the line behind it, from a space on.
 */
type Rule = (found: readonly string[], rest: string) => string | null;

/**
 * A clause in marks: C, T and X for columns of numbers, dates and texts, F for flags, V for cells,
 * N for numbers, Y for years, D for other times, R for the rows; the words of the lexicon as their
 * tokens, and all others as they are. Each rule takes out what it has understood; what is left at
 * the end was not understood.
 */
export class QuestionLine {
  readonly query = emptyQuery();
  /** What may mean two things, or cannot be computed. */
  readonly problems: string[] = [];
  asks = false;
  text: string;
  readonly #words: string[];
  readonly #mentions: Mention[];
  readonly #units = new Map<number, string>();
  readonly #times: Time[] = [];
  /** Tokens by the words that they stand for. */
  readonly #said = new Map<string, string>();

  constructor(
    clause: string,
    readonly table: TableProfile,
  ) {
    this.#words = this.#withoutUnits(
      this.#withMeasures(toWords(withoutFileName(clause, table.path))),
    );
    this.#mentions = findMentions(this.#words, table);
    this.text = ` ${this.#marks().join(" ")} `.replace(LEAD, " ");
    this.#readTimes();
    for (const [said, token] of SYNONYMS)
      this.take(said, ([words = ""]) => {
        this.#said.set(token, words);
        return token;
      });
    this.take(`${FILLERS}|still|currently|already`, () => "");
    if (/ C\d/.test(this.text)) this.take(LIGHT_VERBS, () => "");
    this.take("\\S+(?:ed|en|wn)", ([verb = ""]) => (this.#isOfRows(verb) ? "" : null));
  }

  /**
   * `oldest` said of a table with one column of ages is `max age`, and `taller than` is `height >`;
   * `unpaid` is `not paid` where `paid` is a flag.
   */
  #withMeasures(words: readonly string[]): string[] {
    const { columns, hits } = this.table;
    const flags = columns.filter((column) => flagOf(column) !== null).map(({ name }) => name);
    return words.flatMap((word, at) => {
      const bare = /^(?:un|non|in)(.{3,})$/.exec(word)?.[1] ?? "";
      if (
        flags.some((name) => nameWords(name).join(" ") === bare) &&
        !hits.some(({ phrase }) => phrase === word)
      )
        return ["not", bare];
      const adjective = /^(.+)(er|est)$/.exec(word) ?? [];
      const [, token, names = ""] =
        MEASURES.find(([stems]) => stems.split(" ").includes(adjective[1] ?? "")) ?? [];
      const held = columns.filter(
        ({ name, kind }) =>
          kind === "number" && nameWords(name).some((part) => names.split(" ").includes(part)),
      );
      const [column] = held;
      if (!token || !column || held.length > 1) return [word];
      const name = nameWords(column.name);
      if (adjective[2] === "est")
        return [token, ...(stem(words[at + 1] ?? "") === stem(name[0] ?? "") ? [] : name)];
      return words[at + 1] === "than" ? [...name, token === "max" ? "more" : "less"] : [word];
    });
  }

  /** Takes `kg` out of `40 kg`. */
  #withoutUnits(words: readonly string[]): string[] {
    const kept: string[] = [];
    for (const word of words) {
      const unit = unitOf(word);
      if (unit !== null && /^\d[\d,.]*$/.test(kept.at(-1) ?? ""))
        this.#units.set(kept.length - 1, unit);
      else kept.push(word);
    }
    return kept;
  }

  #marks(): string[] {
    const { path, columns } = this.table;
    const file = (path.split("/").pop() ?? "").replace(/\.\w+$/, "");
    const nouns = new Set([
      ...ROW_NOUNS,
      ...nameWords(file).map(stem),
      ...columns.flatMap((column) => nounsOf(column, this.table)),
    ]);
    const marks: string[] = [];
    for (let place = 0; place < this.#words.length; place += 1) {
      const word = this.#words[place] ?? "";
      const isNoun = nouns.has(stem(word));
      const index = this.#mentions.findIndex(({ from }) => from === place);
      const mention = this.#mentions[index];
      const isRow =
        isNoun &&
        mention?.cells === null &&
        mention.to - place === 1 &&
        mention.columns.every((column) => isKey(column, this.table));
      if (mention && !isRow) {
        marks.push(`${letterOf(mention)}${index}`);
        place = mention.to - 1;
      } else if (/^numeric(?:al)?$/.test(word) && /^columns?$/.test(this.#words[place + 1] ?? "")) {
        const numbers = columns.filter(({ kind }) => kind === "number");
        const to = place + 2;
        const one = { from: place, to, columns: numbers, cells: null, isExact: true };
        marks.push(`C${this.#mentions.push(one) - 1}`);
        place += 1;
      } else marks.push(isNoun ? "R" : markOf(word, place));
    }
    return marks;
  }

  /** `3 March 2024`, `March 3`, `March 2024`, `March` as one mark. */
  #readTimes(): void {
    const month = `(${MONTHS.join("|")}|${MONTHS.map((name) => name.slice(0, 3)).join("|")}|sept)`;
    const range = " (?:and|to|until|till|through|or)";
    const later = `${range} (?:N\\d+ )?${month} (?:N\\d+ )?(?:of )?Y\\d+ `;
    const yearOf = (own: string, rest: string) => {
      const behind = beginsWith(rest, later) ? / (Y\d+) /.exec(rest)?.[1] : undefined;
      return own || behind ? this.said(own || (behind ?? "")) : onlyYear(this.table);
    };
    const add = (period: Period, value: string) => `D${this.#times.push({ period, value }) - 1}`;
    const day = (digits: string, name: string, own: string, rest: string) => {
      const year = yearOf(own, rest);
      const number = numberOf(this.said(digits)) ?? ordinalOf(this.said(digits)) ?? 0;
      if (year === null || !(number >= 1 && number <= 31)) return null;
      return add("day", `${year}-${monthNumber(name)}-${String(number).padStart(2, "0")}`);
    };
    this.take("D\\d+", ([mark = ""]) => add("day", this.said(`N${mark.slice(1)}`)));
    this.take(
      `(N\\d+) (?:of )?${month}(?: (Y\\d+))?`,
      ([, digits = "", name = "", own = ""], rest) => day(digits, name, own, rest),
    );
    this.take(`${month} (N\\d+)(?: (Y\\d+))?`, ([, name = "", digits = "", own = ""], rest) =>
      day(digits, name, own, rest),
    );
    this.take(
      `((?:in|of|during|and|or|from|since|until|before|after|to|between) )?${month}(?: (?:of ` +
        ")?(Y\\d+))?",
      ([, lead = "", name = "", own = ""], rest) => {
        if (name === "may" && lead === "" && own === "") return null;
        const year = yearOf(own, rest);
        const number = monthNumber(name);
        const full = MONTHS[Number(number) - 1] ?? "";
        const mark =
          year === null
            ? add("month of the year", `${number} ${full.charAt(0).toUpperCase()}${full.slice(1)}`)
            : add("month", `${year}-${number}`);
        return `${lead}${mark}`;
      },
    );
  }

  /** `rented` beside `rentals.csv`: each row was. */
  #isOfRows(verb: string): boolean {
    const root = verb.replace(/(?:ed|en|wn)$/, "");
    const nouns = nameWords((this.table.path.split("/").pop() ?? "").replace(/\.\w+$/, ""));
    return root.length > 3 && nouns.some((noun) => noun.startsWith(root));
  }

  take(pattern: string, rule: Rule): void {
    this.text = replaceWords(this.text, pattern, rule).replace(/ {2,}/g, " ");
  }

  /** What nothing was understood of, as it was said. */
  unread(): string[] {
    const left = this.text
      .split(" ")
      .filter(
        (word) =>
          word !== "" && !EMPTY_WORDS.has(word) && (MODAL_WORDS.has(word) || !isFunctionWord(word)),
      );
    return [...this.problems, ...new Set(left.map((mark) => quote(this.said(mark))))];
  }

  /** A mark or token as it was said. */
  said(mark: string): string {
    const at = Number(/^[A-Z](\d+)$/.exec(mark)?.[1] ?? Number.NaN);
    if (mark.startsWith("D") && at >= 0) return String(this.#times[at]?.value);
    const mention = /^[CTXFV]\d/.test(mark) ? this.#mentions[at] : undefined;
    return mention
      ? this.#words.slice(mention.from, mention.to).join(" ")
      : (this.#words[at] ?? this.#said.get(mark) ?? mark);
  }

  time(mark: string): Time {
    const year = { period: "year" as const, value: Number(this.said(mark)) };
    return mark.startsWith("Y") ? year : (this.#times[Number(mark.slice(1))] ?? year);
  }

  /** A number that is compared with a column, whose unit it may have and no other. */
  number(mark: string, column: string): number {
    const said = this.said(mark);
    const unit = this.#units.get(Number(mark.slice(1)));
    if (unit !== undefined && unitOfColumn(column) !== unit)
      this.problems.push(`${quote(`${said} ${unit}`)} of ${quote(column)}`);
    return numberOf(said) ?? ordinalOf(said) ?? Number(said.replaceAll(",", ""));
  }

  /** How many, or the place in an order, counted from 1; null where a unit stands behind it. */
  place(mark: string): { count: number; isOrdinal: boolean } | null {
    if (this.#units.has(Number(mark.slice(1)))) return null;
    const ordinal = ordinalOf(this.said(mark));
    const count = ordinal ?? numberOf(this.said(mark));
    return count === null || count < 1 ? null : { count, isOrdinal: ordinal !== null };
  }

  columns(mark: string): TableColumn[] {
    return this.#mentions[Number(mark.slice(1))]?.columns ?? [];
  }

  /** The cells that a mark names, by their columns. */
  cells(mark: string): { [column: string]: string | number | boolean } {
    return this.#mentions[Number(mark.slice(1))]?.cells ?? {};
  }

  /** The one column that holds the unit behind a number; null where none or several do. */
  columnOf(mark: string): string | null {
    const unit = this.#units.get(Number(mark.slice(1)));
    const held = this.table.columns.filter(
      ({ kind, name }) => kind === "number" && unit !== undefined && unitOfColumn(name) === unit,
    );
    return held.length === 1 ? (held[0]?.name ?? null) : null;
  }

  /** All columns of numbers where every one is meant, else the one that a mark means. */
  numbers(mark: string): string[] {
    if (this.said(mark).startsWith("numeric")) return this.columns(mark).map(({ name }) => name);
    const named = this.columns(mark).filter(({ kind }) => kind === "number");
    const column = this.#only(mark, named, "holds no numbers");
    return column ? [column.name] : [];
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
      `${quote(this.said(mark))}, which ` +
        `${only ? `may be ${columns.map(({ name }) => name).join(" or ")}` : problem}`,
    );
    return null;
  }

  /** Groups by a column, or by a period of the one that holds dates; false with a problem. */
  group(mark: string): boolean {
    const said = stem(this.said(mark));
    const field = /^[CTXF]\d/.test(mark)
      ? fieldOf(this.column(mark), said)
      : // The pattern lets no other word through.
        this.dateField("", mark === "calendarmonth" ? "month of the year" : (mark as Period));
    if (field === null && this.problems.length === 0)
      this.problems.push(`${quote(this.said(mark))}, as no column holds dates`);
    const isThere = this.query.groups.some(
      (one) => one.column === field?.column && one.period === field.period,
    );
    if (field && !isThere) this.query.groups.push(field);
    return field !== null;
  }

  /**
   * The one column that a period can be of; null when there is none, with a problem where there are
   * several.
   */
  dateField(mark: string, period: Period): Field | null {
    const named = mark ? this.columns(mark) : this.table.columns;
    const dates = named.filter(({ kind }) => kind === "date");
    const plain = named.filter(
      ({ kind, name }) => /^(?:number|text)$/.test(kind) && nameWords(name).includes(period),
    );
    if (dates.length > 1)
      this.problems.push(`which date is meant: ${dates.map(({ name }) => name).join(" or ")}`);
    if (dates[0]) return { column: dates[0].name, period };
    return plain.length === 1 && plain[0] ? { column: plain[0].name, period: null } : null;
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

function letterOf({ columns, cells }: Mention): string {
  const has = (kind: string) => columns.some((column) => column.kind === kind);
  if (cells) return "V";
  if (columns.length === 1 && columns.every((column) => flagOf(column) !== null)) return "F";
  return has("number") ? "C" : has("date") ? "T" : "X";
}

function markOf(word: string, place: number): string {
  if (/^\d{4}-\d\d-\d\d$/.test(word)) return `D${place}`;
  if (/^(?:1[5-9]|20|21)\d\d$/.test(word)) return `Y${place}`;
  const isNumber = /^-?\d/.test(word) && !Number.isNaN(Number(word.replaceAll(",", "")));
  return isNumber || numberOf(word) !== null || ordinalOf(word) !== null ? `N${place}` : word;
}

function monthNumber(name: string): string {
  const at = MONTHS.findIndex((month) => month.slice(0, 3) === name.slice(0, 3));
  return String(at + 1).padStart(2, "0");
}

/** The year that all dates of the table are in; null where there are several. */
function onlyYear({ columns }: TableProfile): string | null {
  const [dates, other] = columns.filter(({ kind }) => kind === "date");
  const [first, last] = [dates?.min, dates?.max].map((date) => String(date ?? "").slice(0, 4));
  return first && !other && first === last ? first : null;
}

function fieldOf(column: TableColumn | null, said: string): Field | null {
  const isPeriod = column?.kind === "date" && /^(?:year|month|day)$/.test(said);
  // Just tested.
  return column && { column: column.name, period: isPeriod ? (said as Period) : null };
}

/** The unit that a column's name ends in. */
function unitOfColumn(name: string): string | null {
  return unitOf(nameWords(name).at(-1));
}

const KEY_WORDS = /^(?:id|no|nr|number|key|code|ref)$/;

/**
 * Whether a column names the rows: no two cells are alike, and its name says so, or is that of the
 * file.
 */
export function isKey(column: TableColumn, { path, rows }: TableProfile): boolean {
  const { name, kind, distinct, missing, min, max } = column;
  const words = nameWords(name);
  const isCounted =
    kind === "text" || (kind === "number" && Number(max) - Number(min) === rows - 1);
  const isNamed =
    KEY_WORDS.test(words.at(-1) ?? "") ||
    (isCounted &&
      words.length === 1 &&
      nameWords(path)
        .map(stem)
        .includes(stem(words[0] ?? "")));
  return isNamed && missing === 0 && distinct === rows && rows > 1;
}

/** What the rows are called by the column that names them: `job` by `job_no`. */
function nounsOf(column: TableColumn, table: TableProfile): string[] {
  const nouns = nameWords(column.name).filter((word) => !KEY_WORDS.test(word));
  return isKey(column, table) && nouns.length === 1 ? nouns.map(stem) : [];
}

/** A clause without the name of the table's file, and of any other one. */
function withoutFileName(clause: string, path: string): string {
  return clause.replaceAll(path, " ").replace(/[\w./-]+/g, (run) => {
    const end = /\.(?:csv|tsv|jsonl?|ndjson|geojson|xlsx)$/i.exec(run.replace(/\.$/, ""));
    return end && end.index > 0 ? " " : run;
  });
}
