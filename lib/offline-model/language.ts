import "server-only";
import { trimEnd } from "@/lib/model/text/trim";

/**
 * Words that carry no meaning of their own in a request. Words that turn a meaning round (`not`,
 * `without`, `only`) are none of them.
 */
const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  (
    "a an the this that these those it its of in on at to for from with and as is are was were be been being do does did has have had there here i me my we us our you your they their " +
    "what which who whom how when where whose whats please can could would will shall should may might let also then so just now kindly and/or " +
    "give gives tell show shows find finds list lists report reports compute computes calculate calculates determine determines work out get gets return returns display displays print provide provides state name say answer answers output present " +
    "value values figure figures number numbers data dataset file files table csv json tsv workspace spreadsheet column columns row rows record records entry entries result results statistic statistics need want know"
  ).split(" "),
);

export function isFunctionWord(word: string): boolean {
  return FUNCTION_WORDS.has(word);
}

/** A word without its English plural. */
export function stem(word: string): string {
  const lower = word.toLowerCase();
  if (lower.length > 4 && lower.endsWith("ies")) return `${lower.slice(0, -3)}y`;
  if (lower.length > 4 && /(?:ss|x|ch|sh|zz)es$/.test(lower)) return lower.slice(0, -2);
  if (lower.length > 3 && lower.endsWith("s") && !/(?:ss|us|is)$/.test(lower))
    return lower.slice(0, -1);
  return lower;
}

/** The words of a name such as `temp_max`, `unitPrice` or `Body Mass (g)`, in lower case. */
export function nameWords(name: string): string[] {
  return name
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
}

/**
 * Stems of the words of a text that say something; verbs without their endings, so that `ends`,
 * `ended` and `end` are one.
 */
