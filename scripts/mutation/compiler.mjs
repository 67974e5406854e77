import { readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";

/**
 * The compiler, kept open over the whole project: a fault that does not compile cannot be shipped,
 * so no test has to notice it.
 */
export class Compiler {
  /** @type {Map<string, { text: string, version: number }>} */
  #changed = new Map();
  #root;
  #service;

  /** @param {string} root */
  constructor(root) {
    this.#root = root;
    const parsed = ts.parseJsonConfigFileContent(
      ts.readConfigFile(path.join(root, "tsconfig.json"), ts.sys.readFile).config,
      ts.sys,
      root,
    );
    const options = { ...parsed.options, noEmit: true, incremental: false };
    /** @type {Map<string, ts.IScriptSnapshot>} */
    const snapshots = new Map();
    this.#service = ts.createLanguageService(
      {
        ...ts.sys,
        useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
        getCompilationSettings: () => options,
        getScriptFileNames: () =>
          parsed.fileNames.filter((name) => !/\.test\.|\/(e2e|components|bench)\//.test(name)),
        getScriptVersion: (name) => String(this.#changed.get(name)?.version ?? 0),
        getScriptSnapshot: (name) => {
          const changed = this.#changed.get(name);
          if (changed) return ts.ScriptSnapshot.fromString(changed.text);
          const known = snapshots.get(name);
          if (known) return known;
          const text = ts.sys.readFile(name);
          if (text === undefined) return undefined;
          const snapshot = ts.ScriptSnapshot.fromString(text);
          snapshots.set(name, snapshot);
          return snapshot;
        },
        getCurrentDirectory: () => root,
        getDefaultLibFileName: ts.getDefaultLibFilePath,
      },
      ts.createDocumentRegistry(),
    );
  }

  /**
   * @param {import("./mutants.mjs").Mutant} mutant
   * @returns {boolean} whether the file still compiles with the fault in it; files that import it
   * are not asked
   */
  accepts({ file, start, end, after }) {
    const name = path.join(this.#root, file);
    const whole = readFileSync(name, "utf8");
    this.#set(name, whole.slice(0, start) + after + whole.slice(end));
    const faults = [
      ...this.#service.getSyntacticDiagnostics(name),
      ...this.#service.getSemanticDiagnostics(name),
    ];
    this.#set(name, whole);
    return faults.length === 0;
  }

  /** @param {string} name @param {string} text */
  #set(name, text) {
    this.#changed.set(name, { text, version: (this.#changed.get(name)?.version ?? 0) + 1 });
  }
}
