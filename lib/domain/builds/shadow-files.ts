import "server-only";
import { createHash } from "node:crypto";
import mime from "mime-types";
import { filesPort } from "@/lib/domain/execution/tools/files-port";
import { checkFilePath } from "@/lib/model/file-path";
import { pathInRun, RUN_FILE_PREFIX, shownRunPath } from "@/lib/model/run/run-file-path";
import type { Redactor } from "@/lib/platform/crypto/redact";
import { newId } from "@/lib/platform/ids";
import { decodePage } from "@/lib/runtime/tools/read-skill-tool";
import { redactStream } from "@/lib/runtime/tools/redact-stream";
import { ToolFailure } from "@/lib/runtime/tools/tool";
import type { FileEntry, FilesPort, SavedFile } from "@/lib/runtime/tools/tool-ports";

const FILES_MAX = 200;
const ALL_MAX_BYTES = 32 * 1024 * 1024;

/** A small text that lies among a shadow run's files when it begins. */
export interface SeedFile {
  path: string;
  text: string;
}

interface Held {
  id: string;
  bytes: Uint8Array<ArrayBuffer>;
  type: string;
}

/**
 * The files of a shadow run: what it writes is held in memory and gone with it. It reads a
 * workspace as any run does, and sees its own changes of it; nobody else does.
 */
export class ShadowFiles implements FilesPort {
  /** By the path that is shown; null: it was removed. */
  readonly #held = new Map<string, Held | null>();
  readonly #workspace: FilesPort | null;
  readonly #redactor: Redactor;

  constructor(
    run: { id: string; accountId: string },
    workspaceId: string | null,
    seeds: readonly SeedFile[],
    redactor: Redactor,
  ) {
    this.#redactor = redactor;
    this.#workspace =
      workspaceId === null
        ? null
        : filesPort(
            { id: run.id, accountId: run.accountId, workspaceId, earlierIn: null },
            "shadow",
          );
    for (const { path, text } of seeds)
      this.#put(shownRunPath(requirePath(pathInRun(path) ?? path)), encode(text), null);
  }

  async list(prefix = ""): Promise<FileEntry[]> {
    const below = pathInRun(prefix) === null ? ((await this.#workspace?.list(prefix)) ?? []) : [];
    const held = [...this.#held].flatMap(([path, file]) =>
      file !== null && path.startsWith(prefix) ? [entryOf(path, file)] : [],
    );
    return [...below.filter(({ path }) => !this.#held.has(path)), ...held];
  }

  async find(path: string): Promise<FileEntry | null> {
    const held = this.#find(path);
    if (held) return entryOf(held.path, held.file);
    return this.#isRemoved(path) ? null : ((await this.#workspace?.find(path)) ?? null);
  }

  async read(path: string, page: { offset: number; maxBytes: number }) {
    const held = this.#find(path);
    if (!held) return this.#below(path).read(path, page);
    const { bytes } = held.file;
    const { offset, maxBytes } = page;
    if (offset >= bytes.length)
      return { text: "", truncated: offset > 0, next_offset: null, size_bytes: bytes.length };
    return decodePage(bytes.subarray(offset, offset + maxBytes), offset, bytes.length);
  }

  async head(path: string, maxBytes: number) {
    const held = this.#find(path);
    if (!held) return this.#below(path).head(path, maxBytes);
    const { id, bytes, type } = held.file;
    return {
      bytes: bytes.subarray(0, maxBytes),
      size_bytes: bytes.length,
      content_type: type,
      file_id: id,
      sha256: sha256(bytes),
    };
  }

  async readBytes(path: string, maxBytes: number) {
    const held = this.#find(path);
    if (!held) return this.#below(path).readBytes(path, maxBytes);
    if (held.file.bytes.length > maxBytes)
      throw new ToolFailure(
        `${path} has ${held.file.bytes.length} bytes; at most ${maxBytes} can be read at once.`,
      );
    return held.file.bytes;
  }

  async open(path: string) {
    const held = this.#find(path);
    if (!held) return this.#below(path).open(path);
    const { bytes } = held.file;
    return {
      ...entryOf(held.path, held.file),
      name: held.path.split(/[/:]/).at(-1) ?? held.path,
      sha256: sha256(bytes),
      open: async () => streamOf(bytes),
    };
  }

  async search(query: string, prefix: string, signal: AbortSignal) {
    const found = await this.#workspace?.search(query, prefix, signal);
    return found ?? { hits: [], searched: new Set<string>() };
  }

  async write(
    path: string,
    content: string | Uint8Array | ReadableStream<Uint8Array>,
    type: string | null = null,
  ): Promise<SavedFile> {
    return this.#put(this.#target(path), await bytesOf(content), type);
  }

  async append(path: string, text: string): Promise<SavedFile> {
    const before = await this.readBytes(path, ALL_MAX_BYTES);
    return this.#put(await this.#placeOf(path), encode(decode(before) + text), null);
  }

  async edit(path: string, change: (text: string) => string): Promise<SavedFile> {
    const before = await this.readBytes(path, ALL_MAX_BYTES);
    return this.#put(await this.#placeOf(path), encode(change(decode(before))), null);
  }

  async copy(from: string, to: string): Promise<SavedFile> {
    const file = await this.open(from);
    return this.#put(this.#target(to), await bytesOf(await file.open()), file.content_type);
  }

  async remove(path: string): Promise<boolean> {
    const found = await this.find(path);
    if (found) this.#held.set(found.path, null);
    return found !== null;
  }

  async receive(
    path: string,
    bytes: AsyncIterable<Uint8Array>,
    { type, charset }: { type: string; charset: string | null },
  ): Promise<SavedFile> {
    const clean = redactStream(bytes, this.#redactor, charset);
    return this.#put(this.#target(path), await bytesOf(clean), type);
  }

  async saveAll(
    files: readonly { path: string; bytes: Uint8Array; mime?: string }[],
  ): Promise<SavedFile[]> {
    return files.map(({ path, bytes, mime: type }) =>
      this.#put(
        shownRunPath(requirePath(pathInRun(path) ?? path)),
        new Uint8Array(bytes),
        type ?? null,
      ),
    );
  }

  /** A path without `run:` means the workspace, else what the run has of this name. */
  #find(path: string): { path: string; file: Held } | null {
    for (const place of [path, shownRunPath(path)]) {
      const file = this.#held.get(place);
      if (file) return { path: place, file };
    }
    return null;
  }

  #isRemoved(path: string): boolean {
    return this.#held.get(path) === null;
  }

  #below(path: string): FilesPort {
    if (this.#workspace && !this.#isRemoved(path) && pathInRun(path) === null)
      return this.#workspace;
    throw new ToolFailure(`There is no file ${JSON.stringify(path)} among the run's files.`);
  }

  /** Where a file that is there stays when it is changed. */
  async #placeOf(path: string): Promise<string> {
    return (await this.find(path))?.path ?? this.#target(path);
  }

  #target(path: string): string {
    const inRun = pathInRun(path);
    const checked = requirePath(inRun ?? path);
    return inRun === null && this.#workspace ? checked : shownRunPath(checked);
  }

