/** What is wrong with a text, and where: `path` is dotted (empty for a fault of syntax), `line` and `column` count from 1. */
export type TextError = { path: string; message: string; line: number; column: number };

/** The line and column of an offset, both from 1; columns count UTF-16 units, as editors do. */
export function toPosition(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, Math.max(0, offset));
  const lastBreak = before.lastIndexOf("\n");
  return { line: before.split("\n").length, column: before.length - lastBreak };
}
