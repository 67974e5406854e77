import { LatheConnectionError } from "./errors/lathe-connection-error";

const LINE_MAX_CHARACTERS = 64 * 1024 * 1024;

/**
 * The JSON objects of a stream of newline-delimited JSON, as they arrive and however the bytes were cut. What follows the last newline was cut
 * off and is dropped. Rejects with `LatheConnectionError` when the stream breaks, is silent for `stallMs`, or is no such JSON, and with the
 * signal's reason when it aborts. The connection is let go of at the end, however that comes.
 */
export async function* readLines(
  body: ReadableStream<Uint8Array>,
  { stallMs, signal }: { stallMs: number; signal?: AbortSignal },
): AsyncGenerator<object> {
  const reader = body.getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  // The pieces of a line that has no end yet: joined once, so that a long line costs no more than its length.
  let pieces: string[] = [];
  let held = 0;
  try {
    for (;;) {
      const { done, value } = await withinStall(reader.read(), stallMs, signal);
      if (done) return;
      const [first = "", ...more] = decode(decoder, value).split("\n");
      pieces.push(first);
      held += first.length;
      if (held > LINE_MAX_CHARACTERS) throw new LatheConnectionError("A line of the stream is too long.");
      for (const next of more) {
        const line = pieces.join("");
        pieces = [next];
        held = next.length;
        if (line.trim() === "") continue;
        signal?.throwIfAborted();
        yield parse(line);
      }
    }
  } finally {
    // Not awaited: a connection that hangs may never say that it is gone.
    reader.cancel().catch(() => undefined);
  }
}

function decode(decoder: TextDecoder, bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes, { stream: true });
  } catch (error) {
    throw new LatheConnectionError("The stream is not UTF-8.", { cause: error });
  }
}

function parse(line: string): object {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === "object" && value !== null) return value;
  } catch {
    // Said below.
  }
  throw new LatheConnectionError("A line of the stream is not a JSON object.");
}

function withinStall<T>(read: Promise<T>, stallMs: number, signal: AbortSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => settle(() => reject(signal?.reason));
    const timer = setTimeout(() => settle(() => reject(new LatheConnectionError(`The stream was silent for ${stallMs} ms.`))), stallMs);
    const settle = (end: () => void) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
      end();
    };
    signal?.addEventListener("abort", stop, { once: true });
    if (signal?.aborted) stop();
    read.then(
      (value) => settle(() => resolve(value)),
      (error: unknown) =>
        settle(() => reject(signal?.aborted ? signal.reason : new LatheConnectionError("The stream broke off.", { cause: error }))),
    );
  });
}
