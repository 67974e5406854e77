import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { migrationFolders } from "../postgres/migrate.mjs";

const SQUAWK = fileURLToPath(
  new URL("../../node_modules/squawk-cli/js/bin/squawk", import.meta.url),
);
const CONFIG = fileURLToPath(new URL("../../.squawk.toml", import.meta.url));

/**
 * A migration and a rule of squawk that it breaks.
 * @typedef {{
 *   file: string,
 *   line: number,
 *   rule_name: string,
 *   message: string,
 *   help: string | null,
 * }} Finding
 */

/** Those up to this one were released, or written, before squawk read them; none can change. */
const LAST_UNREAD = "20261125161209_event_endpoints";

/** What breaks a process of the release before; see docs/operations.md, "Rolling updates". */
const CONTRACTING = [
  "adding-not-nullable-field",
  "adding-required-field",
  "ban-drop-column",
  "ban-drop-table",
  "changing-column-type",
  "renaming-column",
  "renaming-table",
];
/**
 * The same of what squawk has no rule for.
 * @type {[pattern: RegExp, what: string][]}
 */
const ALSO_CONTRACTING = [
  [/\bDROP\s+(?:FUNCTION|TYPE|VIEW)\b/i, "drops something"],
  [/^\s*ALTER\s+(?:FUNCTION|TYPE|VIEW)\s[^;]*\bRENAME\b/i, "renames something"],
];

/**
 * What the migrations after `after` do that holds up a service at work, or that only the next
 * release may do: a sentence each. A comment `-- contract: …` in a migration says that no code of
 * the release before touches what it takes away.
 * @param {string} root
 * @param {string} [after]
 * @returns {string[]}
 * @throws Error where squawk does not run on this machine
 */
export function migrationFaults(root, after = LAST_UNREAD) {
  const migrations = migrationFolders(root).filter(({ name }) => name > after);
  const contracting = new Set(
    migrations.filter(({ sql }) => /^-- contract: \S/m.test(sql)).map(({ name }) => name),
  );
  const told = findings(
    root,
    migrations.map(({ name }) => fileOf(name)),
  )
    .map((finding) => ({ ...finding, name: finding.file.split("/").at(-2) ?? "" }))
    .filter(({ name, rule_name: rule }) => !contracting.has(name) || !CONTRACTING.includes(rule))
    .map(({ file, line, rule_name: rule, message, help }) =>
      [`${file}:${line + 1}: ${rule}: ${message}`, help].filter(Boolean).join(" "),
    );
  const others = migrations
    .filter(({ name }) => !contracting.has(name))
    .flatMap(({ name, sql }) => alsoContracting(sql).map((fault) => `${fileOf(name)}: ${fault}`));
  return [...told, ...others];
}

/** @param {string} name */
function fileOf(name) {
  return `prisma/migrations/${name}/migration.sql`;
}

/**
 * @param {string} root
 * @param {string[]} files
 * @returns {Finding[]}
 */
function findings(root, files) {
  if (files.length === 0) return [];
  const { stdout, stderr, error } = spawnSync(
    process.execPath,
    [SQUAWK, "--config", CONFIG, "--reporter", "json", ...files],
    { cwd: root, encoding: "utf8", maxBuffer: 2 ** 26 },
  );
  try {
    return JSON.parse(stdout);
  } catch {
    throw new Error(`squawk cannot read the migrations: ${error?.message ?? stderr}`);
  }
}

/** @param {string} sql */
function alsoContracting(sql) {
  return sql
    .replace(/\$\$[\s\S]*?\$\$/g, "")
    .replace(/^[ \t]*--.*$/gm, "")
    .split(";")
    .flatMap((statement) =>
      ALSO_CONTRACTING.filter(([pattern]) => pattern.test(statement)).map(
        ([, what]) => `${what}: ${statement.replace(/\s+/g, " ").trim().slice(0, 120)}`,
      ),
    );
}
