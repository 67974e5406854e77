import { diff } from "@codemirror/merge";

export interface MergedTexts {
  text: string;
  /** Places that both changed, differently: there the text says what `mine` says. */
  conflicts: number;
}

/**
 * Both changes of one text in one, line by line: a place that only one of them changed says what that one says. On the diff of the editor, which is
 * bounded in time: node-diff3 is not, and takes more than half a minute for 4,000 lines of which most are blank.
 */
export function mergeTexts(base: string, mine: string, theirs: string): MergedTexts {
  const lines = base.split("\n");
  const own = diffLines(lines, mine.split("\n"));
  const others = diffLines(lines, theirs.split("\n"));
  const out: string[] = [];
  let line = 0;
  let conflicts = 0;
  while (own.length > 0 || others.length > 0) {
    const group = takeGroup(own, others);
    out.push(...lines.slice(line, group.from));
    const here = apply(lines, group, group.own);
    const there = apply(lines, group, group.others);
    if (group.own.length > 0 && group.others.length > 0 && here.join("\n") !== there.join("\n")) conflicts += 1;
    out.push(...(group.own.length > 0 ? here : there));
    line = group.to;
  }
  out.push(...lines.slice(line));
  return { text: out.join("\n"), conflicts };
}

interface Group {
  from: number;
  to: number;
  own: Hunk[];
  others: Hunk[];
}

/** The next hunk of either side with all that overlap or touch it: changes side by side are seldom independent. */
function takeGroup(own: Hunk[], others: Hunk[]): Group {
  const from = Math.min(own[0]?.from ?? Number.POSITIVE_INFINITY, others[0]?.from ?? Number.POSITIVE_INFINITY);
  const group: Group = { from, to: from, own: [], others: [] };
  for (let grown = true; grown; ) {
    grown = takeInto(group, own, group.own) || takeInto(group, others, group.others);
  }
  return group;
}

function takeInto(group: Group, source: Hunk[], side: Hunk[]): boolean {
  const [hunk] = source;
  if (!hunk || hunk.from > group.to) return false;
  source.shift();
  side.push(hunk);
  group.to = Math.max(group.to, hunk.to);
  return true;
}

function apply(lines: string[], { from, to }: Group, hunks: Hunk[]): string[] {
  const out: string[] = [];
  let line = from;
  for (const hunk of hunks) {
    out.push(...lines.slice(line, hunk.from), ...hunk.lines);
    line = hunk.to;
  }
  return [...out, ...lines.slice(line, to)];
}

/** Lines `from` to before `to` of the old text, counted from 0, replaced by `lines`. */
interface Hunk {
  from: number;
  to: number;
  lines: string[];
}

/** Bounds the search in very different texts, which are then told apart less finely. */
const LIMITS = { scanLimit: 2_000, timeout: 500 };
/** Code units before the surrogates, which a diff of characters would keep in pairs. */
const LETTERS_MAX = 0xd800;

/** What turns one text into the other, line by line, in order. */
function diffLines(before: readonly string[], after: readonly string[]): Hunk[] {
  const letters = new Map<string, string>();
  const spell = (lines: readonly string[]) => lines.map((line) => letterFor(line, letters)).join("");
  const [old, next] = [spell(before), spell(after)];
  // More different lines than letters: no editor of people's texts gets here.
  if (letters.size > LETTERS_MAX) return [{ from: 0, to: before.length, lines: [...after] }];
  return diff(old, next, LIMITS).map(({ fromA, toA, fromB, toB }) => ({ from: fromA, to: toA, lines: after.slice(fromB, toB) }));
}

/** Each different line is a letter, so that a diff of characters is one of lines. */
function letterFor(line: string, letters: Map<string, string>): string {
  const known = letters.get(line);
  if (known !== undefined) return known;
  const letter = String.fromCharCode(letters.size % LETTERS_MAX);
  letters.set(line, letter);
  return letter;
}
