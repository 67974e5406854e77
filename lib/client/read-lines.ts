import { LatheConnectionError } from "./errors";

/** The service pings every 10 s: one that is silent for so long is broken. */
const STALL_MS = 35_000;

/**
 * The objects of newline-delimited JSON, however the bytes were cut. Leaving the loop lets go of
 * the stream.
 * @throws LatheConnectionError where it breaks off or is silent; the signal's reason
 */
export async function* readLines<Line>(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Line> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await withinStall(reader.read());
      if (done) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        signal?.throwIfAborted();
        // What the document says; fields and types that it does not know yet pass through.
        if (line.trim() !== "") yield JSON.parse(line) as Line;
      }
    }
  } catch (cause) {
    signal?.throwIfAborted();
    throw cause instanceof LatheConnectionError
      ? cause
      : new LatheConnectionError("The stream broke off.", { cause });
  } finally {
    // Not awaited: a connection that hangs may never say that it is gone.
    reader.cancel().catch(() => undefined);
  }
}

function withinStall<T>(read: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stall = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new LatheConnectionError(`The stream was silent for ${STALL_MS} ms.`)),
      STALL_MS,
    );
  });
  return Promise.race([read, stall]).finally(() => clearTimeout(timer));
}
