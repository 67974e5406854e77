import "server-only";
import type { Readable } from "node:stream";
import yauzl, { type Entry, type ZipFile } from "yauzl";
import { SkillZipRefused } from "./skill-zip-refused";

/** Opens a zip that lies in memory. Throws `SkillZipRefused` when it is none. */
export function openZip(bytes: Buffer): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    // strictFileNames refuses backslashes, absolute names and `..`; validateEntrySizes, more bytes than an entry declares.
    yauzl.fromBuffer(bytes, { lazyEntries: true, decodeStrings: true, strictFileNames: true, validateEntrySizes: true }, (error, zip) => {
      if (error) reject(broken(error));
      else resolve(zip);
    });
  });
}

/** Every entry of the zip's directory. Throws `SkillZipRefused` beyond `most`, before it reads further, or when one is broken. */
export function listZipEntries(zip: ZipFile, most: number): Promise<Entry[]> {
  const entries: Entry[] = [];
  return new Promise((resolve, reject) => {
    zip.on("error", (error: Error) => reject(broken(error)));
    zip.on("end", () => resolve(entries));
    zip.on("entry", (entry: Entry) => {
      entries.push(entry);
      if (entries.length > most) reject(new SkillZipRefused(`The zip has more than ${most} entries.`));
      else zip.readEntry();
    });
    zip.readEntry();
  });
}

/** The stream of an entry's bytes, unpacked. */
export function openZipEntry(zip: ZipFile, entry: Entry): Promise<Readable> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (error) reject(broken(error));
      else resolve(stream);
    });
  });
}

/** Nothing of the library's message is passed on: it may quote the zip's own bytes. */
function broken(cause: unknown): SkillZipRefused {
  return new SkillZipRefused("The zip is broken, or holds names or sizes that are not allowed.", { cause });
}
