import "server-only";
import { findMentions, type Mention, toWords } from "./find-mentions";
import { capital, isFunctionWord, nameWords, numberOf, ordinalOf, quote, stem } from "./language";
import { emptyQuery, type Field, type MeasureOp, type Period, type TableColumn, type TableProfile } from "./table-query";

export const FILL =
  "(?:(?:the|of|a|an|is|are|was|were|be|for|in|all|each|every|our|my|their|its|to|value|values|column|columns|had|has|have|with|did) )*";
export const COL = "[CTX]\\d+";
export const NUM = "[NY]\\d+";
const MONTHS = "january february march april may june july august september october november december".split(" ");
const ROW_NOUNS = "row record entry line observation".split(" ");
const IGNORED = /^(?:·|R|%|and|or|by|per|each|every|all|any|both|made|come|comes|came|recorded|listed|a?cross)$/;

/** Takes what it has understood out of the line: answers what stands in its place, null to leave it as it is. */
type Rule = (found: readonly string[]) => string | null;

/** Adjectives that measure, by the words of columns that hold what they measure. */
const MEASURES: [adjectives: RegExp, isHigh: boolean, words: RegExp][] = [
  [/^old(er|est)$/, true, /^age$/],
  [/^young(er|est)$/, false, /^age$/],
  [/^(?:tall|high)(er|est)$/, true, /^height$/],
  [/^short(er|est)$/, false, /^(?:height|length)$/],
  [/^heavi(er|est)$/, true, /^(?:weight|mass)$/],
  [/^light(er|est)$/, false, /^(?:weight|mass)$/],
  [/^long(er|est)$/, true, /^(?:length|duration)$/],
  [/^cheap(er|est)$/, false, /^(?:price|cost|fee)$/],
  [/^fast(er|est)$/, true, /^speed$/],
];

/** `oldest` said of a table with one column of ages is `highest age`, and `taller than` is `height more than`. */
function withColumns(words: readonly string[], { columns }: TableProfile): string[] {
  const isOf = (name: string, measured: RegExp) => nameWords(name).some((word) => measured.test(word));
  return words.flatMap((word, at) => {
    const [adjective, isHigh, measured] = MEASURES.find(([pattern]) => pattern.test(word)) ?? [];
    const fitting = measured ? columns.filter(({ name, kind }) => kind === "number" && isOf(name, measured)) : [];
    const [column] = fitting;
    if (!adjective || !column || fitting.length > 1 || words.some((other) => measured?.test(other))) return [word];
    const name = nameWords(column.name);
    if (word.endsWith("est")) return [isHigh ? "highest" : "lowest", ...name];
    return words[at + 1] === "than" ? [...name, isHigh ? "more" : "less"] : [word];
  });
}

