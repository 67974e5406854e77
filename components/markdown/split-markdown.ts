/**
 * Cuts Markdown that is still being written into pieces that are finished and a last one that is not, at blank lines outside of
 * code fences. Joined with a blank line they are the text again (but for runs of blank lines). Drawing each finished piece once
 * keeps a long answer from being parsed anew at every frame.
 */
export function splitMarkdown(text: string): string[] {
  const pieces: string[] = [];
  let piece: string[] = [];
  let fence: string | null = null;
  for (const line of text.split("\n")) {
    fence = fenceAfter(fence, line);
    if (line.trim() === "" && fence === null && piece.length > 0) {
      pieces.push(piece.join("\n"));
      piece = [];
    } else if (line.trim() !== "" || fence !== null) piece.push(line);
  }
  pieces.push(piece.join("\n"));
  return pieces;
}

/** The fence that is open after the line, or null. */
function fenceAfter(fence: string | null, line: string): string | null {
  if (fence === null) return /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[1] ?? null;
  const mark = /^ {0,3}(`{3,}|~{3,})\s*$/.exec(line)?.[1];
  return mark && mark.charAt(0) === fence.charAt(0) && mark.length >= fence.length ? null : fence;
}
