import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * @typedef {{ license?: string, version?: string, dev?: boolean, optional?: boolean, devOptional?:
 * boolean }} Locked
 * @typedef {{ name: string, version: string, licence: string, isDev: boolean, folder: string,
 * isOptional: boolean }} Package
 */

/** Kinds that ask for no more than to be named. */
const ALLOWED = new Set(
  (
    "MIT MIT-0 ISC BSD-2-Clause BSD-3-Clause Apache-2.0 0BSD CC0-1.0 Unlicense BlueOak-1.0.0 " +
    "Python-2.0 PSF-2.0 AFL-2.1 Zlib"
  ).split(" "),
);

/**
 * Packages of other kinds, each looked at: by the beginning of their names, with the kind and why
 * it will do.
 */
const LOOKED_AT = [
  {
    name: "@img/sharp",
    licence: "LGPL-3.0-or-later",
    why:
      "a library of its own file beside Next, loaded and not changed; whoever wants another puts " +
      "it there",
  },
  {
    name: "lightningcss",
    licence: "MPL-2.0",
    why: "used as it is; only changes to its own files would have to be told",
  },
  {
    name: "@resvg/resvg-wasm",
    licence: "MPL-2.0",
    why: "draws charts, used as it is; only changes to its own files would have to be told",
  },
  {
    name: "pyodide",
    licence: "MPL-2.0",
    why: "runs Python, used as it is; only changes to its own files would have to be told",
  },
  { name: "axe-core", licence: "MPL-2.0", why: "tests alone, used as it is" },
  { name: "@axe-core/playwright", licence: "MPL-2.0", why: "tests alone, used as it is" },
  {
    name: "elkjs",
    licence: "EPL-2.0",
    why: "comes with Prisma's command line, which the service does not load; used as it is",
  },
  { name: "duck", licence: "BSD", why: "its LICENSE is that of the two clauses" },
  { name: "caniuse-lite", licence: "CC-BY-4.0", why: "data, named here" },
  { name: "geist", licence: "SIL OPEN FONT LICENSE", why: "fonts, served as they are" },
];

/** What packages say nowhere in their package.json, read in their files. */
const READ_BY_HAND = [
  { name: "png-js", licence: "MIT" },
  { name: "seq-queue", licence: "MIT" },
  { name: "only", licence: "MIT" },
  { name: "humanize-number", licence: "MIT" },
];

/**
 * The packages of the lock file, of all systems, by name and version.
 * @param {string} root
 * @returns {Package[]}
 */
export function lockedPackages(root) {
  /** @type {Record<string, Locked>} */
  const packages = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
  const seen = new Map();
  for (const [folder, entry] of Object.entries(packages)) {
    if (folder === "") continue;
    const name = folder.slice(folder.lastIndexOf("node_modules/") + "node_modules/".length);
    const key = `${name} ${entry.version}`;
    const isDev = entry.dev === true;
    const known = seen.get(key);
    if (known && (!known.isDev || isDev)) continue;
    const isOptional = entry.optional === true || entry.devOptional === true;
    seen.set(key, {
      name,
      version: entry.version ?? "",
      licence: entry.license ?? readLicence(root, folder, name),
      isDev,
      isOptional,
      folder,
    });
  }
  return [...seen.values()].sort((a, b) =>
    `${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1,
  );
}

/**
 * Older packages say it in other forms, and the lock file leaves those out.
 * @param {string} root
 * @param {string} folder
 * @param {string} name
 */
function readLicence(root, folder, name) {
  const byHand = READ_BY_HAND.find((one) => one.name === name);
  if (byHand) return byHand.licence;
  const path = join(root, folder, "package.json");
  if (!existsSync(path)) return "";
  /** @type {{ license?: string | { type: string }, licenses?: { type: string }[] }} */
  const { license, licenses = [] } = JSON.parse(readFileSync(path, "utf8"));
  return typeof license === "string"
    ? license
    : (license?.type ?? licenses.map(({ type }) => type).join(" OR "));
}

/**
 * A sentence for each package whose licence is none that we may use without a look at it.
 * @param {Package[]} packages
 */
export function licenceProblems(packages) {
  return packages
    .filter((one) => !isAllowed(one.licence) && !isLookedAt(one))
    .map(({ name, version, licence }) => `${name} ${version}: ${licence || "no licence"}`);
}

/**
 * An expression of SPDX, without parentheses within parentheses. @param {string} licence @returns
 * {boolean}
 */
function isAllowed(licence) {
  const plain = licence.replace(/^\(|\)$/g, "");
  if (/ or /i.test(plain)) return plain.split(/ or /i).some(isAllowed);
  return plain.split(/ and /i).every((kind) => ALLOWED.has(kind));
}

/** @param {Package} one */
function isLookedAt({ name, licence }) {
  return LOOKED_AT.some(
    (known) =>
      name.startsWith(known.name) &&
      licence.split(/ and /i).every((kind) => kind === known.licence || ALLOWED.has(kind)),
  );
}

/**
 * THIRD_PARTY_LICENSES: every package with its licence, and the texts of what the service itself is
 * made of and is there on every system.
 * @param {string} root
 * @param {Package[]} packages
 */
export function licencesText(root, packages) {
  const needed = packages.filter(({ isDev }) => !isDev);
  /** @type {Map<string, string[]>} */
  const texts = new Map();
  for (const { name, version, folder, isOptional } of needed) {
    if (isOptional) continue;
    const text = readText(join(root, folder));
    if (text) texts.set(text, [...(texts.get(text) ?? []), `${name} ${version}`]);
  }
  return [
    "Licences of the packages that Lathe is made of. Written by `npm run task -- licences`; `npm " +
      "run check` compares it.",
    `\nWHAT THE SERVICE IS MADE OF (${needed.length})\n`,
    ...needed.map(line),
    `\nWHAT ONLY DEVELOPMENT AND TESTS NEED (${packages.length - needed.length})\n`,
    ...packages.filter(({ isDev }) => isDev).map(line),
    "\nLOOKED AT ONE BY ONE\n",
    ...LOOKED_AT.map(({ name, licence, why }) => `${name}…: ${licence}: ${why}`),
    "\nTEXTS\n",
    ...[...texts].map(
      ([text, names]) => `${"=".repeat(80)}\n${names.join(", ")}\n${"-".repeat(80)}\n${text}\n`,
    ),
  ].join("\n");
}

/** @param {Package} one */
function line({ name, version, licence }) {
  return `${name} ${version}: ${licence}`;
}

/** @param {string} folder */
function readText(folder) {
  if (!existsSync(folder)) return "";
  const file = readdirSync(folder)
    .sort()
    .find((name) => /^(licen[cs]e|copying)([.-].*)?$/i.test(name));
  return file ? readFileSync(join(folder, file), "utf8").replace(/\r\n?/g, "\n").trim() : "";
}
