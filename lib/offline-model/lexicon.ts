import "server-only";

/**
 * The words that the reader of questions knows, as data. What stands in none of these lists, and is
 * no column and no cell of the table, is not understood.
 */

const list = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/**
 * Words that carry no meaning of their own in a request. Words that turn a meaning round (`not`,
 * `without`, `only`) are none of them.
 */
export const FUNCTION_WORDS = list(
  "a an the this that these those it its of in on at to for from with and as is are was were be " +
    "been being do does did has have had there here i me my we us our you your they their " +
    "what which who whom how when where whose whats please can could would will shall should may " +
    "might let also then so just now kindly and/or " +
    "give gives tell show shows find finds list lists report reports compute computes calculate " +
    "calculates determine determines work out get gets return returns display displays print " +
    "provide provides state name say answer answers output present " +
    "value values figure figures number numbers data dataset file files table csv json tsv " +
    "workspace spreadsheet column columns row rows record records entry entries result results " +
    "statistic statistics need want know",
);

/** What a figure, an order or a period is asked for by: a column may be named so, too. */
export const OPERATION_WORDS = list(
  "average averages mean means avg total totals sum sums median medians minimum min lowest " +
    "smallest least fewest earliest maximum max highest largest biggest greatest most latest " +
    "count counts distinct unique different top bottom first last percent percentage share " +
    "between than over under above below more less",
);
export const PERIOD_WORDS = list(
  "year years quarter quarters month months weekday weekdays day days",
);

/** Of words that were not understood, those that a question about rows may hold. */
export const EMPTY_WORDS = list(
  "R and any both made come comes came recorded listed counted registered across still " +
    "currently already",
);
/** What asks for the future or for advice is in no table. */
export const MODAL_WORDS = list("will shall would should could might may");
/** Words between others that tell the rules nothing. */
export const FILLERS =
  "the|of|a|an|is|are|was|were|be|been|all|our|my|we|you|their|its|values?|columns?|had|has|have|" +
  "with|did|do|does|there|many " +
  "of";
/** Verbs that say nothing beside a figure that is named: `got the most points`. */
export const LIGHT_VERBS = "got|gets?|took|takes?|taken|makes?|reach(?:es|ed)?|needed|needs?";
export const ROW_NOUNS = list("row record entry line observation");

/** Phrases by the one token that the rules know, in this order. */
export const SYNONYMS: [said: string, token: string][] = [
  [
    "(?:could|can|would) you (?:please )?(?:tell|give|show|list|find|compute|calculate|count)",
    "list",
  ],
  ["hi|hello|hey|please|i (?:want|need) to (?:know|see)|(?:tell|show|give) me", ""],
  ["whats", "what"],
  ["(?:at (?:the )?least|no less than|no fewer than|(?:more|greater) than or equal to)", ">="],
  ["(?:at (?:the )?most|no more than|up to|not more than|less than or equal to)", "<="],
  ["(?:more|greater|higher|larger|bigger) than|over|above|exceeding|exceeds", ">"],
  ["(?:less|fewer|lower|smaller) than|under|below", "<"],
  ["exactly|equal to|equals", "="],
  ["(?:do|does|did) not have|(?:have|has|had|with) no|without(?: an?| any)?|missing an?", "no"],
  ["except for|except|excluding|other than|neither|nor|not yet|never", "not"],
  ["missing|empty|blank|null", "missing"],
  ["most (?:common|frequent|frequently|often)", "commonest"],
  ["least (?:common|frequent|frequently|often)", "rarest"],
  [
    "difference between (?:the )?(?:highest|lowest|largest|smallest) and (?:the )?\\w+|range",
    "range",
  ],
  ["in total|altogether|in all|overall|combined|taken together|put together", "altogether"],
  ["percentage|percent|share|proportion|fraction|%", "share"],
  ["averages?|means?|avg", "mean"],
  ["total number|how many|number|amount|counts?", "count"],
  ["totals?|sums?|sum up", "sum"],
  ["medians?", "median"],
  ["minimums?|min|lowest|smallest|earliest|bottom", "min"],
  ["maximums?|max|highest|largest|biggest|greatest|latest|top", "max"],
  ["fewest", "least"],
  ["distinct|unique|different|possible", "distinct"],
  ["yearly|annually", "by year"],
  ["monthly", "by month"],
  ["(?:(?:for|in|of|on) )?(?:each|every)|grouped by|group by|broken down by|per|across", "by"],
  ["months? of the year|calendar months?", "calendarmonth"],
  ["days? of the week|weekdays?", "weekday"],
  ["years", "year"],
  ["quarters", "quarter"],
  ["months", "month"],
  ["days", "day"],
  // `As of March` may be until it or since.
  ["as of", "asof"],
  ["versus|vs|as well as", "and"],
];

export const NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split(
  " ",
);
export const ORDINALS =
  "zeroth first second third fourth fifth sixth seventh eighth ninth tenth".split(" ");
export const MONTHS =
  "january february march april may june july august september october november december".split(
    " ",
  );

/** Units: the one form in which they are compared, then how else they are said. */
const UNITS = [
  "eur euro euros",
  "usd dollar dollars",
  "chf franc francs",
  "gbp sterling",
  "km kms kilometer kilometers kilometre kilometres",
  "m meter meters metre metres",
  "cm centimeter centimeters centimetre centimetres",
  "mm millimeter millimeters millimetre millimetres",
  "kg kgs kilo kilos kilogram kilograms",
  "g gram grams gramme grammes",
  "t ton tons tonne tonnes",
  "h hr hrs hour hours",
  "min mins minute minutes",
  "s sec secs second seconds",
  "d day days",
  "y yr yrs year years",
  "l liter liters litre litres",
  "kwh",
  "pct %",
].map((line) => line.split(" "));

/** The unit that a word is, in the form in which units are compared; null for any other word. */
export function unitOf(word: string | undefined): string | null {
  return UNITS.find((names) => names.includes(word ?? ""))?.[0] ?? null;
}

const MONEY =
  "eur usd chf gbp euro price cost fee deposit amount payment revenue sales salary wage rent";
const DURATION = "length duration day days h hour hours min minutes";

/**
 * Adjectives that measure: their stems with what they mean, and the words of the names of the
 * columns that hold what they measure.
 */
export const MEASURES: [stems: string, token: "max" | "min", names: string][] = [
  ["old", "max", "age"],
  ["young", "min", "age"],
  ["tall high", "max", "height"],
  ["short", "min", `height ${DURATION}`],
  ["long", "max", DURATION],
  ["heavi", "max", "weight mass"],
  ["light", "min", "weight mass"],
  ["dear", "max", MONEY],
  ["cheap", "min", MONEY],
  ["fast", "max", "speed"],
  ["farth furth", "max", "distance km"],
  ["clos near", "min", "distance km"],
  ["deep", "max", "depth"],
  ["warm hott", "max", "temp temperature"],
  ["cold cool", "min", "temp temperature"],
];

/** Short forms of words in names. */
export const SHORT: { [word: string]: string } = {
  hrs: "hours",
  hr: "hours",
  qty: "quantity",
  yrs: "years",
};
