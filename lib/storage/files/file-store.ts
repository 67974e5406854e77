import "server-only";

export type FileSource = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;
export type StoredFile = { sizeBytes: number; sha256: string };
export type ListedFile = { key: string; sizeBytes: number; storedAt: Date };

/**
 * Where the bytes of files and artifacts lie. Keys come from `newFileKey` and are never used twice: to replace a file, put the new
 * bytes under a new key, point the record at it, then delete the old key. Whatever dies in between, a record's key has its bytes.
 */
export type FileStore = {
  /**
   * Streams the source into the store. The file is there, whole and durable, once this resolves; before that, and when it rejects,
   * there is nothing under the key. The source is closed in every case.
   * @throws FileTooLarge when the source goes on after `maxBytes`; the source's own error; the signal's reason.
   */
  put: (key: string, source: FileSource, options: { maxBytes: number; signal?: AbortSignal | undefined }) => Promise<StoredFile>;
  /**
   * The file, or its bytes from `start` to `end` inclusive (`end` beyond the last byte is the last byte). Read it to the end or cancel it.
   * @throws FileMissing
   */
  read: (key: string, range?: { start: number; end?: number }) => Promise<ReadableStream<Uint8Array>>;
  /** Deletes the file; nothing happens when it is not there. */
  delete: (key: string) => Promise<void>;
  /** Deletes every file whose key begins with these whole segments, an account's say. */
  deletePrefix: (prefix: string) => Promise<void>;
  /** The size of the file; null when it is not there. */
  size: (key: string) => Promise<number | null>;
  /** Every whole file behind the key `after` ("": from the beginning), in the store's own order, a page at a time. What is put or deleted meanwhile may be missed. */
  list: (after: string) => AsyncIterable<ListedFile[]>;
  /** What tells this store from any other, the same for all processes that use it. */
  identity: () => Promise<string>;
  /** Removes what uploads that died before this time left behind; resolves with how many there were. */
  sweepUnfinished: (before: Date) => Promise<number>;
  /** Bytes that the disk behind it has left; null where there is no such end. */
  freeBytes: () => Promise<number | null>;
};
