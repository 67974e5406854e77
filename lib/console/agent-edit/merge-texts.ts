import { diffLines, type Hunk } from "@/lib/model/diff-lines";

export interface MergedTexts {
  text: string;
  /** Places that both changed, differently: there the text says what `mine` says. */
  conflicts: number;
}

/**
 * Both changes of one text in one, line by line: a place that only one of them changed says what
 * that one says.
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
    if (group.own.length > 0 && group.others.length > 0 && here.join("\n") !== there.join("\n"))
      conflicts += 1;
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

/**
 * The next hunk of either side with all that overlap or touch it: changes side by side are seldom
 * independent.
 */
function takeGroup(own: Hunk[], others: Hunk[]): Group {
  const from = Math.min(
    own[0]?.from ?? Number.POSITIVE_INFINITY,
    others[0]?.from ?? Number.POSITIVE_INFINITY,
  );
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
