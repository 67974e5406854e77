const TEXT_MAX_CHARACTERS = 60_000;
/** Quotes and lists, inside each other and over all: measured, 48,000 of them block a page for 20 s and 2,000 for a third of one. */
const LINE_CONTAINERS_MAX = 6;
const CONTAINERS_MAX = 2000;
const LINE_INDENT_MAX_CHARACTERS = 64;
/** Brackets and emphasis marks are where Markdown parsers take quadratic time. */
const MARKS_MAX_RUN = 64;
const MARKS_MAX_PER_BLOCK = 4000;

export interface BoundedMarkdown {
  /** Plain when the text is built to be costly: it is then shown as it was written. */
  kind: "markdown" | "plain";
  text: string;
  /** Characters of the original that are left out at the end. */
  omitted: number;
}

/** Makes a stranger's text safe to parse in the page: bounded in length, and in the nesting that a parser would have to follow. */
export function boundMarkdown(text: string): BoundedMarkdown {
  const cut = text.length > TEXT_MAX_CHARACTERS ? text.slice(0, TEXT_MAX_CHARACTERS) : text;
  const omitted = text.length - cut.length;
  return { kind: isCostly(cut) ? "plain" : "markdown", text: cut, omitted };
}

function isCostly(text: string): boolean {
  let marks = 0;
  let containers = 0;
  for (const line of text.split("\n")) {
    const depth = countContainers(line);
    const found = countMarks(line);
    containers += depth;
    marks = line.trim() === "" ? 0 : marks + found;
    if (depth > LINE_CONTAINERS_MAX || containers > CONTAINERS_MAX || marks > MARKS_MAX_PER_BLOCK) return true;
  }
  return false;
}

/** How many quotes and lists the line opens inside each other; deep indentation counts as too many. Loops, as a pattern could itself be slow. */
function countContainers(line: string): number {
  let containers = 0;
  for (let index = 0; index < line.length; index += 1) {
    const character = line.charAt(index);
    if (character === ">" || ("-*+".includes(character) && " \t".includes(line.charAt(index + 1)))) containers += 1;
    else if (/[0-9]/.test(character)) {
      const end = endOfNumber(line, index);
      if (end === null) return containers;
      containers += 1;
      index = end;
    } else if (character !== " " && character !== "\t") return containers;
    else if (index > LINE_INDENT_MAX_CHARACTERS) return Number.POSITIVE_INFINITY;
  }
  return containers;
}

/** The place of the dot of `12. `, when that is what stands at `start`. */
function endOfNumber(line: string, start: number): number | null {
  let index = start;
  while (index - start < 10 && /[0-9]/.test(line.charAt(index))) index += 1;
  return ".)".includes(line.charAt(index) || " ") && " \t".includes(line.charAt(index + 1)) ? index : null;
}

/** How many marks the line has; too many when a long row of one kind is among them. A line of nothing else (a rule) is harmless. */
function countMarks(line: string): number {
  let marks = 0;
  let run = 0;
  let previous = "";
  for (const character of line) {
    if (!MARKS.includes(character)) {
      previous = "";
      continue;
    }
    run = character === previous ? run + 1 : 1;
    marks += 1;
    if (run > MARKS_MAX_RUN) return Number.POSITIVE_INFINITY;
    previous = character;
  }
  return marks;
}

const MARKS = "*_~`[]()<>!&\\|@";