  #put(path: string, bytes: Uint8Array<ArrayBuffer>, type: string | null): SavedFile {
    const others = [...this.#held].filter(([other, file]) => other !== path && file !== null);
    const taken = others.reduce((sum, [, file]) => sum + (file?.bytes.length ?? 0), 0);
    if (others.length >= FILES_MAX || taken + bytes.length > ALL_MAX_BYTES)
      throw new ToolFailure("There is no room for another file of this run.");
    const guessed = type ?? (mime.lookup(path) || "application/octet-stream");
    this.#held.set(path, { id: newId(), bytes, type: guessed });
    return { path, size_bytes: bytes.length };
  }
}

/** @throws ToolFailure for a path that cannot be one */
function requirePath(path: string): string {
  const checked = checkFilePath(path);
  if (!checked.ok) throw new ToolFailure(checked.message);
  if (checked.path.startsWith(RUN_FILE_PREFIX))
    throw new ToolFailure(`A path has ${RUN_FILE_PREFIX} at its beginning once.`);
  return checked.path;
}

function entryOf(path: string, { bytes, type }: Held): FileEntry {
  return { path, size_bytes: bytes.length, content_type: type };
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/** @throws ToolFailure for bytes that would not come back as they are */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ToolFailure("The file is no UTF-8 text, so it cannot be edited in place.");
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      if (bytes.length > 0) controller.enqueue(bytes);
      controller.close();
    },
  });
}

async function* piecesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel().catch(() => {}); // what broke off was told by the read
  }
}

/** @throws ToolFailure where there is more than a shadow run may hold */
async function bytesOf(
  content: string | Uint8Array | AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>,
): Promise<Uint8Array<ArrayBuffer>> {
  if (typeof content === "string") return encode(content);
  if (content instanceof Uint8Array) return new Uint8Array(content);
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of content instanceof ReadableStream ? piecesOf(content) : content) {
    length += piece.length;
    if (length > ALL_MAX_BYTES)
      throw new ToolFailure("There is no room for another file of this run.");
    pieces.push(piece);
  }
  return new Uint8Array(Buffer.concat(pieces));
}
