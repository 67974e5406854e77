import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";
import { sourceFiles } from "./account-queries.mjs";
import { MODULE_STATE_EXCEPTIONS } from "./module-state-exceptions.mjs";

/**
 * What changes while the service works belongs to the service (`definePart` in `lib/service.ts`),
 * not to a module: bundlers load a module several times in a process, a test wants its own, and
 * nothing closes what a module holds. Here is found what a module keeps, and who reads the
 * environment beside `lib/env.ts`.
 *
 * @typedef {object} Found
 * @property {string} name of the variable, or what is read
 * @property {number} line counted from 1
 */

/** The folders of what runs on a server; those of the browser keep what they show. */
const FOLDERS = [
  ...["admin", "api", "domain", "engine", "jobs", "model", "offline-model", "platform"],
  ...["runtime", "server", "storage", "templates"],
].map((layer) => `lib/${layer}`);
/** @type {Record<string, string[]>} The one place of each. */
const PLACES = {
  globalThis: ["lib/service.ts"],
  "process.env": ["lib/env.ts"],
};
/** What does not change once it is made; of a collection that is made with all it has. */
const VALUES = new Set(["RegExp", "Date", "Error", "URL", "TextEncoder", "TextDecoder", "Request"]);
const COLLECTIONS = new Set(["Map", "Set", "WeakMap", "WeakSet"]);

/** Without one of these a source need not be parsed. */
const MAY_HOLD = /^(?:export )?(?:let|var)\b|=\s*\(*(?:new\b|\[\s*\]|\{\s*\})/m;

/**
 * The variables of a module that change, or that hold what does.
 * @param {string} source
 * @returns {Found[]}
 */
export function moduleStateIn(source, path = "module.ts") {
  if (!MAY_HOLD.test(source)) return [];
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  return file.statements.flatMap((statement) => {
    if (!ts.isVariableStatement(statement)) return [];
    const { flags, declarations } = statement.declarationList;
    const isConst = (flags & ts.NodeFlags.Const) !== 0;
    return declarations
      .filter(({ initializer }) => !isConst || (initializer && holdsState(initializer)))
      .map(({ name }) => ({ name: name.getText(file), line: lineOf(file, name) }));
  });
}

/** @param {ts.Expression} made */
function holdsState(made) {
  const value = bare(made);
  // With nothing in it, it is there to be filled.
  if (ts.isArrayLiteralExpression(value)) return value.elements.length === 0 && !isReadonly(made);
  if (ts.isObjectLiteralExpression(value)) return value.properties.length === 0;
  if (!ts.isNewExpression(value)) return false;
  const name = value.expression.getText();
  if (COLLECTIONS.has(name)) return (value.arguments ?? []).length === 0;
  return !VALUES.has(name) && !name.startsWith("Intl.");
}

/** @param {ts.Expression} made @returns {ts.Expression} */
function bare(made) {
  return ts.isAsExpression(made) ||
    ts.isSatisfiesExpression(made) ||
    ts.isParenthesizedExpression(made)
    ? bare(made.expression)
    : made;
}

/** @param {ts.Expression} made */
function isReadonly({ parent }) {
  return (
    ts.isVariableDeclaration(parent) && /^readonly |Readonly/.test(parent.type?.getText() ?? "")
  );
}

/**
 * Where a source reads what the process has one of.
 * @param {string} source
 * @param {string} path
 * @returns {Found[]}
 */
export function processReadsIn(source, path) {
  if (!Object.keys(PLACES).some((name) => source.includes(name))) return [];
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  /** @type {Found[]} */
  const found = [];
  /** @param {ts.Node} node */
  const visit = (node) => {
    const name =
      ts.isIdentifier(node) &&
      node.text === "globalThis" &&
      !ts.isPropertyAccessExpression(node.parent)
        ? "globalThis"
        : ts.isPropertyAccessExpression(node) && node.getText(file) === "process.env"
          ? "process.env"
          : null;
    if (name !== null && !PLACES[name]?.includes(path))
      found.push({ name, line: lineOf(file, node) });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** How a test may set what is read before it has begun; its own service is given its variables. */
const SETTERS = /\bvi\.stubEnv\(|\bprocess\.env\b/g;

/**
 * Whether what stands around `process.env` in a source sets it, or something of it.
 * @param {string} before
 * @param {string} after
 */
function isSet(before, after) {
  if (before.trimEnd().endsWith("Object.assign(")) return true;
  const property = /^(?:\.\w{1,100}|\[[^\]]{1,100}\])/.exec(after)?.[0] ?? "";
  const operator = after.slice(property.length).trimStart();
  const [sign = ""] = ["??=", "||=", "="].filter((each) => operator.startsWith(each));
  return sign !== "" && !/^[=>]/.test(operator.slice(sign.length));
}

/**
 * Where a test sets the environment of its process.
 * @param {string} source
 * @returns {Found[]}
 */
export function environmentSetIn(source) {
  return [...source.matchAll(SETTERS)]
    .filter(
      ({ 0: text, index }) =>
        text.startsWith("vi.") ||
        isSet(source.slice(0, index), source.slice(index + text.length, index + 400)),
    )
    .map(({ 0: text, index }) => ({
      name: text,
      line: source.slice(0, index).split("\n").length,
    }));
}

/** @param {ts.SourceFile} file @param {ts.Node} node */
function lineOf(file, node) {
  return file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
}

/**
 * What no exception covers, and exceptions that cover nothing, a sentence each.
 * @param {string} root
 * @param {Record<string, Record<string, string>>} exceptions
 */
export function findModuleState(root, exceptions = MODULE_STATE_EXCEPTIONS) {
  const unused = new Set(
    Object.entries(exceptions).flatMap(([path, names]) =>
      Object.keys(names).map((name) => `${path} ${name}`),
    ),
  );
  const problems = sourceFiles(root, FOLDERS).flatMap((absolute) => {
    const path = relative(root, absolute);
    const source = readFileSync(absolute, "utf8");
    return [...moduleStateIn(source, path), ...processReadsIn(source, path)]
      .filter(({ name }) => {
        unused.delete(`${path} ${name}`);
        return exceptions[path]?.[name] === undefined;
      })
      .map(({ name, line }) => `${path}:${line} keeps or reads "${name}"`);
  });
  return [
    ...problems.map((each) => `${each}; make it a part of the service (lib/service.ts)`),
    ...[...unused].map((each) => `the exception for ${each} covers nothing`),
  ];
}

/**
 * The tests of `lib` that set the environment, but for those of `exceptions`.
 * @param {string[]} paths
 * @param {string} root
 * @param {Record<string, string>} exceptions
 */
export function findEnvironmentSetters(root, paths, exceptions) {
  return paths.flatMap((path) =>
    exceptions[path] === undefined
      ? environmentSetIn(readFileSync(join(root, path), "utf8")).map(
          ({ name, line }) => `${path}:${line} sets the environment: ${name}`,
        )
      : [],
  );
}
