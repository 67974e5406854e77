/** Cuts a text into parts of `size` UTF-16 units, never inside a surrogate pair. */
export function* chunkText(text, size) {
  for (let at = 0; at < text.length; ) {
    let end = Math.min(at + size, text.length);
    const last = text.charCodeAt(end - 1);
    if (end < text.length && last >= 0xd800 && last <= 0xdbff) end += 1;
    yield text.slice(at, end);
    at = end;
  }
}
