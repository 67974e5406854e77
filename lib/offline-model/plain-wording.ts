import "server-only";
import { nameWords, stem } from "./language";
import { flagOf, type TableColumn, type TableProfile } from "./table-query";

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const MONTH =
  "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?";
const FULL_MONTHS =
  "january february march april may june july august september october november december".split(
    " ",
  );

/** Units as they are said, by the last word of the names of columns that hold them. */
const UNITS: [unit: string, said: RegExp][] = [
  ["eur", /^(?:eur|euros?|€)$/],
  ["usd", /^(?:usd|dollars?)$/],
  ["chf", /^(?:chf|francs?)$/],
  ["gbp", /^(?:gbp|sterling)$/],
  ["km", /^(?:km|kms|kilomet(?:er|re)s?)$/],
  ["m", /^(?:m|met(?:er|re)s?)$/],
  ["cm", /^(?:cm|centimet(?:er|re)s?)$/],
  ["mm", /^(?:mm|millimet(?:er|re)s?)$/],
  ["kg", /^(?:kg|kgs|kilos?|kilogram(?:me)?s?)$/],
  ["g", /^(?:g|gram(?:me)?s?)$/],
  ["t", /^(?:t|tons?|tonnes?)$/],
  ["h", /^(?:h|hrs?|hours?)$/],
  ["min", /^(?:mins?|minutes?)$/],
  ["s", /^(?:s|secs?|seconds?)$/],
  ["day", /^(?:d|days?)$/],
  ["year", /^(?:yrs?|years?)$/],
  ["mb", /^(?:mb|megabytes?)$/],
  ["gb", /^(?:gb|gigabytes?)$/],
  ["kwh", /^kwh$/],
  ["mwh", /^mwh$/],
  ["l", /^(?:l|lit(?:er|re)s?)$/],
  ["ml", /^(?:ml|millilit(?:er|re)s?)$/],
  ["c", /^(?:c|celsius)$/],
  ["%", /^(?:%|pct|percent)$/],
];

/**
 * The unit that a word is, in the one form in which units are compared; null for any other word.
 */
export function unitOf(word: string): string | null {
  return UNITS.find(([, said]) => said.test(word))?.[0] ?? null;
}

/** The unit that a column's name ends in, or all that it says. */
export function unitOfColumn(name: string): string | null {
  return unitOf(nameWords(name).at(-1) ?? "");
}

const MONEY =
  /^(?:prices?|costs?|fees?|deposits?|amount|payments?|revenues?|turnover|sales|salary|salaries|wages?|budget|income|rent|fares?|kosten|preis)$/;

export function isMoney(name: string): boolean {
  return (
    /^(?:eur|usd|chf|gbp)$/.test(unitOfColumn(name) ?? "") ||
    nameWords(name).some((word) => MONEY.test(word))
  );
}

