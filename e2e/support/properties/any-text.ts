import fc from "fast-check";

/** Texts that have broken something somewhere: patterns, quotes, other scripts, invisible and foreign spaces, non-characters. */
const AWKWARD = [
  "%",
  "_",
  "\\",
  "' OR 1=1 --",
  "{{7*7}}",
  "<script>",
  "../../etc/passwd",
  "null",
  "-0",
  "0x10",
  " ",
  "\t",
  "\r\n",
  "\u200b",
  "\u2028",
  "\u202e",
  "\ufeff",
  "\ufffe",
  "\ufdd0",
  "\u{10ffff}",
  "İ",
  "ß",
  "e\u0301",
  "😀",
  "👩‍👩‍👧",
  "ﷺ",
  "\u0001",
  "\u007f",
  "\u0085",
];

/** A text of `least` to `most` UTF-16 units that a service may be asked to keep: no NUL, no lone surrogate. */
export function anyText(least: number, most: number): fc.Arbitrary<string> {
  const plain = fc.string({ minLength: least, maxLength: Math.max(least, Math.floor(most / 4)), unit: "grapheme" });
  const odd = fc.constantFrom(...AWKWARD).map((text) => text.padEnd(least, "."));
  const raw = fc
    .string({ minLength: least, maxLength: Math.max(least, Math.floor(most / 2)), unit: "binary" })
    .map((text) => text.replaceAll("\0", "·"));
  return fc
    .oneof({ weight: 3, arbitrary: plain }, { weight: 2, arbitrary: odd }, { weight: 1, arbitrary: raw })
    .map((text) => cut(text, most));
}

function cut(text: string, most: number): string {
  const end = text.slice(0, most);
  return end.isWellFormed() ? end : `${end.slice(0, -1)}.`;
}