/**
 * A clause in marks: C, T and X for columns of numbers, dates and texts, V for cells, N, Y, M and D for numbers, years, months and days, R for the rows, and all
 * other words as they are. Each rule takes out of the line what it has understood; what is left at the end was not understood.
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
  text: string;

  constructor(
    clause: string,
    readonly table: TableProfile,
  ) {
    // `How many … in total` asks for the total that it is already.
    const plain = /^\W*how (?:many|much)\b/i.test(clause)
      ? clause.replace(/\s+(?:in total|altogether|overall|in all)(?=\W*$)/i, "")
      : clause;
    const bare = plain.replaceAll(table.path, " ").replace(/[\w./-]+\.(?:csv|tsv|jsonl?|ndjson|geojson)\b/gi, " ");
    this.#words = withColumns(toWords(bare), table);
    this.#mentions = findMentions(this.#words, table);
    this.text = ` ${this.#marks().join(" ")} `.replace(/^ (?:(?:and|what about|how about|but|also|only) )+/, " ");
  }

  #marks(): string[] {
    const file = (this.table.path.split("/").pop() ?? "").replace(/\.\w+$/, "");
    const nouns = new Set([...ROW_NOUNS, ...nameWords(file).map(stem)]);
    const marks: string[] = [];
    for (let place = 0; place < this.#words.length; place += 1) {
      const word = this.#words[place] ?? "";
      const index = this.#mentions.findIndex(({ from }) => from === place);
      const mention = this.#mentions[index];
      const number = /^[NY](\d+)$/.exec(marks.at(-1) ?? "")?.[1];
      // `4000 kg` of a column whose name ends in its unit.
      if (number && word.length <= 3 && this.table.columns.some(({ name }) => nameWords(name).slice(1).at(-1) === word))
        this.#units.set(Number(number), word);
      else if (mention) {
        const has = (kind: string) => mention.columns.some((column) => column.kind === kind);
        marks.push(`${mention.value ? "V" : has("number") ? "C" : has("date") ? "T" : "X"}${index}`);
        place = mention.to - 1;
      } else if (/^numeric(?:al)?$/.test(word) && /^columns?$/.test(this.#words[place + 1] ?? "")) {
        const columns = this.table.columns.filter(({ kind }) => kind === "number");
        marks.push(`C${this.#mentions.push({ from: place, to: place + 2, columns, value: null, isExact: true }) - 1}`);
        place += 1;
      } else marks.push(this.#markOf(word, place) ?? (nouns.has(stem(word)) ? "R" : word));
    }
    return marks;
  }

  #markOf(word: string, place: number): string | null {
    if (/^\d{4}-\d\d-\d\d$/.test(word)) return `D${place}`;
    if (/^(?:1[5-9]|20|21)\d\d$/.test(word)) return `Y${place}`;
    if (/^-\d/.test(word) || numberOf(word) !== null || ordinalOf(word) !== null) return `N${place}`;
    const isMay =
      /^(?:in|of|during|and|or|from|since|until|before|after|to|between)$/.test(this.#words[place - 1] ?? "") ||
      /^(?:1[5-9]|20|21)\d\d$/.test(this.#words[place + 1] ?? "");
    const isMonth = MONTHS.includes(word) && (word !== "may" || isMay);
    return isMonth ? `M${place}` : null;
  }

  take(pattern: string, rule: Rule): void {
    const taken = this.text.replace(new RegExp(`(?<= )${pattern}(?= )`, "g"), (...found: unknown[]) => {
      const parts = found.slice(0, -2).map((part) => (typeof part === "string" ? part : ""));
      return rule(parts) ?? parts[0] ?? "";
    });
    this.text = taken.replace(/ {2,}/g, " ");
  }

  /** What nothing was understood of, as it was said. */
  unread(): string[] {
    const left = this.text.split(" ").filter((word) => word !== "" && !IGNORED.test(word) && !isFunctionWord(word));
    return [...this.problems, ...new Set(left.map((mark) => quote(this.said(mark))))];
  }

  /** A mark as it was said. */
  said(mark: string): string {
    const at = Number(/^[A-Z](\d+)$/.exec(mark)?.[1] ?? Number.NaN);
    const mention = /^[CTXV]\d/.test(mark) ? this.#mentions[at] : undefined;
    return mention ? this.#words.slice(mention.from, mention.to).join(" ") : (this.#words[at] ?? mark);
  }

  /** A number that is compared with a column, whose unit it may have and no other. */
  number(mark: string, column = ""): number {
    const said = this.said(mark);
    const unit = this.#units.get(Number(mark.slice(1)));
    if (unit !== undefined && !nameWords(column).includes(unit)) this.problems.push(`${quote(unit)} of another column`);
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

  /** The one column of numbers that a mark means; null with a problem where there is none or more than one. */
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
    this.problems.push(`${quote(this.said(mark))}, which ${only ? `may be ${columns.map(({ name }) => name).join(" or ")}` : problem}`);
    return null;
  }

  /** A column or period to group by; null with a problem. */
  field(said: string): Field | null {
    if (!/^[CTX]\d/.test(said)) {
      const name = said
        .replace(/^days? of the week$/, "weekday")
        .replace(/^(?:calendar months?|months of the year)$/, "month of the year")
        .replace(/s$/, "");
      const field = this.dateField("", name as Period); // the rule's pattern lets no other word through
      if (field === null && this.problems.length === 0) this.problems.push(`${quote(said)}, as no column holds dates`);
      return field;
    }
    const column = this.column(said);
    const isPeriod = column?.kind === "date" && /^(?:year|month|day)$/.test(stem(this.said(said)));
    return column && { column: column.name, period: isPeriod ? (stem(this.said(said)) as Period) : null }; // just tested
  }

  /** The one column that a period can be of; null when there is none, with a problem where there are several. */
  dateField(mark: string, period: Period): Field | null {
    const named = mark ? this.columns(mark) : this.table.columns;
    const dates = named.filter(({ kind }) => kind === "date");
    const plain = named.filter(({ kind, name }) => kind !== "date" && kind !== "nested" && nameWords(name).includes(period));
    if (dates.length > 1) this.problems.push(`which date is meant: ${dates.map(({ name }) => name).join(" or ")}`);
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
    const isThere = this.query.measures.some((one) => one.op === op && one.column === column);
    if (!isThere) this.query.measures.push({ op, column });
  }
}
