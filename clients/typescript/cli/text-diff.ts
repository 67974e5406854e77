const CONTEXT_LINES = 3;
/** Beyond this, the changed part is shown as a whole: a table of all pairs of lines would take too much memory. */
const PAIRS_MAX = 4_000_000;

interface Line {
  mark: " " | "-" | "+";
  text: string;
}

/** The lines by which two texts differ, in the manner of `diff -u` without its headings of places; empty when they are the same. */
export function diffTexts(before: string, after: string, names: { before: string; after: string }): string {
  if (before === after) return "";
  const lines = diffLines(before.split("\n"), after.split("\n"));
  const shown = lines.map((_, place) =>
    lines.slice(Math.max(0, place - CONTEXT_LINES), place + CONTEXT_LINES + 1).some(({ mark }) => mark !== " "),
  );
  const parts = [`--- ${names.before}`, `+++ ${names.after}`];
  for (const [place, { mark, text }] of lines.entries()) {
    if (!shown[place]) continue;
    if (!shown[place - 1]) parts.push("@@");
    parts.push(`${mark}${text}`);
  }
  return `${parts.join("\n")}\n`;
}

function diffLines(before: string[], after: string[]): Line[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const same = (lines: string[]): Line[] => lines.map((text) => ({ mark: " ", text }));
  const changed = diffChanged(before.slice(start, before.length - end), after.slice(start, after.length - end));
  return [...same(before.slice(0, start)), ...changed, ...same(before.slice(before.length - end))];
}

/** By the longest common subsequence. */
function diffChanged(before: string[], after: string[]): Line[] {
  const width = after.length + 1;
  if (before.length * after.length > PAIRS_MAX)
    return [...before.map((text): Line => ({ mark: "-", text })), ...after.map((text): Line => ({ mark: "+", text }))];
  const lengths = new Uint32Array((before.length + 1) * width);
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = before.length - 1; row >= 0; row -= 1)
    for (let column = after.length - 1; column >= 0; column -= 1)
      lengths[row * width + column] =
        before[row] === after[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
  const lines: Line[] = [];
  let [row, column] = [0, 0];
  while (row < before.length || column < after.length) {
    const [old, made] = [before[row], after[column]];
    if (old !== undefined && old === made) {
      lines.push({ mark: " ", text: old });
      row += 1;
      column += 1;
    } else if (old !== undefined && (made === undefined || at(row + 1, column) >= at(row, column + 1))) {
      lines.push({ mark: "-", text: old });
      row += 1;
    } else {
      lines.push({ mark: "+", text: made ?? "" });
      column += 1;
    }
  }
  return lines;
}