export function keywordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}_]+(?:[.'’][\p{L}\p{N}]+)*/gu) ?? [])
    .map((word) => word.replace(/['’]s$/, ""))
    .filter((word) => word.length > 1 && !FUNCTION_WORDS.has(word))
    .map((word) => stem(word).replace(/^(\p{L}{3,}?)(?:ing|ed|e)$/u, "$1"));
}

const ABBREVIATIONS = new Set(["Mr", "Mrs", "Ms", "Dr", "Prof", "St", "e.g", "i.e"]);
const ABBREVIATION_MAX_CHARACTERS = 6;

/** Whether the full stop at a place ends a sentence, and not an abbreviation or an initial. */
function isStop(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - ABBREVIATION_MAX_CHARACTERS), at);
  const word = before.slice(Math.max(before.search(/[\s(][^\s(]*$/) + 1, 0));
  return !ABBREVIATIONS.has(word) && !/^\p{Lu}$/u.test(word);
}

/** The sentences and lines of a text, trimmed, empty ones left out. */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  let start = 0;
  for (const { 0: gap, index } of text.matchAll(/\s+/g)) {
    const end = text.charAt(index - 1);
    const begins = /^[\p{Lu}\p{N}"“'([-]/u.test(text.slice(index + gap.length).slice(0, 2));
    const isEnd =
      gap.includes("\n") ||
      "!?;".includes(end || " ") ||
      (end === "." && begins && isStop(text, index - 1));
    if (!isEnd) continue;
    sentences.push(text.slice(start, index));
    start = index + gap.length;
  }
  return [...sentences, text.slice(start)]
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

const NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");
const ORDINALS = "zeroth first second third fourth fifth sixth seventh eighth ninth tenth".split(
  " ",
);

/** `12`, `1,234.5` or `twelve`; null for anything else. */
export function numberOf(word: string): number | null {
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$|^\d+(?:\.\d+)?$/.test(word))
    return Number(word.replaceAll(",", ""));
  const at = NUMBERS.indexOf(word.toLowerCase());
  return at < 0 ? null : at;
}

/** `second`, `2nd`; null for anything else. */
export function ordinalOf(word: string): number | null {
  const digits = /^(\d{1,3})(?:st|nd|rd|th)$/i.exec(word)?.[1];
  if (digits) return Number(digits);
  const at = ORDINALS.indexOf(word.toLowerCase());
  return at < 0 ? null : at;
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Cut to a length, with a mark where something is left out; never within one of two code units. */
export function cut(text: string, maxCharacters: number): string {
  return text.length <= maxCharacters
    ? text
    : `${text.slice(0, maxCharacters - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

export function quote(text: string): string {
  return `“${cut(text.replace(/\s+/g, " ").trim(), 200)}”`;
}

/** Text of a file inside Markdown: it makes no link, image, code, tag or column. */
export function escapeText(text: string): string {
  return text.replace(/[\r\n]+/g, " ").replace(/[\\|`!<[\]]/g, (sign) => `\\${sign}`);
}

/** A sum that a request sets. */
export interface Arithmetic {
  /** As people write it. */
  text: string;
  /** JavaScript of digits, operators and the functions below, and nothing else. */
  code: string;
}

const LIST_CODE: { [name: string]: string } = {
  sum: "list.reduce((a, b) => a + b, 0)",
  total: "list.reduce((a, b) => a + b, 0)",
  average: "list.reduce((a, b) => a + b, 0) / list.length",
  mean: "list.reduce((a, b) => a + b, 0) / list.length",
  median:
    "((s) => (s[(s.length - 1) >> 1] + s[s.length >> 1]) / 2)([...list].sort((a, b) => a - b))",
  minimum: "Math.min(...list)",
  maximum: "Math.max(...list)",
};
const LEAD =
  /^(?:(?:please|what is|what's|what are|how much is|calculate|compute|work out|tell me|the|of)\s+)*/i;
const AMOUNT = /^-?\d+(?:,\d{3})*(?:\.\d+)?$/;
const AMOUNT_MAX_CHARACTERS = 40;
const LISTED = /^-?\d{1,15}(?:\.\d{1,15})?$/;
const LISTED_MAX = 500;
const LENGTH_MAX = 4000;

/**
 * The sum that is the whole of a clause: an expression, a percentage, a figure of a list. Null for
 * anything else.
 */
export function readArithmetic(clause: string): Arithmetic | null {
  if (clause.length > LENGTH_MAX) return null;
  const said = clause.replaceAll("×", "*").replaceAll("÷", "/").replaceAll("−", "-");
  const text = trimEnd(said.replace(LEAD, ""), " \t\r\n?.=!");
  const percent = percentage(text);
  if (percent)
    return toArithmetic(
      `${percent.part} % of ${percent.whole}`,
      `${bare(percent.part)} * ${bare(percent.whole)} / 100`,
    );
  // `1,234` in a list may be one number or two.
  const isClear = !/\d,\d{3}(?!\d)/.test(text);
  const listed = isClear ? listedNumbers(text) : null;
  if (listed) return toArithmetic(text, `((list) => ${listed.code})([${listed.numbers}])`);
  const isExpression =
    /^[\d\s.+*/^()%-]{3,300}$/.test(text) &&
    /\d\s*[-+*/^%]\s*[(\d-]/.test(text) &&
    !/^\d{4}-\d\d(?:-\d\d)?$/.test(text);
  return isExpression
    ? toArithmetic(text, text.replace(/\d+(?:\.\d+)?/g, bare).replaceAll("^", "**"))
    : null;
}

/** `15 % of 1,200`. */
function percentage(text: string): { part: string; whole: string } | null {
  const [said = "", whole = "", more] = text.split(/\sof\s/i).map((side) => side.trim());
  const sign = ["%", "percent"].find((word) => said.toLowerCase().endsWith(word));
  const part = said.slice(0, -(sign?.length ?? 0)).trim();
  const isAmount = (word: string) => word.length <= AMOUNT_MAX_CHARACTERS && AMOUNT.test(word);
  return sign && more === undefined && isAmount(part) && isAmount(whole) ? { part, whole } : null;
}

/** `median of 3, 4 and 5`: what is worked out of the list, and its numbers. */
function listedNumbers(text: string): { code: string; numbers: string } | null {
  const [op = "", ...words] = text.split(/[\s,;]+/).filter((word) => word.toLowerCase() !== "and");
  const code = Object.hasOwn(LIST_CODE, op.toLowerCase()) ? LIST_CODE[op.toLowerCase()] : undefined;
  const numbers = words[0]?.toLowerCase() === "of" ? words.slice(1) : words;
  const isList =
    numbers.length > 1 &&
    numbers.length <= LISTED_MAX &&
    numbers.every((number) => LISTED.test(number));
  return code && isList ? { code, numbers: numbers.map(bare).join(", ") } : null;
}

function toArithmetic(text: string, code: string): Arithmetic {
  return { text, code: `Number((${code}).toPrecision(15))` };
}

/** Without signs of thousands, and without leading zeros, which would read as octal. */
function bare(digits = "0"): string {
  const sign = digits.startsWith("-") ? "-" : "";
  const plain = digits.slice(sign.length).replaceAll(",", "");
  let start = 0;
  while (plain.charAt(start) === "0" && /^\d/.test(plain.charAt(start + 1))) start += 1;
  return sign + plain.slice(start);
}
