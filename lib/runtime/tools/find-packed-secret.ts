import "server-only";
import { promisify } from "node:util";
import { gunzip, inflateRaw } from "node:zlib";
import { inSlices, type SlicedWork } from "@/lib/platform/in-slices";
import { ToolFailure } from "@/lib/runtime/tools/tool";

/** Of all that a file is unpacked to, with what is packed within it. */
const UNPACKED_MAX_BYTES = 256 * 1024 * 1024;
/** A document within an archive is looked into too, and no further. */
const MAX_DEPTH = 2;

const inflate = promisify(inflateRaw);
const unzip = promisify(gunzip);

interface Search {
  redact(text: string): SlicedWork<string>;
  signal: AbortSignal;
  /** Bytes that may still be unpacked. */
  left: number;
}

/**
 * Where a secret stands in bytes that are no text: in themselves (empty), as UTF-8 or UTF-16 and in
 * each of the forms that the redactor knows, or in the part of that name that is packed in them as
 * ZIP (so of a workbook or a document) or gzip. Null: nowhere. What is packed or enciphered
 * otherwise (the streams of a PDF, pixels) is not looked into.
 * @throws ToolFailure where more is packed than is looked into
 */
export async function findPackedSecret(
  bytes: Uint8Array,
  { redact, signal }: Pick<Search, "redact" | "signal">,
): Promise<string | null> {
  const search = { redact, signal, left: UNPACKED_MAX_BYTES };
  return find(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), search, 0);
}

async function find(bytes: Buffer, search: Search, depth: number): Promise<string | null> {
  search.signal.throwIfAborted();
  if (await holdsSecret(bytes, search)) return "";
  if (depth === MAX_DEPTH) return null;
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
    const content = await unpacked((most) => unzip(bytes, { maxOutputLength: most }), search);
    return content && (await find(content, search, depth + 1));
  }
  for (const entry of zipEntries(bytes)) {
    const content =
      entry.method === 0
        ? entry.packed
        : await unpacked((most) => inflate(entry.packed, { maxOutputLength: most }), search);
    // What is stored as it is was looked at with the whole.
    if (content && (await find(content, search, depth + 1)) !== null) return entry.name;
  }
  return null;
}

/** Null for what is no such packing: nobody reads it. */
async function unpacked(
  work: (mostBytes: number) => Promise<Buffer>,
  search: Search,
): Promise<Buffer | null> {
  const content = await work(Math.max(1, search.left)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ERR_BUFFER_TOO_LARGE") throw new ToolFailure(TOO_MUCH);
    return null;
  });
  search.left -= content?.length ?? 0;
  return content;
}

const TOO_MUCH = `The file unpacks to more than ${UNPACKED_MAX_BYTES} bytes, so nobody can say whether a secret of the account stands in it, and nothing was saved. Save less at once.`;

/** So much is read at once, and so much of it again with what follows: no form is cut at both. */
const STEP_BYTES = 1024 * 1024;
const OVERLAP_BYTES = 4_096;

async function holdsSecret(bytes: Buffer, { redact, signal }: Search): Promise<boolean> {
  for (let at = 0; at < bytes.length; at += STEP_BYTES)
    for (const text of readings(bytes.subarray(at, at + STEP_BYTES + OVERLAP_BYTES)))
      if ((await inSlices(redact(text), { signal })) !== text) return true;
  return false;
}

/** Bytes as the texts that may stand in them. */
function* readings(bytes: Buffer): Generator<string> {
  yield bytes.toString("utf8");
  // Without a zero it is no UTF-16 that a secret stands in.
  if (!bytes.includes(0)) return;
  for (const start of [0, 1]) {
    const even = bytes.subarray(start, bytes.length - ((bytes.length - start) % 2));
    yield even.toString("utf16le");
    yield Buffer.from(even).swap16().toString("utf16le");
  }
}

interface ZipEntry {
  name: string;
  /** 0: stored as it is; 8: deflated. */
  method: number;
  packed: Buffer;
}

const END = 0x06054b50;
const DIRECTORY = 0x02014b50;
const LOCAL = 0x04034b50;
const END_BYTES = 22;
const COMMENT_MAX_BYTES = 65_535;

/** The files of a ZIP, by its directory; nothing where the bytes are none, or have no sound one. */
function* zipEntries(bytes: Buffer): Generator<ZipEntry> {
  if (bytes.length < END_BYTES || bytes.readUInt32LE(0) !== LOCAL) return;
  const end = endOf(bytes);
  if (end === null) return;
  let at = bytes.readUInt32LE(end + 16);
  const count = bytes.readUInt16LE(end + 10);
  for (let entry = 0; entry < count; entry += 1) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== DIRECTORY) return;
    const [nameLength, extra, comment] = [28, 30, 32].map((field) =>
      bytes.readUInt16LE(at + field),
    );
    const name = bytes.toString("utf8", at + 46, at + 46 + (nameLength ?? 0));
    const local = bytes.readUInt32LE(at + 42);
    const packedBytes = bytes.readUInt32LE(at + 20);
    const method = bytes.readUInt16LE(at + 10);
    at += 46 + (nameLength ?? 0) + (extra ?? 0) + (comment ?? 0);
    if (local + 30 > bytes.length || bytes.readUInt32LE(local) !== LOCAL) continue;
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    if (method === 0 || method === 8)
      yield { name, method, packed: bytes.subarray(start, start + packedBytes) };
  }
}

/** Where the end of a ZIP's directory stands; behind it is at most a comment. */
function endOf(bytes: Buffer): number | null {
  const first = Math.max(0, bytes.length - END_BYTES - COMMENT_MAX_BYTES);
  for (let at = bytes.length - END_BYTES; at >= first; at -= 1)
    if (bytes.readUInt32LE(at) === END) return at;
  return null;
}
