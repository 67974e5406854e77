/** A line longer than this is no line of ours: the stream is given up before it fills the memory. */
const LINE_MAX_CHARACTERS = 4_000_000;

/** The JSON values of a stream of lines, as they arrive. Throws on a line that is no JSON; a last line without its end is dropped. */
export async function* readNdjson(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      if (rest.length > LINE_MAX_CHARACTERS) throw new Error("The stream sent a line without an end.");
      for (const line of lines) if (line.trim() !== "") yield JSON.parse(line);
    }
  } finally {
    // Leaving early must also end the connection, or the server keeps writing to nobody.
    await reader.cancel().catch(() => undefined);
  }
}
