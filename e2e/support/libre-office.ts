import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

const PLACES = [
  ...(process.env.PATH ?? "").split(path.delimiter).map((folder) => path.join(folder, "soffice")),
  "/Applications/LibreOffice.app/Contents/MacOS/soffice",
];
/** Its first start on a busy machine takes its time. */
const CONVERT_TIMEOUT_MS = 200_000;

/** Where LibreOffice is on this machine; null where it is not. */
export const LIBRE_OFFICE = PLACES.find((place) => existsSync(place)) ?? null;

/** Why tests that want it are skipped. */
export const NO_LIBRE_OFFICE =
  "LibreOffice (soffice) is not on this machine: what the writers make is not opened in its " +
  "readers";

/**
 * Opens files in LibreOffice's readers and saves what it read in another format: a PDF has all
 * pages, a PNG the first page, sheet or slide. A file that it cannot open fails the call.
 * @param files bytes by name, whose ending says the format
 * @returns bytes by the same names
 */
export async function openInLibreOffice(
  files: ReadonlyMap<string, Uint8Array>,
  to: "pdf" | "png",
): Promise<Map<string, Uint8Array>> {
  if (LIBRE_OFFICE === null) throw new Error(NO_LIBRE_OFFICE);
  const folder = await mkdtemp(path.join(tmpdir(), "lathe-office-"));
  try {
    // A folder each: two files may differ in their ending alone.
    const named = [...files].map(([name, bytes], at) => ({ name, bytes, at: String(at) }));
    for (const { name, bytes, at } of named) {
      await mkdir(path.join(folder, at));
      await writeFile(path.join(folder, at, `${at}${path.extname(name)}`), bytes);
    }
    // A profile of its own, so that it neither finds nor leaves anything of a person's.
    const profile = `-env:UserInstallation=${pathToFileURL(path.join(folder, "profile"))}`;
    const sources = named.map(({ name, at }) =>
      path.join(folder, at, `${at}${path.extname(name)}`),
    );
    const target = path.join(folder, "opened");
    await promisify(execFile)(
      LIBRE_OFFICE,
      [profile, "--headless", "--convert-to", to, "--outdir", target, ...sources],
      { timeout: CONVERT_TIMEOUT_MS },
    );
    const opened = new Map<string, Uint8Array>();
    for (const { name, at } of named)
      opened.set(name, await readFile(path.join(target, `${at}.${to}`)));
    return opened;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
