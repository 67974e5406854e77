import { readFileSync } from "node:fs";

/**
 * The lines of a Markdown page, each list item on one, over however many it is wrapped.
 * @param {string} file
 */
export function listLines(file) {
  /** @type {string[]} */
  const lines = [];
  for (const line of readFileSync(file, "utf8").split("\n")) {
    if (lines.at(-1) && /^ {2,}(?:-\S|[^\s-])/.test(line))
      lines.push(`${lines.pop()} ${line.trim()}`);
    else lines.push(line);
  }
  return lines;
}
