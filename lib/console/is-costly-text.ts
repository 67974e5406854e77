/** Measured: 120,000 marks in one paragraph hold a page up for a minute, by their square. */
const MARKS_MAX_PER_BLOCK = 4_000;
const DEPTH_MAX = 200;
const LINE_CONTAINERS_MAX = 40;
const MARKS = new Set("*_~`[]()<>!&\\");
const CONTAINERS = new Set(" \t>-*+");

/**
 * Whether a text is built so that the editor's grammars take long over it, as no text of people is:
 * it is then shown without colours. Grammars of YAML suffer from depth, those of Markdown from
 * marks without an empty line between them, and both from many quotes or lists on one line.
 */
export function isCostlyText(text: string, language: "markdown" | "yaml" | "json"): boolean {
  const markdown = language === "markdown";
  const nests = !markdown || text.startsWith("---");
  let marks = 0;
  let depth = 0;
  let containers = 0;
  let opening = true;
  let blank = true;
  for (const character of text) {
    if (character === "\n") {
      if (blank) marks = 0;
      [containers, opening, blank] = [0, true, true];
      continue;
    }
    blank &&= character === " " || character === "\t";
    opening &&= CONTAINERS.has(character);
    if (opening && character !== " " && character !== "\t") containers += 1;
    if (MARKS.has(character)) marks += 1;
    if (character === "[" || character === "{") depth += 1;
    if (character === "]" || character === "}") depth = Math.max(0, depth - 1);
    if (
      containers > LINE_CONTAINERS_MAX ||
      (nests && depth > DEPTH_MAX) ||
      (markdown && marks > MARKS_MAX_PER_BLOCK)
    )
      return true;
  }
  return false;
}
