/** A text as the editor holds it: every line end is one `\n`, whatever it was. */
export function toEditorText(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}

/** An edited text with the line ends that `original` has throughout: a text that came with `\r\n` goes back with it. */
export function withLineEndsOf(original: string, edited: string): string {
  const ends = original.match(/\r\n|\r|\n/g) ?? [];
  const windows = ends.length > 0 && ends.every((end) => end === "\r\n");
  return windows ? edited.replaceAll("\n", "\r\n") : edited;
}
