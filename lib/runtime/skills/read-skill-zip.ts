import "server-only";
import type { Readable } from "node:stream";
import { crc32 } from "node:zlib";
import yauzl, { type Entry, type ZipFile } from "yauzl";
import { checkFilePath } from "@/lib/model/file-path";
import { type ParsedSkill, SKILL_MAX_BYTES, type Skill } from "@/lib/model/skill/parse-skill";

/**
 * Why an uploaded zip is no skill; the message is fit for a person and names no place on this
 * machine.
 */
export class SkillZipRefused extends Error {
  override name = "SkillZipRefused";
  /** Whether it only has too many bytes. */
  readonly isTooLarge: boolean;

  constructor(message: string, options: { cause?: unknown; isTooLarge?: boolean } = {}) {
    super(message, options);
    this.isTooLarge = options.isTooLarge ?? false;
  }
}

/** Largest zip, packed. */
export const SKILL_ZIP_MAX_BYTES = 5 * 1_024 * 1_024;
/** Most bytes of all its files together, unpacked. */
const SKILL_ZIP_UNPACKED_MAX_BYTES = 20 * 1_024 * 1_024;
/** Most files in a zip, SKILL.md included. */
const SKILL_ZIP_MAX_FILES = 200;

/** Folders and leftovers of operating systems may come beside the files. */
const MAX_ENTRIES = 2 * SKILL_ZIP_MAX_FILES + 50;
const SKILL_FILE = "SKILL.md";

/** A file beside SKILL.md; `path` is relative to it. */
export type SkillFile = { path: string; bytes: Buffer };

/**
 * Reads a skill from an uploaded zip: SKILL.md at its root or in its one folder, and the files
 * beside it. Throws `SkillZipRefused` for anything else, hostile zips included: the sizes that a
 * zip declares are believed only to refuse it, the bytes are counted as they are unpacked, and
 * links, encrypted entries and names that could land elsewhere are refused.
 */
export async function readSkillZip(
  bytes: Buffer,
  parse: (content: string) => ParsedSkill | Promise<ParsedSkill>,
): Promise<{ skill: Skill; files: SkillFile[] }> {
  if (bytes.length > SKILL_ZIP_MAX_BYTES)
    throw new SkillZipRefused(`A zip has at most ${SKILL_ZIP_MAX_BYTES} bytes.`, {
      isTooLarge: true,
    });
  const zip = await openZip(bytes);
  const entries = chooseFiles(await listZipEntries(zip, MAX_ENTRIES));
  const folder = skillFolder([...entries.keys()]);
  const unpacked = await unpack(zip, entries);
  const skillBytes = unpacked.get(folder + SKILL_FILE);
  if (skillBytes === undefined) throw new SkillZipRefused(`The zip holds no ${SKILL_FILE}.`);
  unpacked.delete(folder + SKILL_FILE);
  const files = [...unpacked].map(([path, content]) => ({
    path: path.slice(folder.length),
    bytes: content,
  }));
  return { skill: await readSkillFile(skillBytes, parse), files };
}

function chooseFiles(entries: Entry[]): Map<string, Entry> {
  const names = new SkillZipNames();
  const files = new Map<string, Entry>();
  let declared = 0;
  for (const entry of entries) {
    if (isLeftover(entry.fileName)) continue;
    requirePlainEntry(entry);
    if (entry.fileName.endsWith("/")) {
      names.addFolder(entry.fileName);
      continue;
    }
    files.set(names.addFile(entry.fileName), entry);
    declared += entry.uncompressedSize;
  }
  if (files.size > SKILL_ZIP_MAX_FILES)
    throw new SkillZipRefused(`The zip has more than ${SKILL_ZIP_MAX_FILES} files.`);
  if (declared > SKILL_ZIP_UNPACKED_MAX_BYTES) throw tooLarge();
  return files;
}

/**
 * The upper half of the attributes is a Unix mode where the zip was made on such a system, and zero
 * elsewhere.
 */
function requirePlainEntry(entry: Entry): void {
  const kind = (entry.externalFileAttributes >>> 16) & 0xf000;
  const isPlain =
    kind === 0 || kind === 0x8000 || (kind === 0x4000 && entry.fileName.endsWith("/"));
  if (!isPlain) throw new SkillZipRefused("The zip holds a link or a special file.");
  if (entry.isEncrypted()) throw new SkillZipRefused("The zip is encrypted.");
}

/** The folder that SKILL.md stands in, with its slash: none, or the one that holds every file. */
function skillFolder(paths: string[]): string {
  if (paths.includes(SKILL_FILE)) return "";
  const tops = new Set(paths.map((path) => path.slice(0, path.indexOf("/") + 1)));
  const [top = ""] = tops;
  if (tops.size === 1 && top !== "" && paths.includes(top + SKILL_FILE)) return top;
  throw new SkillZipRefused(`The zip must hold ${SKILL_FILE} at its root, or in its one folder.`);
}

async function unpack(zip: ZipFile, entries: Map<string, Entry>): Promise<Map<string, Buffer>> {
  const unpacked = new Map<string, Buffer>();
  let left = SKILL_ZIP_UNPACKED_MAX_BYTES;
  for (const [path, entry] of entries) {
    const content = await unpackOne(zip, entry, left);
    left -= content.length;
    unpacked.set(path, content);
  }
  return unpacked;
}

