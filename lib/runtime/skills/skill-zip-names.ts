import "server-only";
import { checkFilePath } from "@/lib/model/file-path";
import { SkillZipRefused } from "./skill-zip-refused";

const LEFTOVER = /(^|\/)(\.DS_Store|Thumbs\.db|desktop\.ini)$|^__MACOSX(\/|$)/;

/** Whether an entry is only what an operating system leaves in archives. */
export function isLeftover(name: string): boolean {
  return LEFTOVER.test(name);
}

/**
 * Collects the names in a zip and refuses, by `SkillZipRefused`, what could land outside the skill's folder or on another file:
 * bad paths, the same name twice, names that differ in case only (folders too), a file where another needs a folder.
 */
export class SkillZipNames {
  /** Every file and folder so far, by its name in lower case. */
  readonly #known = new Map<string, { spelling: string; isFile: boolean }>();

  /** The checked path of a file. */
  addFile(name: string): string {
    const checked = checkFilePath(name);
    if (!checked.ok) throw new SkillZipRefused(`The zip holds a bad path: ${checked.message}`);
    const pieces = checked.path.split("/");
    for (let count = 1; count <= pieces.length; count += 1) this.#claim(pieces.slice(0, count).join("/"), count === pieces.length);
    return checked.path;
  }

  /** A folder's own entry, whose name ends with a slash. */
  addFolder(name: string): void {
    const checked = checkFilePath(name.replace(/\/$/, ""));
    if (!checked.ok) throw new SkillZipRefused(`The zip holds a bad path: ${checked.message}`);
    const pieces = checked.path.split("/");
    for (let count = 1; count <= pieces.length; count += 1) this.#claim(pieces.slice(0, count).join("/"), false);
  }

  #claim(spelling: string, isFile: boolean): void {
    const key = spelling.toLowerCase();
    const known = this.#known.get(key);
    if (known === undefined) this.#known.set(key, { spelling, isFile });
    else if (known.isFile || isFile) throw new SkillZipRefused("The zip holds two entries of the same name.");
    else if (known.spelling !== spelling) throw new SkillZipRefused("The zip holds names that differ in upper and lower case only.");
  }
}
