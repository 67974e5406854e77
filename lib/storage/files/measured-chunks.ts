import "server-only";
import { createHash } from "node:crypto";
import { type FileSource, FileTooLarge, type StoredFile } from "@/lib/storage/files/file-store";
export type MeasuredChunks = {
  chunks: AsyncGenerator<Uint8Array, void, undefined>;
  /** After the end: size and hash. */
  result: () => StoredFile;
  /** What the chunks ended with, if with a fault; whoever consumes them may have wrapped it in one of its own. */
  fault: () => { error: unknown } | null;
};

/**
 * Passes a source on, counting and hashing it; ends with FileTooLarge after `maxBytes`, with the signal's reason when that aborts, even
 * while the source is silent. Whichever way it ends, the source is closed.
 */
export function measureChunks(source: FileSource, options: { maxBytes: number; signal?: AbortSignal | undefined }): MeasuredChunks {
  const hash = createHash("sha256");
  let sizeBytes = 0;
  let fault: { error: unknown } | null = null;
  async function* pass() {
    const input = source instanceof ReadableStream ? fromStream(source) : fromIterable(source);
    const stopped = abortOf(options.signal);
    let ended = false;
    try {
      while (true) {
        options.signal?.throwIfAborted();
        const next = await Promise.race([input.next(), stopped.promise]);
        ended = next.done === true;
        if (next.done) return;
        sizeBytes += next.value.byteLength;
        if (sizeBytes > options.maxBytes) throw new FileTooLarge(options.maxBytes);
        hash.update(next.value);
        yield next.value;
      }
    } catch (error) {
      fault = { error };
      throw error;
    } finally {
      stopped.release();
      // Not awaited: a source that is stuck would hold the caller's failure up.
      if (!ended) input.close().catch(() => {});
    }
  }
  return { chunks: pass(), result: () => ({ sizeBytes, sha256: hash.copy().digest("hex") }), fault: () => fault };
}

type Input = { next: () => Promise<IteratorResult<Uint8Array, unknown>>; close: () => Promise<unknown> };

function fromStream(source: ReadableStream<Uint8Array>): Input {
  const reader = source.getReader();
  const next = async (): Promise<IteratorResult<Uint8Array, unknown>> => {
    const { done, value } = await reader.read();
    return done ? { done, value: undefined } : { done: false, value };
  };
  return { next, close: () => reader.cancel() };
}

function fromIterable(source: AsyncIterable<Uint8Array>): Input {
  const iterator = source[Symbol.asyncIterator]();
  return { next: () => iterator.next(), close: async () => iterator.return?.() };
}

function abortOf(signal: AbortSignal | undefined): { promise: Promise<never>; release: () => void } {
  let stop = () => {};
  const promise = new Promise<never>((_, reject) => {
    stop = () => reject(signal?.reason);
  });
  // Usually nobody is waiting when it is rejected.
  promise.catch(() => {});
  signal?.addEventListener("abort", stop, { once: true });
  return { promise, release: () => signal?.removeEventListener("abort", stop) };
}
