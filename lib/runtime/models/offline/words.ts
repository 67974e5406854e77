import "server-only";

/** Words that say nothing by themselves. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  "a an the of in on at to for from by with and or but not no is are was were be been being do does did done have has had having it its this that these those there here i me my we us our you your he she they them their his her what which who whom whose when where why how many much as than then so if into over under between about per each every all any some such only also just please can could would will shall should may might must let make made using use used up out off again more most less least very it's s t file files csv json tsv data dataset table column columns row rows record records value values show give tell find list name report answer question".split(
    " ",
  ),
);

/** A word without its English plural. */
export function stem(word: string): string {
  const lower = word.toLowerCase();
  if (lower.length > 4 && lower.endsWith("ies")) return `${lower.slice(0, -3)}y`;
  if (lower.length > 4 && /(?:ss|x|ch|sh|zz)es$/.test(lower)) return lower.slice(0, -2);
  if (lower.length > 3 && lower.endsWith("s") && !/(?:ss|us|is)$/.test(lower)) return lower.slice(0, -1);
  return lower;
}

/** The words and numbers of a text, as written. */
export function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+(?:['’.][\p{L}\p{N}]+)*/gu) ?? [];
}

/** Stems of the words that say something. */
export function keywordsOf(text: string): string[] {
  return wordsOf(text)
    .filter((word) => word.length > 1 && !STOP_WORDS.has(word.toLowerCase()))
    .map(stem);
}

/** The sentences and lines of a text, trimmed, empty ones left out. */
export function sentencesOf(text: string): string[] {
  return text
    .split(/\n+|(?<=[.!?;])\s+(?=[\p{Lu}\p{N}"“'([-])|(?<=[!?;])\s+/u)
    .map((sentence) => sentence.trim())
    .filter(Boolean);
}
