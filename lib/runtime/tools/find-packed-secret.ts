import "server-only";
import type { Transform } from "node:stream";
import { createGunzip, createInflateRaw } from "node:zlib";
import { inSlices } from "@/lib/platform/in-slices";
import { createSlots } from "@/lib/runtime/sandbox/run-limited-child";
import { type ToolContext, ToolFailure } from "@/lib/runtime/tools/tool";
import { definePart } from "@/lib/service";

/** Of all that the files of one call are unpacked to, with what is packed within it. */
const UNPACKED_MAX_BYTES = 64 * 1024 * 1024;
/** A document within an archive is looked into too, and no further. */
const MAX_DEPTH = 2;

/** Bytes that may still be unpacked, and be looked into for what is packed in them. */
export interface UnpackBudget {
  leftBytes: number;
}

/** For all files of one call. */
export function unpackBudget(): UnpackBudget {
  return { leftBytes: UNPACKED_MAX_BYTES };
}

interface Search extends Required<Pick<ToolContext, "redact" | "signal">> {
  budget: UnpackBudget;
}

/** One search at a time: it works beside everybody's requests, and holds what it unpacks. */
const slots = definePart("packed-secret.slots", () => createSlots(1, 1));

/**
 * Where a secret stands in bytes that are no text: in themselves (empty), as UTF-8 or UTF-16 and in
 * each of the forms that the redactor knows, or in the part of that name that is packed in them as
 * ZIP (so of a workbook or a document) or gzip. Null: nowhere. What is packed or enciphered
 * otherwise (the streams of a PDF, pixels) is not looked into.
 * @throws ToolFailure where more is packed than the budget has, or the signal's reason
 */
export async function findPackedSecret(
  bytes: Uint8Array,
  {
    accountId,
    untimed = (wait) => wait,
    ...search
  }: Search & Pick<ToolContext, "accountId" | "untimed">,
): Promise<string | null> {
  const release = await untimed(slots().acquire(accountId, search.signal));
  try {
    const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return (await holdsSecret(whole, search)) ? "" : await findWithin(whole, search, 1);
  } finally {
    release();
  }
}

/**
 * The same of what is packed in bytes that were looked at as they are. @param depth of its parts
 */
async function findWithin(bytes: Buffer, search: Search, depth: number): Promise<string | null> {
  if (isGzip(bytes)) return findUnpacked(createGunzip(PIECES), bytes, search, depth);
  // Parts of a sound archive do not overlap: what they have beyond its length is there twice.
  let room = bytes.length;
  for (const { name, method, packed } of zipEntries(bytes)) {
    if (packed.length > room) spend(search, packed.length - room);
    room = Math.max(0, room - packed.length);
    const place =
      method === STORED
        ? await findStored(packed, search, depth)
        : await findUnpacked(createInflateRaw(PIECES), packed, search, depth);
    if (place !== null) return name;
  }
  return null;
}

/** What is stored as it is was looked at with the whole, but for what is packed in it. */
async function findStored(bytes: Buffer, search: Search, depth: number): Promise<string | null> {
  search.signal.throwIfAborted();
  if (depth === MAX_DEPTH || !isPacked(bytes)) return null;
  spend(search, OPENED_BYTES);
  return findWithin(bytes, search, depth + 1);
}

/** Looks at what is unpacked as it comes; only what is packed itself is held whole. */
async function findUnpacked(
  unpacker: Transform,
  packed: Buffer,
  search: Search,
  depth: number,
): Promise<string | null> {
  spend(search, OPENED_BYTES);
  const content: Buffer[] = [];
  let isHeld = depth < MAX_DEPTH;
  for await (const { window, fresh } of windowsOf(piecesOf(unpacker, packed, search))) {
    if (await holdsSecret(window, search)) return "";
    isHeld &&= content.length > 0 || isPacked(window);
    if (isHeld) content.push(fresh);
  }
  return isHeld ? await findWithin(Buffer.concat(content), search, depth + 1) : null;
}

const PIECES = { chunkSize: 64 * 1024 };
/** What opening a part is taken for, however little stands in it. */
const OPENED_BYTES = 512;

/** Up to where it is no such packing any more: nobody reads on. */
async function* piecesOf(
  unpacker: Transform,
  packed: Buffer,
  search: Search,
): AsyncGenerator<Buffer> {
  unpacker.end(packed);
  try {
    for await (const piece of unpacker as AsyncIterable<Buffer>) {
      // Before what is broken behind it shows: unpacking is the work.
      spend(search, piece.length);
      yield piece;
    }
  } catch (error) {
    if (error instanceof ToolFailure) throw error;
  }
}

/** @param fresh what of a window was not in the one before */
async function* windowsOf(
  pieces: AsyncIterable<Buffer>,
): AsyncGenerator<{ window: Buffer; fresh: Buffer }> {
  let before: Buffer = Buffer.alloc(0);
  let gathered: Buffer[] = [];
  let size = 0;
  const next = () => {
    const window = Buffer.concat([before, ...gathered]);
    const fresh = window.subarray(before.length);
    before = Buffer.from(window.subarray(Math.max(0, window.length - OVERLAP_BYTES)));
    gathered = [];
    size = 0;
    return { window, fresh };
  };
  for await (const piece of pieces) {
    gathered.push(piece);
    size += piece.length;
    if (size >= STEP_BYTES) yield next();
  }
  if (size > 0) yield next();
}

function spend({ budget }: Search, bytes: number): void {
  budget.leftBytes -= bytes;
  if (budget.leftBytes < 0) throw new ToolFailure(TOO_MUCH);
}

const TOO_MUCH =
  `What is saved unpacks to more than ${UNPACKED_MAX_BYTES} bytes, so nobody can say whether a ` +
  "secret of the account stands in it, and nothing was saved. Save less at once.";

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
  method: typeof STORED | typeof DEFLATED;
  packed: Buffer;
}

const STORED = 0;
const DEFLATED = 8;

const END = 0x06054b50;
const DIRECTORY = 0x02014b50;
const LOCAL = 0x04034b50;
const END_BYTES = 22;
const COMMENT_MAX_BYTES = 65_535;

function isGzip(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function isZip(bytes: Buffer): boolean {
  return bytes.length >= END_BYTES && bytes.readUInt32LE(0) === LOCAL;
}

function isPacked(bytes: Buffer): boolean {
  return isGzip(bytes) || isZip(bytes);
}

/** The files of a ZIP, by its directory; nothing where the bytes are none, or have no sound one. */
function* zipEntries(bytes: Buffer): Generator<ZipEntry> {
  if (!isZip(bytes)) return;
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
    if (method === STORED || method === DEFLATED)
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
