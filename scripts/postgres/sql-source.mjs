import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The functions and types of the database as source: one whole and current definition a file, in
 * prisma/functions, prisma/functions/previous (what processes of the release before still call) and
 * prisma/types. A migration carries what changed of them.
 *
 * @typedef {{ name: string, path: string, sql: string }} SourceFile
 * @typedef {{ name: string, signature: string, version: string, definition: string }} Definition
 * `version` changes with each statement that defines it
 * @typedef {{ changed: SourceFile[], gone: string[], faults: string[] }} Difference `gone`:
 * statements that drop what stands in no file any more
 */

/** Functions may call each other in any order, and a body is checked once all of them are there. */
const UNCHECKED = "SET LOCAL check_function_bodies = off";

const FUNCTIONS = `
SELECT p.proname AS name, p.oid::regprocedure::text AS signature, p.ctid::text AS version,
  pg_get_functiondef(p.oid)
    || coalesce(E'\\n-- ' || obj_description(p.oid, 'pg_proc'), '') AS definition
FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
WHERE n.nspname = 'public' AND p.prokind IN ('f', 'p')
  AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
ORDER BY 1, 2`;

const TYPES = `
SELECT t.typname AS name, t.typname AS signature, t.ctid::text AS version,
  string_agg(a.attname || ' ' || format_type(a.atttypid, a.atttypmod), ', ' ORDER BY a.attnum)
    || coalesce(' -- ' || obj_description(t.oid, 'pg_type'), '') AS definition
FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace
  JOIN pg_class c ON c.oid = t.typrelid AND c.relkind = 'c'
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
WHERE n.nspname = 'public' GROUP BY t.oid, t.typname, t.ctid ORDER BY 1`;

/**
 * @param {string} root
 * @param {string} folder below `root`
 * @returns {SourceFile[]}
 */
function sourceFiles(root, folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder))
    .filter((file) => file.endsWith(".sql"))
    .sort()
    .map((file) => ({
      name: file.slice(0, -".sql".length),
      path: `${folder}/${file}`,
      sql: readFileSync(join(root, folder, file), "utf8"),
    }));
}

/** @param {string} root @returns {SourceFile[]} */
export function typeFiles(root) {
  return sourceFiles(root, "prisma/types");
}

/** @param {string} root @returns {SourceFile[]} those of the release before first */
export function functionFiles(root) {
  return [
    ...sourceFiles(root, "prisma/functions/previous"),
    ...sourceFiles(root, "prisma/functions"),
  ];
}

/**
 * What the files say otherwise than the database of `client`, to which the migrations were applied;
 * nothing is changed there.
 * @param {import("pg").Client} client
 * @param {string} root
 * @returns {Promise<Difference>} the files whose definitions the next migration must carry, and
 * what no migration can mend by replacing: one sentence each
 */
export async function sourceDifference(client, root) {
  const types = await difference(client, typeFiles(root), TYPES, "type");
  const functions = await difference(
    client,
    functionFiles(root),
    FUNCTIONS,
    "function",
    types.changed,
  );
  return {
    changed: [...types.changed, ...functions.changed],
    gone: [...functions.gone, ...types.gone],
    faults: [...types.faults, ...functions.faults],
  };
}

/**
 * @param {import("pg").Client} client
 * @param {SourceFile[]} files
 * @param {string} catalogue
 * @param {"type" | "function"} kind
 * @param {SourceFile[]} [needed] applied before
 * @returns {Promise<Difference>}
 */
async function difference(client, files, catalogue, kind, needed = []) {
  /** @type {Difference} */
  const found = { changed: [], gone: [], faults: [] };
  /** @returns {Promise<Map<string, Definition>>} */
  const read = async () =>
    new Map((await client.query(catalogue)).rows.map((row) => [row.signature, row]));
  await client.query("BEGIN");
  try {
    await client.query(UNCHECKED);
    for (const { sql } of needed) await client.query(sql);
    const before = await read();
    /** @type {Set<string>} */
    const defined = new Set();
    for (const file of files) {
      await client.query("SAVEPOINT one");
      if (kind === "type") await client.query(`DROP TYPE IF EXISTS ${file.name} CASCADE`);
      const standing = await read();
      const fault = await client.query(file.sql).then(
        () => null,
        (/** @type {Error} */ error) => error.message,
      );
      if (fault !== null) {
        await client.query("ROLLBACK TO SAVEPOINT one");
        found.faults.push(`${file.path}: ${fault}`);
        continue;
      }
      const after = await read();
      const touched = [...after.values()].filter(
        ({ signature, version }) => standing.get(signature)?.version !== version,
      );
      if (touched.length !== 1 || touched[0]?.name !== file.name)
        found.faults.push(`${file.path} must define one ${kind}, named ${file.name}`);
      for (const one of touched) {
        if (defined.has(one.signature))
          found.faults.push(`${file.path}: ${one.signature} stands in another file, too`);
        defined.add(one.signature);
        if (before.get(one.signature)?.definition === one.definition) continue;
        found.changed.push(file);
        if (kind === "type" && before.has(one.signature))
          found.faults.push(
            `${file.path} changes a type that running processes send: give the new one a new name`,
          );
      }
      // A type's functions went with it; the database is as before for the next one.
      if (kind === "type") await client.query("ROLLBACK TO SAVEPOINT one");
    }
    for (const { signature } of before.values())
      if (!defined.has(signature)) found.gone.push(`DROP ${kind.toUpperCase()} ${signature};`);
  } finally {
    await client.query("ROLLBACK");
  }
  return found;
}

/**
 * The part of a migration that carries a difference; "" for none.
 * @param {Pick<Difference, "changed" | "gone">} difference types before functions
 */
export function migrationOf({ changed, gone }) {
  if (changed.length + gone.length === 0) return "";
  return [
    "-- Bodies name functions that stand further down.\nSET check_function_bodies = off;\n",
    ...changed.map(({ path, sql }) => `-- ${path}\n${sql.trim()}\n`),
    ...gone.map((statement) => `${statement}\n`),
    "RESET check_function_bodies;\n",
  ].join("\n");
}

/**
 * The signatures that prisma/functions itself defines: those of the release before are left out.
 * @param {import("pg").Client} client
 * @param {string} root
 * @returns {Promise<Set<string>>}
 */
export async function currentSignatures(client, root) {
  /** @returns {Promise<Definition[]>} */
  const read = async () => (await client.query(FUNCTIONS)).rows;
  await client.query("BEGIN");
  try {
    await client.query(UNCHECKED);
    const before = new Map((await read()).map((each) => [each.signature, each.version]));
    for (const { sql } of sourceFiles(root, "prisma/functions")) await client.query(sql);
    const defined = (await read()).filter(
      ({ signature, version }) => before.get(signature) !== version,
    );
    return new Set(defined.map(({ signature }) => signature));
  } finally {
    await client.query("ROLLBACK");
  }
}
