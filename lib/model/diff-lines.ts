import { diff } from "@codemirror/merge";

/** Lines `from` to before `to` of the old text, counted from 0, replaced by `lines`. */
export interface Hunk {
  from: number;
  to: number;
  lines: string[];
}

/** Bounds the search in very different texts, which are then told apart less finely. */
const LIMITS = { scanLimit: 2_000, timeout: 500 };
/** Code units before the surrogates, which a diff of characters would keep in pairs. */
const LETTERS_MAX = 0xd800;

/**
 * What turns one text into the other, line by line, in order. On the diff of the editor, which is
 * bounded in time: node-diff3 is not, and takes more than half a minute for 4,000 lines of which
 * most are blank.
 */
export function diffLines(before: readonly string[], after: readonly string[]): Hunk[] {
  const letters = new Map<string, string>();
  const spell = (lines: readonly string[]) =>
    lines.map((line) => letterFor(line, letters)).join("");
  const [old, next] = [spell(before), spell(after)];
  // More different lines than letters: no editor of people's texts gets here.
  if (letters.size > LETTERS_MAX) return [{ from: 0, to: before.length, lines: [...after] }];
  return diff(old, next, LIMITS).map(({ fromA, toA, fromB, toB }) => ({
    from: fromA,
    to: toA,
    lines: after.slice(fromB, toB),
  }));
}

/** Each different line is a letter, so that a diff of characters is one of lines. */
function letterFor(line: string, letters: Map<string, string>): string {
  const known = letters.get(line);
  if (known !== undefined) return known;
  const letter = String.fromCharCode(letters.size % LETTERS_MAX);
  letters.set(line, letter);
  return letter;
}

/** A text under the name of what it is a part of. */
export type NamedText = [name: string, text: string];

/**
 * The lines that went and came, part by part, in the form that patches have; empty where nothing
 * did. Both have the same parts in the same order.
 */
export function describeDiff(before: readonly NamedText[], after: readonly NamedText[]): string {
  return before
    .flatMap(([part, text], index) => {
      const [old, now] = [text.split("\n"), (after[index]?.[1] ?? "").split("\n")];
      const hunks = diffLines(old, now).map(({ from, to, lines }) =>
        [
          `@@ line ${from + 1}`,
          ...old.slice(from, to).map((line) => `-${line}`),
          ...lines.map((line) => `+${line}`),
        ].join("\n"),
      );
      return hunks.length > 0 ? [`## ${part}\n${hunks.join("\n")}`] : [];
    })
    .join("\n");
}
