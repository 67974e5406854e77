import { cpSync, existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Processes that the service starts by path. */
const CHILDREN = [
  "lib/runtime/sandbox/child.mjs",
  "lib/runtime/documents/child.mjs",
  "lib/runtime/makers/child.mjs",
  "lib/runtime/python/child.mjs",
];
const IMPORT = /(?:^import [^;]*?from |^import |import\(|require(?:\.resolve)?\()"([^"]+)"/gm;
/** What no process reads: half of what these packages weigh. */
const UNUSED = /\.(?:map|d\.[cm]?ts)$/;
/** What only a type checker imports. */
const COMMENTS = /\/\*[\s\S]*?\*\//g;

/**
 * The files that `entries` import of the clone at `root`, themselves among them, and the names of
 * the packages that those import; also what is imported later, by `import()`.
 * @param {string} root
 * @param {string[]} entries
 */
export function importsOf(root, entries) {
  /** @type {Set<string>} */
  const files = new Set();
  /** @type {Set<string>} */
  const names = new Set();
  /** @param {string} file */
  const visit = (file) => {
    if (files.has(file)) return;
    files.add(file);
    for (const [, target = ""] of readFileSync(join(root, file), "utf8")
      .replace(COMMENTS, "")
      .matchAll(IMPORT)) {
      if (target.startsWith(".")) visit(join(dirname(file), target));
      else if (!target.startsWith("node:"))
        names.add(target.split("/", target.startsWith("@") ? 2 : 1).join("/"));
    }
  };
  for (const entry of entries) visit(entry);
  return { files: [...files], names: [...names] };
}

/**
 * The folders, below `root`, of the packages that `entries` import, and of those that these depend
 * on, without optional ones.
 * @param {string} root
 * @param {string[]} entries
 * @throws Error where one is not installed
 */
export function packagesOf(root, entries) {
  /** @type {Set<string>} */
  const folders = new Set();
  /** @param {string} name @param {string} from */
  const visit = (name, from) => {
    const folder = find(root, name, from);
    if (folders.has(folder)) return;
    folders.add(folder);
    const { dependencies = {} } = JSON.parse(
      readFileSync(join(root, folder, "package.json"), "utf8"),
    );
    for (const dependency of Object.keys(dependencies)) visit(dependency, folder);
  };
  for (const name of importsOf(root, entries).names) visit(name, "");
  return [...folders];
}

/**
 * As Node looks for a package: beside the one that wants it, else above.
 * @param {string} root
 * @param {string} name
 * @param {string} from
 * @returns {string}
 */
function find(root, name, from) {
  const folder = join(from, "node_modules", name);
  if (existsSync(join(root, folder, "package.json"))) return folder;
  if (from === "") throw new Error(`The package ${name} is not installed.`);
  const above = from.lastIndexOf("node_modules");
  return find(root, name, above <= 0 ? "" : from.slice(0, above - 1));
}

/**
 * Packages of processes that the service starts by path, such as the sandbox, Next's build cannot
 * see: they come to those that it found.
 * @param {string} root
 */
export function addPackagesOfChildren(root) {
  for (const folder of packagesOf(root, CHILDREN))
    cpSync(join(root, folder), join(root, ".next/standalone", folder), {
      recursive: true,
      filter: (source) => !UNUSED.test(source),
    });
}
