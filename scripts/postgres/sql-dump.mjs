/**
 * The schema of a migrated database as one text, made from the catalogue: the same for the same
 * migrations, whatever the server's version. Bodies of functions are left out: prisma/functions has
 * them.
 */

const OWN = `c.relnamespace = 'public'::regnamespace AND c.relname <> '_prisma_migrations'`;

const TABLES = `
SELECT c.relname AS name, (
    SELECT string_agg(format('  %I %s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
      CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END,
      coalesce(' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid), '')), E',\\n' ORDER BY a.attname)
    FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
  (SELECT string_agg(format(E'  CONSTRAINT %I %s', k.conname, pg_get_constraintdef(k.oid)),
      E',\\n' ORDER BY k.conname)
    FROM pg_constraint k WHERE k.conrelid = c.oid
      AND k.contype IN ('p', 'u', 'f', 'c', 'x')) AS rules
FROM pg_class c WHERE ${OWN} AND c.relkind = 'r' ORDER BY 1`;

const INDEXES = `
SELECT pg_get_indexdef(i.indexrelid) AS text
FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_class x ON x.oid = i.indexrelid
WHERE ${OWN} AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = i.indexrelid)
ORDER BY x.relname`;

const TRIGGERS = `
SELECT pg_get_triggerdef(t.oid) AS text FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
WHERE ${OWN} AND NOT t.tgisinternal ORDER BY c.relname, t.tgname`;

const TYPES = `
SELECT format(E'CREATE TYPE %I AS (\\n%s\\n)', t.typname,
  string_agg(format('  %I %s', a.attname, format_type(a.atttypid, a.atttypmod)), E',\\n'
    ORDER BY a.attnum)) AS text
FROM pg_type t JOIN pg_class c ON c.oid = t.typrelid AND c.relkind = 'c'
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
WHERE t.typnamespace = 'public'::regnamespace GROUP BY t.oid, t.typname ORDER BY t.typname`;

const FUNCTIONS = `
SELECT p.proname AS name, pg_get_function_arguments(p.oid) AS arguments,
  pg_get_function_result(p.oid) AS result
FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace
  AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
ORDER BY 1, 2`;

const HEAD = `-- The database as the migrations leave it, in the order of names. Written by
-- \`npm run db:schema\` from the catalogue, compared by lib/storage/sql-source.db.test.ts; nothing
-- executes it. Functions stand whole in prisma/functions.
`;

/** @param {import("pg").Client} client @returns {Promise<string>} */
export async function dumpSchema(client) {
  /** @param {string} text */
  const rows = async (text) => (await client.query(text)).rows;
  // Expressions of the catalogue name tables without their schema then.
  await client.query("SET search_path = public");
  const tables = (await rows(TABLES)).map(
    ({ name, columns, rules }) =>
      `CREATE TABLE ${name} (\n${[columns, rules].filter(Boolean).join(",\n")}\n)`,
  );
  const functions = (await rows(FUNCTIONS)).map(({ name, arguments: given, result }) =>
    [`-- ${name}`, ...list(given, "takes"), ...list(result, "gives")].join("\n"),
  );
  const statements = [
    ...(await rows(TYPES)).map(({ text }) => text),
    ...tables,
    ...(await rows(INDEXES)).map(({ text }) => text),
    ...(await rows(TRIGGERS)).map(({ text }) => text),
  ].map((text) => `${text};`);
  return `${[HEAD, ...statements, ...functions].join("\n\n")}\n`;
}

/** @param {string} text @param {string} verb */
function list(text, verb) {
  return text === "" ? [] : [`--   ${verb} ${text.replaceAll(", ", ",\n--     ")}`];
}