async function unpackOne(zip: ZipFile, entry: Entry, mostBytes: number): Promise<Buffer> {
  const stream = await openZipEntry(zip, entry);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      // A byte stream without an encoding yields buffers.
      const piece = chunk as Buffer;
      size += piece.length;
      if (size > mostBytes) throw tooLarge();
      chunks.push(piece);
    }
  } catch (cause) {
    throw cause instanceof SkillZipRefused
      ? cause
      : new SkillZipRefused("The zip is broken: a file cannot be unpacked.", { cause });
  }
  const content = Buffer.concat(chunks);
  if (crc32(content) !== entry.crc32)
    throw new SkillZipRefused("The zip is broken: a file is not what it was when it was packed.");
  return content;
}

async function readSkillFile(
  bytes: Buffer,
  parse: Parameters<typeof readSkillZip>[1],
): Promise<Skill> {
  if (bytes.length > SKILL_MAX_BYTES)
    throw new SkillZipRefused(`${SKILL_FILE} has at most ${SKILL_MAX_BYTES} bytes.`);
  const parsed = await parse(decodeUtf8(bytes));
  if (parsed.ok) return parsed.skill;
  const errors = parsed.errors.map(
    ({ path, message, line, column }) =>
      `line ${line}, column ${column}${path === "" ? "" : `, ${path}`}: ${message}`,
  );
  throw new SkillZipRefused(`${SKILL_FILE}: ${errors.slice(0, 5).join(" ")}`);
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new SkillZipRefused(`${SKILL_FILE} must be UTF-8.`);
  }
}

function tooLarge(): SkillZipRefused {
  return new SkillZipRefused(
    `The zip has more than ${SKILL_ZIP_UNPACKED_MAX_BYTES} bytes unpacked.`,
    { isTooLarge: true },
  );
}

/** Opens a zip that lies in memory. Throws `SkillZipRefused` when it is none. */
function openZip(bytes: Buffer): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    // strictFileNames refuses backslashes, absolute names and `..`; validateEntrySizes, more bytes
    // than an entry declares.
    yauzl.fromBuffer(
      bytes,
      { lazyEntries: true, decodeStrings: true, strictFileNames: true, validateEntrySizes: true },
      (error, zip) => {
        if (error) reject(broken(error));
        else resolve(zip);
      },
    );
  });
}

/**
 * Every entry of the zip's directory. Throws `SkillZipRefused` beyond `most`, before it reads
 * further, or when one is broken.
 */
function listZipEntries(zip: ZipFile, most: number): Promise<Entry[]> {
  const entries: Entry[] = [];
  return new Promise((resolve, reject) => {
    zip.on("error", (error: Error) => reject(broken(error)));
    zip.on("end", () => resolve(entries));
    zip.on("entry", (entry: Entry) => {
      entries.push(entry);
      if (entries.length > most)
        reject(new SkillZipRefused(`The zip has more than ${most} entries.`));
      else zip.readEntry();
    });
    zip.readEntry();
  });
}

/** The stream of an entry's bytes, unpacked. */
function openZipEntry(zip: ZipFile, entry: Entry): Promise<Readable> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (error) reject(broken(error));
      else resolve(stream);
    });
  });
}

/** Nothing of the library's message is passed on: it may quote the zip's own bytes. */
function broken(cause: unknown): SkillZipRefused {
  return new SkillZipRefused("The zip is broken, or holds names or sizes that are not allowed.", {
    cause,
  });
}

const LEFTOVER = /(^|\/)(\.DS_Store|Thumbs\.db|desktop\.ini)$|^__MACOSX(\/|$)/;

/** Whether an entry is only what an operating system leaves in archives. */
function isLeftover(name: string): boolean {
  return LEFTOVER.test(name);
}

/**
 * Collects the names in a zip and refuses, by `SkillZipRefused`, what could land outside the
 * skill's folder or on another file:
 * bad paths, the same name twice, names that differ in case only (folders too), a file where
 * another needs a folder.
 */
class SkillZipNames {
  /** Every file and folder so far, by its name in lower case. */
  readonly #known = new Map<string, { spelling: string; isFile: boolean }>();

  /** The checked path of a file. */
  addFile(name: string): string {
    const checked = checkFilePath(name);
    if (!checked.ok) throw new SkillZipRefused(`The zip holds a bad path: ${checked.message}`);
    const pieces = checked.path.split("/");
    for (let count = 1; count <= pieces.length; count += 1)
      this.#claim(pieces.slice(0, count).join("/"), count === pieces.length);
    return checked.path;
  }

  /** A folder's own entry, whose name ends with a slash. */
  addFolder(name: string): void {
    const checked = checkFilePath(name.replace(/\/$/, ""));
    if (!checked.ok) throw new SkillZipRefused(`The zip holds a bad path: ${checked.message}`);
    const pieces = checked.path.split("/");
    for (let count = 1; count <= pieces.length; count += 1)
      this.#claim(pieces.slice(0, count).join("/"), false);
  }

  #claim(spelling: string, isFile: boolean): void {
    const key = spelling.toLowerCase();
    const known = this.#known.get(key);
    if (known === undefined) this.#known.set(key, { spelling, isFile });
    else if (known.isFile || isFile)
      throw new SkillZipRefused("The zip holds two entries of the same name.");
    else if (known.spelling !== spelling)
      throw new SkillZipRefused("The zip holds names that differ in upper and lower case only.");
  }
}
