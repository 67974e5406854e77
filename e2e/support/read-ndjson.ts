/** Reads newline-delimited JSON as it arrives, however the bytes were cut. A last line without its newline counts; an empty one does not. */
export async function* readNdjson(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown> {
  const reader = body.getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      const lines = rest.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (line !== "") yield JSON.parse(line);
      if (done) break;
    }
    if (rest !== "") yield JSON.parse(rest);
  } finally {
    // The reader went away early (or all is read): let the connection go.
    await reader.cancel().catch(() => undefined);
  }
}
