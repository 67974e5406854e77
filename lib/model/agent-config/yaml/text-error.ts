/** What is wrong with a text, and where: `path` is dotted (empty for a fault of syntax), `line` and `column` count from 1. */
export type TextError = { path: string; message: string; line: number; column: number };

/** The line and column of an offset, both from 1; columns count UTF-16 units, as editors do. */
export function toPosition(text: string, offset: number): { line: number; column: number } {
  const end = Math.min(Math.max(0, offset), text.length);
  let line = 1;
  let start = 0;
  for (let next = text.indexOf("\n"); next >= 0 && next < end; next = text.indexOf("\n", start)) {
    line += 1;
    start = next + 1;
  }
  return { line, column: end - start + 1 };
}
