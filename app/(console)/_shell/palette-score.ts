/** How well an entry fits what was typed: every word has to be in it, and a beginning counts most. 0 leaves it out. */
export function paletteScore(entry: string, search: string): number {
  const text = entry.toLowerCase();
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.every((word) => text.includes(word))) return 0;
  const first = words[0] ?? "";
  if (text.startsWith(first)) return 1;
  return text.includes(` ${first}`) ? 0.7 : 0.4;
}
