import "server-only";
import { randomUUID } from "node:crypto";
import {
  type FileHandle,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  statfs,
  writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  FileMissing,
  type FileStore,
  type ListedFile,
  measureChunks,
  requireFileKey,
} from "@/lib/storage/files/file-store";

const READ_BYTES = 65_536;

/**
 * Files in a folder of this machine. An upload is written to `unfinished/`, flushed to the disk and
 * then renamed to its place, so a crash at any moment leaves either the whole file or none. Several
 * processes may share the folder.
 */
export function createDiskFileStore(root: string): FileStore {
  const unfinished = join(root, "unfinished");
  const placeOf = (key: string) => join(root, "files", requireFileKey(key));
  return {
    put: async (key, source, options) => {
      const place = placeOf(key);
      const temporary = join(unfinished, randomUUID());
      const measured = measureChunks(source, options);
      await mkdir(unfinished, { recursive: true });
      try {
        await writeDurably(temporary, measured.chunks);
        options.signal?.throwIfAborted();
        await moveTo(temporary, place);
        return measured.result();
      } catch (error) {
        await measured.chunks.return();
        await rm(temporary, { force: true });
        throw error;
      }
    },
    read: async (key, range) =>
      toStream(
        await openToRead(placeOf(key)),
        range?.start ?? 0,
        range?.end ?? Number.POSITIVE_INFINITY,
      ),
    delete: (key) => rm(placeOf(key), { force: true }),
    deletePrefix: (prefix) => rm(placeOf(prefix), { force: true, recursive: true, maxRetries: 3 }),
    size: async (key) => {
      const found = await stat(placeOf(key)).catch((error: unknown) => {
        if (isMissing(error)) return null;
        throw error;
      });
      return found?.isFile() ? found.size : null;
    },
    list: (after) => listFolder(join(root, "files"), after),
    identity: async () => `disk:${await readOwnId(root)}`,
    sweepUnfinished: (before) => sweep(unfinished, before),
    freeBytes: async () => {
      await mkdir(unfinished, { recursive: true });
      const { bavail, bsize } = await statfs(unfinished);
      return bavail * bsize;
    },
  };
}

/**
 * The folder's own id, which goes with it wherever it is moved. Made once; of two at once one makes
 * it.
 */
async function readOwnId(root: string): Promise<string> {
  const path = join(root, "store-id");
  const read = () =>
    readFile(path, "utf8").catch((error: unknown) => {
      if (isMissing(error)) return "";
      throw error;
    });
  const known = (await read()).trim();
  if (known !== "") return known;
  await mkdir(root, { recursive: true });
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, `${randomUUID()}\n`, { mode: 0o600, flush: true });
  // Fails where another process was faster; the file is never seen half-written.
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  await rm(draft, { force: true });
  return (await read()).trim();
}

async function writeDurably(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    for await (const chunk of chunks) await writeAll(file, chunk);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.byteLength; ) at += (await file.write(chunk, at)).bytesWritten;
}

async function moveTo(temporary: string, place: string): Promise<void> {
  const folder = dirname(place);
  await mkdir(folder, { recursive: true });
  try {
    await rename(temporary, place);
  } catch (error) {
    if (!isMissing(error)) throw error;
    // A deletion of the whole prefix may have taken the folder away just now.
    await mkdir(folder, { recursive: true });
    await rename(temporary, place);
  }
  // The new names of the file and of its folder must outlive a power cut too.
  for (const path of [folder, dirname(folder), dirname(dirname(folder))]) await syncFolder(path);
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  await folder.sync().finally(() => folder.close());
}

async function openToRead(place: string): Promise<FileHandle> {
  const file = await open(place, "r").catch((error: unknown) => {
    throw isMissing(error) ? new FileMissing() : error;
  });
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new FileMissing();
}

function toStream(file: FileHandle, start: number, end: number): ReadableStream<Uint8Array> {
  let at = start;
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const wanted = Math.min(READ_BYTES, end - at + 1);
          const { bytesRead, buffer } =
            wanted > 0
              ? await file.read(new Uint8Array(wanted), 0, wanted, at)
              : { bytesRead: 0, buffer: new Uint8Array() };
          at += bytesRead;
          if (bytesRead > 0) return controller.enqueue(buffer.subarray(0, bytesRead));
          controller.close();
        } catch (error) {
          await file.close();
          throw error;
        }
        await file.close();
      },
      cancel: () => file.close(),
    },
    { highWaterMark: 0 },
  );
}

async function sweep(folder: string, before: Date): Promise<number> {
  let swept = 0;
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    // Another process may sweep at the same time.
    const age = await stat(path).catch(() => null);
    if (age === null || age.mtime >= before) continue;
    await rm(path, { force: true });
    swept += 1;
  }
  return swept;
}

function isMissing(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    (error.code === "ENOENT" || error.code === "ENOTDIR")
  );
}

const PAGE_FILES = 1_000;

/**
 * Every file below a folder whose path within it comes behind `after`, the folders' and files'
 * names in their order, a page at a time.
 */
async function* listFolder(root: string, after: string): AsyncGenerator<ListedFile[]> {
  let page: ListedFile[] = [];
  for await (const key of keysIn(root, "", after === "" ? [] : after.split("/"))) {
    // Deleted meanwhile: passed over.
    const found = await stat(join(root, key)).catch(() => null);
    if (found === null) continue;
    page.push({ key, sizeBytes: found.size, storedAt: found.mtime });
    if (page.length < PAGE_FILES) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

/** `after`: the names down to what was seen last, as long as they are this folder's. */
async function* keysIn(
  root: string,
  path: string,
  after: readonly string[],
): AsyncGenerator<string> {
  const [least, ...rest] = after;
  const entries = await readdir(join(root, path), { withFileTypes: true }).catch(() => []);
  const order = (a: string, b: string) => (a < b ? -1 : Number(a > b));
  for (const entry of entries.sort((a, b) => order(a.name, b.name))) {
    if (least !== undefined && entry.name < least) continue;
    const key = path === "" ? entry.name : `${path}/${entry.name}`;
    if (entry.isDirectory()) yield* keysIn(root, key, entry.name === least ? rest : []);
    else if (entry.isFile() && !(entry.name === least && rest.length === 0)) yield key;
  }
}