const SAID: [said: RegExp, plain: string][] = [
  [/\b(what|who|how|where|when)s\b(?= )/g, "$1 is"],
  [/\b(ha[vsd]e?|did|do|does|is|are|was|were)n['’]?t\b/g, "$1 not"],
  [/\bcannot\b/g, "can not"],
  // The figure that a ranking goes by stands in its answer.
  [/[,.]? (?:and )?how (?:many|much)(?: \p{L}+)? (?:is|are|was|were) (?:that|those|it)\W*$/gu, ""],
  [/^\W*(?:(?:hi|hello|hey|ok|okay|well)\b[ ,!]*)+/, ""],
  [
    /\bi(?:['’]d| would) (?:like|love)(?: to (?:know|see|have|get))?\b|\bi (?:want|need)(?: to (?:know|see|have|get))?\b/g,
    " ",
  ],
  [/\b(?:do you know|can you see|let me know|tell me|check|look up)\b/g, " "],
  [/\b(?:most|more) (?:expensive|costly)\b(?! than)/g, "dearest"],
  [/\bleast (?:expensive|costly)\b/g, "cheapest"],
  [/\bmore (?:expensive|costly) than\b/g, "dearer than"],
  [/\bless (?:expensive|costly) than\b/g, "cheaper than"],
  [/\b(?:farther|further) away than\b/g, "farther than"],
  [/€ ?(?=\d)/g, "eur "],
  [
    /\bis there\b|\bare there\b|\bwere there\b|\bwas there\b|\bthere (?:is|are|was|were)\b/g,
    "are there",
  ],
];

const ASKED_OF_US = /\b(?:could|can|would|will) you (?:please |kindly |maybe )*([a-z]+)/g;
const ORDERS = new Set(
  "tell give show list find work calculate compute say count check let look sort compare".split(
    " ",
  ),
);

/** What a German question is made of. Nouns are those of the table. */
const GERMAN: [said: RegExp, plain: string][] = [
  [/\bwie viele?\b/g, "how many"],
  [/\bwelche[rsnm]?\b/g, "which"],
  [/\bwas (?=war|ist|sind|waren)/g, "what "],
  [/\bwer\b/g, "who"],
  [/\bgibt es\b/g, "are there"],
  [/\b(?:ist|sind|war|waren)\b/g, "is"],
  [/\b(?:hat|haben|hatten?)\b/g, "had"],
  [/\b(?:der|die|das|den|dem|des)\b/g, "the"],
  [/\b(?:höchste|größte|meiste)[nrs]?\b/g, "highest"],
  [/\b(?:niedrigste|kleinste|geringste|wenigste)[nrs]?\b/g, "lowest"],
  [/\b(?:im durchschnitt|durchschnittlich(?:e[nrs]?)?|mittlere[nrs]?|durchschnitt)\b/g, "average"],
  [/\b(?:summe|gesamte?[nrs]?)\b/g, "total"],
  [/\binsgesamt\b/g, "in total"],
  [/\bmehr als\b/g, "more than"],
  [/\bweniger als\b/g, "less than"],
  [/\bzwischen\b/g, "between"],
  [/\bohne\b/g, "without"],
  [/\bnicht\b/g, "not"],
  [/\b(?:im|in)(?: jahre?)?\b(?= \d{4})/g, "in"],
  [/\b(?:von|vom)\b/g, "of"],
  [/\b(?:pro|je)\b/g, "per"],
  [/\bund\b/g, "and"],
  [/\boder\b/g, "or"],
  [/\bmit\b/g, "with"],
  [/\bfür\b/g, "for"],
];
const IS_GERMAN =
  /^\W*(?:wie viele?|welche[rsnm]?|was (?:war|ist|sind|waren)|wer|summe|durchschnitt)\b/;

/**
 * A clause in lower case and in the words that the rules know: without politeness, days as
 * `2024-03-01`, quarters as `2024-q1`.
 */
export function plainWording(clause: string, table: TableProfile): string {
  let text = clause.toLowerCase();
  if (IS_GERMAN.test(text)) for (const [said, plain] of GERMAN) text = text.replace(said, plain);
  text = text.replace(ASKED_OF_US, (said, verb: string) => (ORDERS.has(verb) ? verb : said));
  for (const [said, plain] of SAID) text = text.replace(said, plain);
  text = text.replace(
    /(\d)(?=(?:eur|€|usd|kg|km|cm|mm|mb|gb|kwh|mwh|ml|min)(?![\p{L}\p{N}]))/gu,
    "$1 ",
  );
  return withDates(text, onlyYear(table));
}

/**
 * The year that all dates of the table are in; null where there are several, or several columns of
 * dates.
 */
function onlyYear({ columns }: TableProfile): string | null {
  const [dates, other] = columns.filter(({ kind }) => kind === "date");
  const [first, last] = [
    String(dates?.min ?? "").slice(0, 4),
    String(dates?.max ?? "").slice(0, 4),
  ];
  return dates && !other && /^\d{4}$/.test(first) && first === last ? first : null;
}

function withDates(text: string, year: string | null): string {
  const numberOf = (month: string) =>
    String(MONTHS.indexOf(month.slice(0, 3)) + 1).padStart(2, "0");
  const day = (
    said: string,
    digits: string,
    month: string,
    own: string | undefined,
    rest: string,
  ) => {
    // `between 1 April and 30 April 2024`: the year stands once.
    const later = new RegExp(
      `^(?: and| to| until| till| through|-|–) (?:the )?(?:\\d{1,2}(?:st|nd|rd|th)?(?: of)? )?(?:${MONTH})\\b(?: \\d{1,2}(?:st|nd|rd|th)?)?,? (\\d{4})\\b`,
    );
    const known = own ?? later.exec(rest)?.[1] ?? year;
    return known === null || Number(digits) > 31
      ? said
      : `${known}-${numberOf(month)}-${digits.padStart(2, "0")}`;
  };
  const ordinal = "(\\d{1,2})(?:st|nd|rd|th)?";
  return text
    .replace(
      /(?<![\d.])(\d{1,2})\.(\d{1,2})\.(\d{4})(?![\d.])/g,
      (_, d: string, m: string, y: string) => `${y}-${m.padStart(2, "0")}-${d.padStart(2, "0")}`,
    )
    .replace(
      new RegExp(`(?<![\\d.,-])${ordinal}(?: of)? (${MONTH})\\b\\.?(?:,? (\\d{4})\\b)?`, "g"),
      (said, digits, month, own, at, all) =>
        day(said, digits, month, own, all.slice(at + said.length)),
    )
    .replace(
      new RegExp(`\\b(${MONTH})\\.? ${ordinal}(?![\\d.:-])(?:,? (\\d{4})\\b)?`, "g"),
      (said, month, digits, own, at, all) =>
        day(said, digits, month, own, all.slice(at + said.length)),
    )
    .replace(
      new RegExp(`\\b(${MONTH}) (and|to|until|till|through|or) (${MONTH}),? (\\d{4})\\b`, "g"),
      "$1 $4 $2 $3 $4",
    )
    .replace(
      new RegExp(`\\b(${MONTH})\\.?,? (?:of )?(?=\\d{4}\\b)`, "g"),
      (_, month: string) => `${FULL_MONTHS[Number(numberOf(month)) - 1]} `,
    )
    .replace(
      new RegExp(
        `\\b(in|since|until|before|after|from|to|and|or|during|of) (${MONTH})\\b(?!\\.? ?\\d)`,
        "g",
      ),
      (said, word, month) =>
        year === null || (month === "may" && word === "or")
          ? said
          : `${word} ${FULL_MONTHS[Number(numberOf(month)) - 1]} ${year}`,
    )
    .replace(
      /\b(?:(first|second|third|fourth|1st|2nd|3rd|4th) quarter|q([1-4]))(?: of|,)? (\d{4})\b/g,
      (_, word, digit, own) => {
        const at = ["first", "second", "third", "fourth"].indexOf(word) + 1;
        return `${own}-q${digit ?? (at || String(word).slice(0, 1))}`;
      },
    );
}

/** Verbs that say nothing beside a figure that is named: `got the most points`. */
const LIGHT =
  "put in|puts in|put|got|gets?|uses?|used|took|takes?|taken|makes?|made|reach(?:es|ed)?|worked|spent|lasted|needed|needs?";
/** Verbs that say no more than that there is a row, by words of the table's name or columns. */
const VERBS: [noun: RegExp, verbs: string][] = [
  [/^(?:loan|lending)$/, "lent|lend|loaned|borrowed|borrow"],
  [
    /^(?:sighting|seen|observed|observation|spotted)$/,
    "seen|see something|saw something|sighted|spotted|observed|seen something",
  ],
  [/^(?:sale|sold)$/, "sold|sell"],
  [/^(?:order|ordered)$/, "ordered"],
  [/^(?:purchase|purchased)$/, "purchased|bought"],
  [/^(?:repair|repaired)$/, "repaired"],
  [/^(?:visit|visited)$/, "visited"],
  [/^(?:booking|booked)$/, "booked"],
  [/^(?:rental|rented)$/, "rented"],
  [/^(?:donation|donated)$/, "donated|given"],
  [
    /^(?:incident|accident|crash|error|event|failure|outage)$/,
    "happened|happen|occurred|occur|crashed",
  ],
  [/^(?:measurement|measured|reading)$/, "measured"],
  [/^(?:harvest|harvested)$/, "harvested"],
  [/^(?:catch|caught)$/, "caught"],
];

/** The verbs that say nothing beside this table, as patterns. */
export function verbsOf({ path, columns }: TableProfile, isFigure: boolean): string[] {
  const nouns = [path, ...columns.map(({ name }) => name)].flatMap(nameWords).map(stem);
  const own = VERBS.filter(([noun]) => nouns.some((word) => noun.test(word))).map(
    ([, verbs]) => verbs,
  );
  return isFigure ? [...own, LIGHT] : own;
}

const named = (pattern: RegExp) => (name: string) =>
  nameWords(name).some((word) => pattern.test(word));
const lasting = (name: string) =>
  named(/^(?:length|duration)$/)(name) || /^(?:day|h|min|s)$/.test(unitOfColumn(name) ?? "");
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

/**
 * `oldest` said of a table with one column of ages is `highest age`, and `taller than` is `height
 * more than`; `unpaid` is `not paid` where `paid` is a flag.
 */
export function withColumns(words: readonly string[], { columns, hits }: TableProfile): string[] {
  const flags = columns
    .filter((column) => flagOf(column) !== null)
    .map(({ name }) => stem(nameWords(name).join(" ")));
  const isSaid = (name: string) =>
    nameWords(name).some(
      (part) => part.length > 2 && words.some((word) => stem(word) === stem(part)),
    );
  return words.flatMap((word, at) => {
    const bare = /^(?:un|non|in)(.{3,})$/.exec(word)?.[1];
    if (bare && flags.includes(stem(bare)) && !hits.some(({ phrase }) => phrase === word))
      return ["not", bare];
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

/**
 * Whether a column names the rows: no two cells are alike, and its name says so, or is that of the
 * file.
 */
export function isKey(
  { name, kind, distinct, missing, min, max }: TableColumn,
  { path, rows }: TableProfile,
): boolean {
  const words = nameWords(name);
  const nouns = nameWords(path).map(stem);
  const isCounted =
    kind === "text" || (kind === "number" && Number(max) - Number(min) === rows - 1);
  const isNamed =
    KEY_WORDS.test(words.at(-1) ?? "") ||
    (isCounted && words.length === 1 && nouns.includes(stem(words[0] ?? "")));
  return isNamed && missing === 0 && distinct === rows && rows > 1;
}

/** What the rows are called by the column that names them: `job` by `job_no`. */
export function nounsOf(column: TableColumn, table: TableProfile): string[] {
  const words = nameWords(column.name);
  const nouns = words.length > 1 ? words.filter((word) => !KEY_WORDS.test(word)) : words;
  return isKey(column, table) && nouns.length === 1 && !KEY_WORDS.test(nouns[0] ?? "")
    ? nouns.map(stem)
    : [];
}

/** Whether a column whose name has no unit may hold this one. */
export function fitsWithout(unit: string, name: string): boolean {
  return (
    (/^(?:eur|usd|chf|gbp)$/.test(unit) && isMoney(name) && unitOfColumn(name) === null) ||
    (unit === "year" && nameWords(name).includes("age"))
  );
}
