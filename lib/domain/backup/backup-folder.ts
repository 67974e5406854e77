import "server-only";
import { createWriteStream } from "node:fs";
import { constants, mkdir, open, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { z } from "zod";
import { ServiceError } from "@/lib/model/errors";
import {
  AgeError,
  type AgeOpener,
  type AgeSealer,
  createAgeSealer,
  type OpenWith,
  openAgeSealed,
  type SealTo,
} from "@/lib/platform/crypto/age-seal";

/**
 * The parts of a backup by their names (`tables/accounts.ndjson`, `files/0`, `secrets.json`),
 * sealed or not.
 */
export interface PartWriter {
  write(name: string, source: AsyncIterable<Uint8Array | string>): Promise<void>;
}

export interface PartReader {
  /** Null when there is no such part. Fails while it is read when it is not what was sealed. */
  read(name: string): Promise<AsyncIterable<Uint8Array> | null>;
}

const contentsSchema = z.object({
  tables: z.array(
    z.object({ name: z.string(), columns: z.array(z.string()), rows: z.number().int() }),
  ),
  /** The keys of the file store, in the order of the numbers in `files/`. */
  files: z.array(z.object({ key: z.string(), size_bytes: z.number().int(), sha256: z.string() })),
});
export type Contents = z.infer<typeof contentsSchema>;

/**
 * `migration` is the newest one of the database: a backup is restored into a database of the same
 * one.
 */
const momentSchema = z.object({ created_at: z.string(), migration: z.string() });
export type Moment = z.infer<typeof momentSchema>;

/**
 * `backup.json`, which is written last: a folder without it is a backup that was broken off. Format
 * 1 holds all of it; format 2 is sealed, and has its contents in `contents.json.age`, every part
 * under `<name>.age`, and their key in `key.age`.
 */
const headSchema = z.discriminatedUnion("format", [
  z.object({ format: z.literal(1), ...momentSchema.shape, ...contentsSchema.shape }),
  z.object({ format: z.literal(2), ...momentSchema.shape, sealed: z.literal("age") }),
]);

const HEAD = "backup.json";
const KEY = "key.age";
const CONTENTS = "contents.json";

/** Parts as they are, in folders that this user alone may open. */
export function plainWriter(folder: string): PartWriter {
  return { write: (name, source) => writePart(join(folder, name), source) };
}

export function plainReader(folder: string): PartReader {
  return { read: (name) => readPart(join(folder, name)) };
}

/** A backup that is being written. */
export interface BackupFolder extends PartWriter {
  /** Without it there is no backup. */
  finish(moment: Moment, contents: Contents): Promise<void>;
}

/**
 * @param to null: nothing is sealed
 * @throws ServiceError CONFLICT when the folder holds something, INVALID_INPUT for what is no
 * recipient
 */
export async function makeBackupFolder(folder: string, to: SealTo | null): Promise<BackupFolder> {
  const sealer = to && (await createAgeSealer(to).catch(toServiceError));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0)
    throw new ServiceError(
      "CONFLICT",
      `${folder} is not empty. Give the name of a folder that is to be made.`,
    );
  if (sealer) await writeDurably(join(folder, KEY), sealer.sealedKey);
  const writer = sealer ? sealedWriter(folder, sealer) : plainWriter(folder);
  return {
    write: writer.write,
    async finish(moment, contents) {
      if (sealer) await writer.write(CONTENTS, Readable.from([JSON.stringify(contents)]));
      const head: z.infer<typeof headSchema> = sealer
        ? { format: 2, ...moment, sealed: "age" }
        : { format: 1, ...moment, ...contents };
      await writeDurably(join(folder, HEAD), `${JSON.stringify(head, null, 2)}\n`);
    },
  };
}

function sealedWriter(folder: string, sealer: AgeSealer): PartWriter {
  return {
    async write(name, source) {
      const plain = Readable.toWeb(Readable.from(toBytes(source))) as ReadableStream<Uint8Array>;
      await writePart(
        join(folder, `${name}.age`),
        Readable.fromWeb((await sealer.seal(plain)) as NodeReadableStream<Uint8Array>),
      );
    },
  };
}

