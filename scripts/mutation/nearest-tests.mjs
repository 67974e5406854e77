import { readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";

/**
 * A test that is this much nearer counts for one that names the file's verb, or stands in its
 * folder.
 */
const STEP = 10;

/**
 * They judge the whole document, take long, and look at nothing that the document's other tests do
 * not see too.
 */
const SLOW = /(reference-snippets|document-lint)\.test\.ts$/;

/** Which tests import which sources, over how many others. */
export class ImportGraph {
  /** @type {Map<string, string[]>} */
  #imports = new Map();
  /** @type {Map<string, string>} */
  #texts = new Map();
  /** @type {Map<string, Map<string, number>>} */
  #distances = new Map();

  /** @param {string} root @param {string[]} files paths within the root, sources and tests */
  constructor(root, files) {
    const known = new Set(files);
    for (const file of files) {
      const text = readFileSync(path.join(root, file), "utf8");
      this.#texts.set(file, text);
      const names = ts
        .preProcessFile(text, true, true)
        .importedFiles.map(({ fileName }) => fileName);
      const found = names.map((name) => {
        if (!name.startsWith("@/") && !name.startsWith(".")) return undefined;
        const base = name.startsWith("@/") ? name.slice(2) : path.join(path.dirname(file), name);
        return [base, `${base}.ts`, `${base}.tsx`, `${base}.mts`].find((each) => known.has(each));
      });
      this.#imports.set(
        file,
        found.filter((each) => each !== undefined),
      );
    }
    for (const file of files)
      if (/\.test\.tsx?$/.test(file) && !SLOW.test(file))
        this.#distances.set(file, this.#walk(file));
  }

  /**
   * The tests that load a source, the nearest first: few steps of import away, in the same folder,
   * naming what it exports, loading little else.
   * @param {string} source @returns {string[]}
   */
  testsOf(source) {
    const verb = path.basename(source).replace(/\.tsx?$/, "");
    const name = verb.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
    /** @type {{ test: string, far: number }[]} */
    const rows = [];
    for (const [test, distances] of this.#distances) {
      const steps = distances.get(source);
      if (steps === undefined) continue;
      const isBeside = path.dirname(test) === path.dirname(source);
      const isOfName = path.basename(test).startsWith(`${verb}.`);
      const isNamed = isOfName || new RegExp(`\\b${name}\\b`).test(this.#texts.get(test) ?? "");
      const far = steps * STEP + distances.size / 15 + (test.includes(".db.") ? STEP / 2 : 0);
      rows.push({
        test,
        far: far - (isBeside ? STEP : 0) - (isNamed ? 2 * STEP : 0) - (isOfName ? 4 * STEP : 0),
      });
    }
    return rows
      .sort((a, b) => a.far - b.far || a.test.localeCompare(b.test))
      .map(({ test }) => test);
  }

  /** @param {string} start @returns {Map<string, number>} */
  #walk(start) {
    const distances = new Map([[start, 0]]);
    const waiting = [start];
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      for (const next of this.#imports.get(file) ?? []) {
        if (distances.has(next)) continue;
        distances.set(next, (distances.get(file) ?? 0) + 1);
        waiting.push(next);
      }
    }
    return distances;
  }
}
