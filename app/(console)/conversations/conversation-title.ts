/** What a conversation is called: its first words; of named inputs, which begin as JSON and may be cut, the names and values. */
export function conversationTitle(title: string): string {
  if (title === "") return "Without words";
  if (!title.startsWith('{ "')) return title;
  return title
    .replace(/^\{ /, "")
    .replace(/ ?\}$/, "")
    .replaceAll(/"((?:[^"\\]|\\.)*)"/g, "$1");
}
