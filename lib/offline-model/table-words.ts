import "server-only";
import { nameWords, stem } from "./language";
import { isMoney, unitOfColumn } from "./plain-wording";
import { flagOf, type TableColumn, type TableProfile } from "./table-query";

/** Verbs that say nothing beside a figure that is named: `got the most points`. */
const LIGHT = "put in|puts in|put|got|gets?|uses?|used|took|takes?|taken|makes?|made|reach(?:es|ed)?|worked|spent|lasted|needed|needs?";
/** Verbs that say no more than that there is a row, by words of the table's name or columns. */
const VERBS: [noun: RegExp, verbs: string][] = [
  [/^(?:loan|lending)$/, "lent|lend|loaned|borrowed|borrow"],
  [/^(?:sighting|seen|observed|observation|spotted)$/, "seen|see something|saw something|sighted|spotted|observed|seen something"],
  [/^(?:sale|sold)$/, "sold|sell"],
  [/^(?:order|ordered)$/, "ordered"],
  [/^(?:purchase|purchased)$/, "purchased|bought"],
  [/^(?:repair|repaired)$/, "repaired"],
  [/^(?:visit|visited)$/, "visited"],
  [/^(?:booking|booked)$/, "booked"],
  [/^(?:rental|rented)$/, "rented"],
  [/^(?:donation|donated)$/, "donated|given"],
  [/^(?:incident|accident|crash|error|event|failure|outage)$/, "happened|happen|occurred|occur|crashed"],
  [/^(?:measurement|measured|reading)$/, "measured"],
  [/^(?:harvest|harvested)$/, "harvested"],
  [/^(?:catch|caught)$/, "caught"],
];

/** The verbs that say nothing beside this table, as patterns. */
export function verbsOf({ path, columns }: TableProfile, isFigure: boolean): string[] {
  const nouns = [path, ...columns.map(({ name }) => name)].flatMap(nameWords).map(stem);
  const own = VERBS.filter(([noun]) => nouns.some((word) => noun.test(word))).map(([, verbs]) => verbs);
  return isFigure ? [...own, LIGHT] : own;
}

const named = (pattern: RegExp) => (name: string) => nameWords(name).some((word) => pattern.test(word));
const lasting = (name: string) => named(/^(?:length|duration)$/)(name) || /^(?:day|h|min|s)$/.test(unitOfColumn(name) ?? "");
/** Adjectives that measure, by the columns that hold what they measure. */
const MEASURES: [adjectives: RegExp, isHigh: boolean, measured: (name: string) => boolean][] = [
  [/^old(er|est)$/, true, named(/^age$/)],
  [/^young(er|est)$/, false, named(/^age$/)],
  [/^(?:tall|high)(er|est)$/, true, named(/^height$/)],
  [/^short(er|est)$/, false, (name) => named(/^height$/)(name) || lasting(name)],
  [/^long(er|est)$/, true, lasting],
  [/^heavi(er|est)$/, true, named(/^(?:weight|mass)$/)],
  [/^light(er|est)$/, false, named(/^(?:weight|mass)$/)],
  [/^dear(er|est)$/, true, isMoney],
  [/^cheap(er|est)$/, false, isMoney],
  [/^fast(er|est)$/, true, named(/^speed$/)],
  [/^f[au]rth(er|est)$/, true, named(/^distance$/)],
  [/^(?:clos|near)(er|est)$/, false, named(/^distance$/)],
  [/^deep(er|est)$/, true, named(/^depth$/)],
  [/^(?:warm|hott)(er|est)$/, true, named(/^temp(?:erature)?$/)],
  [/^(?:cold|cool)(er|est)$/, false, named(/^temp(?:erature)?$/)],
];

/** `oldest` said of a table with one column of ages is `highest age`, and `taller than` is `height more than`; `unpaid` is `not paid` where `paid` is a flag. */
export function withColumns(words: readonly string[], { columns, hits }: TableProfile): string[] {
  const flags = columns.filter((column) => flagOf(column) !== null).map(({ name }) => stem(nameWords(name).join(" ")));
  const isSaid = (name: string) => nameWords(name).some((part) => part.length > 2 && words.some((word) => stem(word) === stem(part)));
  return words.flatMap((word, at) => {
    const bare = /^(?:un|non|in)(.{3,})$/.exec(word)?.[1];
    if (bare && flags.includes(stem(bare)) && !hits.some(({ phrase }) => phrase === word)) return ["not", bare];
    const [adjective, isHigh, measures] = MEASURES.find(([pattern]) => pattern.test(word)) ?? [];
    if (!adjective || !measures) return [word];
    const all = columns.filter(({ name, kind }) => kind === "number" && measures(name));
    const said = all.filter(({ name }) => isSaid(name));
    const [column, other] = said.length > 0 ? said : all;
    if (!column || other) return [word];
    const name = nameWords(column.name);
    const isNext = name.some((part) => stem(part) === stem(words[at + 1] ?? ""));
    if (word.endsWith("est")) return [isHigh ? "highest" : "lowest", ...(isNext ? [] : name)];
    return words[at + 1] === "than" ? [...name, isHigh ? "more" : "less"] : [word];
  });
}

const KEY_WORDS = /^(?:id|no|nr|number|key|code|ref)$/;

/** Whether a column names the rows: no two cells are alike, and its name says so, or is that of the file. */
export function isKey({ name, kind, distinct, missing, min, max }: TableColumn, { path, rows }: TableProfile): boolean {
  const words = nameWords(name);
  const nouns = nameWords(path).map(stem);
  const isCounted = kind === "text" || (kind === "number" && Number(max) - Number(min) === rows - 1);
  const isNamed = KEY_WORDS.test(words.at(-1) ?? "") || (isCounted && words.length === 1 && nouns.includes(stem(words[0] ?? "")));
  return isNamed && missing === 0 && distinct === rows && rows > 1;
}

/** What the rows are called by the column that names them: `job` by `job_no`. */
export function nounsOf(column: TableColumn, table: TableProfile): string[] {
  const words = nameWords(column.name);
  const nouns = words.length > 1 ? words.filter((word) => !KEY_WORDS.test(word)) : words;
  return isKey(column, table) && nouns.length === 1 && !KEY_WORDS.test(nouns[0] ?? "") ? nouns.map(stem) : [];
}

/** Whether a column whose name has no unit may hold this one. */
export function fitsWithout(unit: string, name: string): boolean {
  return (
    (/^(?:eur|usd|chf|gbp)$/.test(unit) && isMoney(name) && unitOfColumn(name) === null) ||
    (unit === "year" && nameWords(name).includes("age"))
  );
}
