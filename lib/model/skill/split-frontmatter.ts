/** Longest frontmatter, in characters. */
export const FRONTMATTER_MAX_CHARACTERS = 16_384;

const FENCE = /^---[ \t]*$/;

/**
 * The YAML between the two `---` lines at the start of a text and what follows, or null when there
 * are no such lines.
 */
export function splitFrontmatter(text: string): { frontmatter: string; body: string } | null {
  const start = text.startsWith("\uFEFF") ? 1 : 0;
  let lineStart = start;
  for (let line = 0; lineStart <= text.length; line += 1) {
    if (lineStart - start > FRONTMATTER_MAX_CHARACTERS) return null;
    const lineEnd = endOfLine(text, lineStart);
    const isFence = FENCE.test(text.slice(lineStart, Math.min(lineEnd, lineStart + 100)).trimEnd());
    if (line === 0 && !isFence) return null;
    if (line > 0 && isFence)
      return {
        frontmatter: text.slice(endOfLine(text, start) + 1, lineStart),
        body: text.slice(lineEnd + 1),
      };
    lineStart = lineEnd + 1;
  }
  return null;
}

function endOfLine(text: string, from: number): number {
  const at = text.indexOf("\n", from);
  return at === -1 ? text.length : at;
}