async function* toBytes(source: AsyncIterable<Uint8Array | string>): AsyncGenerator<Uint8Array> {
  for await (const chunk of source)
    yield typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk;
}

/** A backup that was found whole. */
export interface FoundBackup extends PartReader, Moment, Contents {
  isSealed: boolean;
}

/**
 * @param keys what opens it, where it is sealed; null when nothing was given
 * @throws ServiceError INVALID_INPUT when the folder holds no whole backup, or the key does not
 * open it
 */
export async function openBackupFolder(
  folder: string,
  keys: OpenWith | null,
): Promise<FoundBackup> {
  const head = headSchema.safeParse(await parsePart(plainReader(folder), HEAD));
  if (!head.success)
    throw new ServiceError(
      "INVALID_INPUT",
      `${folder} holds no whole backup: ${join(folder, HEAD)} is missing or damaged. Nothing was ` +
        "changed.",
    );
  const { created_at, migration } = head.data;
  if (head.data.format === 1) {
    const { tables, files } = head.data;
    return { created_at, migration, tables, files, isSealed: false, ...plainReader(folder) };
  }
  const reader = sealedReader(folder, await openKey(folder, keys));
  const contents = contentsSchema.safeParse(await parsePart(reader, CONTENTS));
  if (!contents.success) throw damaged(CONTENTS);
  return { created_at, migration, ...contents.data, isSealed: true, ...reader };
}

async function openKey(folder: string, keys: OpenWith | null): Promise<AgeOpener> {
  if (keys === null)
    throw new ServiceError(
      "INVALID_INPUT",
      `The backup in ${folder} is sealed: give --passphrase-file or --identity-file. Nothing was ` +
        "changed.",
    );
  const sealed = await readPart(join(folder, KEY));
  if (sealed === null) throw damaged(KEY);
  return openAgeSealed(await gather(sealed), keys).catch(toServiceError);
}

function toServiceError(error: unknown): never {
  if (error instanceof AgeError)
    throw new ServiceError("INVALID_INPUT", `${error.message} Nothing was changed.`);
  throw error;
}

function sealedReader(folder: string, opener: AgeOpener): PartReader {
  return {
    async read(name) {
      const sealed = await readPart(join(folder, `${name}.age`));
      if (sealed === null) return null;
      return openPart(name, sealed, opener);
    },
  };
}

async function* openPart(
  name: string,
  sealed: AsyncIterable<Uint8Array>,
  opener: AgeOpener,
): AsyncGenerator<Uint8Array> {
  try {
    yield* (await opener.open(
      Readable.toWeb(Readable.from(sealed)) as ReadableStream<Uint8Array>,
    )) as NodeReadableStream<Uint8Array>;
  } catch {
    throw damaged(name);
  }
}

function damaged(name: string): ServiceError {
  return new ServiceError(
    "INVALID_INPUT",
    `${name} of the backup is missing, damaged or of another one. Nothing was changed.`,
  );
}

async function parsePart(reader: PartReader, name: string): Promise<unknown> {
  const part = await reader.read(name);
  if (part === null) return null;
  const bytes = await gather(part);
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    return null;
  }
}

/** A small part as a whole. */
export async function gather(part: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of part) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function writePart(path: string, source: AsyncIterable<Uint8Array | string>): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await pipeline(source, createWriteStream(path, { mode: 0o600, flush: true, flags: "wx" }));
}

/**
 * No link is followed, and no pipe waited for: in a backup from elsewhere they would lead to files
 * of this machine, or nowhere.
 */
async function readPart(path: string): Promise<AsyncIterable<Uint8Array> | null> {
  try {
    const handle = await open(
      path,
      constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
    );
    if ((await handle.stat()).isFile()) return handle.createReadStream();
    await handle.close();
    return null;
  } catch (error) {
    if (
      ["ENOENT", "ELOOP", "EMLINK", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")
    )
      return null; // of the system call
    throw error;
  }
}

async function writeDurably(path: string, text: string | Uint8Array): Promise<void> {
  await writeFile(path, text, { mode: 0o600, flag: "wx", flush: true });
}
