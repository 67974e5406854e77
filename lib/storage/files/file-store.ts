import "server-only";
import { createHash, randomUUID } from "node:crypto";

/** The source held more bytes than allowed. Nothing was stored. */
export class FileTooLarge extends Error {
  override readonly name = "FileTooLarge";

  constructor(readonly maxBytes: number) {
    super(`The file is larger than ${maxBytes} bytes.`);
  }
}

/** There is no file under the key. */
export class FileMissing extends Error {
  override readonly name = "FileMissing";

  constructor() {
    super("The file is not in the store.");
  }
}

const SEGMENT = "[a-z0-9][a-z0-9_-]{0,63}";
const KEY = new RegExp(`^${SEGMENT}(/${SEGMENT}){0,7}$`);

/**
 * A key for new bytes of this owner: `<owner>/<two characters>/<random>`; the middle keeps folders
 * small. `owner` is an account's id.
 */
export function newFileKey(owner: string): string {
  const name = randomUUID();
  return requireFileKey(`${owner}/${name.slice(0, 2)}/${name}`);
}

/**
 * Lower case, digits, `_` and `-` in at most eight segments: no key can leave the store's folder,
 * and none differs from another only by case. @throws TypeError, which is a fault of ours: keys are
 * never made of what users send
 */
export function requireFileKey(key: string): string {
  if (!KEY.test(key)) throw new TypeError("not a key of the file store");
  return key;
}

/** Whether the store takes it: for keys that come from elsewhere, as those of a backup do. */
export function isFileKey(key: string): boolean {
  return KEY.test(key);
}

/** Whether `newFileKey` may have made it: in a bucket there may be things of others. */
export function isOwnFileKey(key: string): boolean {
  const match =
    /^[0-9a-f-]{36}\/([0-9a-f]{2})\/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/.exec(
      key,
    );
  return match !== null && match[2]?.startsWith(match[1] ?? "-") === true;
}

export type FileSource = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;
type StoredFile = { sizeBytes: number; sha256: string };
export type ListedFile = { key: string; sizeBytes: number; storedAt: Date };

/**
 * Where the bytes of files and artifacts lie. Keys come from `newFileKey` and are never used twice:
 * to replace a file, put the new bytes under a new key, point the record at it, then delete the old
 * key. Whatever dies in between, a record's key has its bytes.
 */
export type FileStore = {
  /**
   * Streams the source into the store. The file is there, whole and durable, once this resolves;
   * before that, and when it rejects, there is nothing under the key. The source is closed in every
   * case.
   * @throws FileTooLarge when the source goes on after `maxBytes`; the source's own error; the
   * signal's reason.
   */
  put: (
    key: string,
    source: FileSource,
    options: { maxBytes: number; signal?: AbortSignal | undefined },
  ) => Promise<StoredFile>;
  /**
   * The file, or its bytes from `start` to `end` inclusive (`end` beyond the last byte is the last
   * byte). Read it to the end or cancel it.
   * @throws FileMissing
   */
  read: (
    key: string,
    range?: { start: number; end?: number },
  ) => Promise<ReadableStream<Uint8Array>>;
  /** Deletes the file; nothing happens when it is not there. */
  delete: (key: string) => Promise<void>;
  /** Ends the connections of a store that has any. */
  close?: () => void;
  /** Deletes every file whose key begins with these whole segments, an account's say. */
  deletePrefix: (prefix: string) => Promise<void>;
  /** The size of the file; null when it is not there. */
  size: (key: string) => Promise<number | null>;
  /**
   * Every whole file behind the key `after` ("": from the beginning), in the store's own order, a
   * page at a time. What is put or deleted meanwhile may be missed.
   */
  list: (after: string) => AsyncIterable<ListedFile[]>;
  /** What tells this store from any other, the same for all processes that use it. */
  identity: () => Promise<string>;
  /**
   * Removes what uploads that died before this time left behind; resolves with how many there were.
   */
  sweepUnfinished: (before: Date) => Promise<number>;
  /** Bytes that the disk behind it has left; null where there is no such end. */
  freeBytes: () => Promise<number | null>;
};

type MeasuredChunks = {
  chunks: AsyncGenerator<Uint8Array, void, undefined>;
  /** After the end: size and hash. */
  result: () => StoredFile;
  /**
   * What the chunks ended with, if with a fault; whoever consumes them may have wrapped it in one
   * of its own.
   */
  fault: () => { error: unknown } | null;
};

/**
 * Passes a source on, counting and hashing it; ends with FileTooLarge after `maxBytes`, with the
 * signal's reason when that aborts, even while the source is silent. Whichever way it ends, the
 * source is closed.
 */
export function measureChunks(
  source: FileSource,
  options: { maxBytes: number; signal?: AbortSignal | undefined },
): MeasuredChunks {
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
  return {
    chunks: pass(),
    result: () => ({ sizeBytes, sha256: hash.copy().digest("hex") }),
    fault: () => fault,
  };
}

type Input = {
  next: () => Promise<IteratorResult<Uint8Array, unknown>>;
  close: () => Promise<unknown>;
};

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

function abortOf(signal: AbortSignal | undefined): {
  promise: Promise<never>;
  release: () => void;
} {
  let stop = () => {};
  const promise = new Promise<never>((_, reject) => {
    stop = () => reject(signal?.reason);
  });
  // Usually nobody is waiting when it is rejected.
  promise.catch(() => {});
  signal?.addEventListener("abort", stop, { once: true });
  return { promise, release: () => signal?.removeEventListener("abort", stop) };
}
