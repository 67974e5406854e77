/** A run's `input` object whose JSON is exactly `bytes` long in UTF-8, ending in `end`, and as multi-byte as it can be when asked. */
export function inputOfBytes(bytes: number, { multiByte = false, end = "" } = {}): { text: string } {
  const room = bytes - Buffer.byteLength(JSON.stringify({ text: end }));
  const text = multiByte ? "ü".repeat(Math.floor(room / 2)) + "a".repeat(room % 2) : "a".repeat(room);
  return { text: text + end };
}
