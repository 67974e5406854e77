import { currentSignatures } from "./sql-source.mjs";

/**
 * What code needs to call the functions of the database: of each its arguments, the rows that it
 * gives, and the statement. Made from the catalogue, so that a name, a type or a null that is
 * otherwise there does not compile.
 *
 * @typedef {{ name: string, type: string, element: string | null, kind: string, mode: string }}
 * Part `type`: as format_type says it; `element`: of an array's; `kind`: of the type or the
 * element, `c` is composite
 * @typedef {{ name: string, source: string, result: string, parts: Part[] }} Routine
 * @typedef {{ name: string, note: string | null, parts: Part[] }} Composite
 */

const ROUTINES = `
SELECT p.proname AS name, p.prosrc AS source, p.oid::regprocedure::text AS signature,
  format_type(p.prorettype, NULL) AS result, (
    SELECT coalesce(json_agg(json_build_object('name', p.proargnames[a.nth],
      'type', format_type(a.type, NULL), 'element', CASE WHEN t.typelem <> 0 AND t.typlen = -1
        THEN format_type(t.typelem, NULL) END, 'kind', coalesce(e.typtype, t.typtype),
      'mode', coalesce(p.proargmodes[a.nth]::text, 'i')) ORDER BY a.nth), '[]')
    FROM unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) WITH ORDINALITY AS a(type, nth)
      JOIN pg_type t ON t.oid = a.type
      LEFT JOIN pg_type e ON e.oid = t.typelem AND t.typelem <> 0 AND t.typlen = -1) AS parts
FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace AND p.prokind = 'f'
  AND p.prorettype <> 'trigger'::regtype ORDER BY p.proname`;

const COMPOSITES = `
SELECT t.typname AS name, obj_description(t.oid, 'pg_type') AS note,
  json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, NULL),
    'element', NULL, 'kind', 'b', 'mode', 'i') ORDER BY a.attnum) AS parts
FROM pg_type t JOIN pg_class c ON c.oid = t.typrelid AND c.relkind = 'c'
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
WHERE t.typnamespace = 'public'::regnamespace GROUP BY t.oid, t.typname ORDER BY t.typname`;

/**
 * The text of lib/platform/sql-functions.ts.
 * @param {import("pg").Client} client of a migrated database
 * @param {string} root
 */
export async function generateCalls(client, root) {
  await client.query("SET search_path = public");
  const current = await currentSignatures(client, root);
  /** @type {Composite[]} */
  const composites = (await client.query(COMPOSITES)).rows;
  const all = (await client.query(ROUTINES)).rows;
  // A function of rows of a table is for other functions.
  /** @type {Routine[]} */
  const routines = all.filter(
    ({ signature, parts }) =>
      current.has(signature) &&
      parts.every(
        (/** @type {Part} */ part) =>
          part.kind !== "c" || composites.some(({ name }) => name === (part.element ?? part.type)),
      ),
  );
  return [
    "// Made from the catalogue of the migrated database by `npm run db:schema`; never edit it.",
    "",
    "/** A value of JSON as its text. */",
    "export type JsonText = string;",
    "",
    ...composites.map(
      ({ name, note, parts }) =>
        `export interface ${toTypeName(name)} ${fields(parts, nullables(note ?? ""), "in")}\n`,
    ),
    "/** What each function takes, and a row of what it gives. */",
    "export interface SqlFunctions {",
    ...routines.map(
      (routine) => `  ${routine.name}: { takes: ${takes(routine)}; gives: ${gives(routine)} };`,
    ),
    "}",
    "",
    "/** By function: its statement, and where each value of it stands among the arguments. */",
    "export const SQL_CALLS: Record<",
    "  keyof SqlFunctions,",
    "  { text: string; values: readonly (readonly [argument: string, field?: string, list?: " +
      "true])[] }",
    "> = {",
    ...routines.map((routine) => `  ${routine.name}: ${call(routine, composites)},`),
    "};",
    "",
  ].join("\n");
}

/** @param {Routine} routine */
const inputs = ({ parts }) => parts.filter(({ mode }) => mode === "i");

/** @param {Routine} routine */
function takes(routine) {
  const given = inputs(routine).map((part) => ({ ...part, name: toArgument(part.name) }));
  return fields(given, nullables(routine.source), "in");
}

/** @param {Routine} routine */
function gives(routine) {
  const columns = routine.parts.filter(({ mode }) => mode === "t" || mode === "o");
  if (columns.length > 0) return fields(columns, nullables(routine.source), "out");
  if (routine.result === "void") return "Record<string, never>";
  const element = routine.result.endsWith("[]") ? routine.result.slice(0, -2) : null;
  const value = { name: "value", type: routine.result, element, kind: "b", mode: "t" };
  // What a function without a list of columns gives may always be null.
  return fields([value], new Set(["value"]), "out");
}

/**
 * @param {Part[]} parts
 * @param {Set<string>} nullable
 * @param {"in" | "out"} direction
 */
function fields(parts, nullable, direction) {
  return `{ ${parts
    .map((part) => {
      const type = toType(part, direction);
      const isNullable = nullable.has(part.name) || nullable.has(`p_${part.name}`);
      return `${part.name}: ${type}${isNullable ? " | null" : ""}`;
    })
    .join("; ")} }`;
}

/**
 * The names behind "Nullable:" (of a function, in its body) or "nullable:" (of a type, its
 * comment).
 * @param {string} text
 */
function nullables(text) {
  const [, names = ""] = /nullable: ([^.]*)/i.exec(text) ?? [];
  return new Set(names.split(/[\s,]+|--/).filter(Boolean));
}

/** @param {Part} part @param {"in" | "out"} direction */
function toType({ type, element, kind }, direction) {
  const one = kind === "c" ? toTypeName(element ?? type) : scalar(element ?? type, direction);
  return element === null ? one : `readonly ${one}[]`;
}

/** @param {string} type @param {"in" | "out"} direction */
function scalar(type, direction) {
  if (/^(smallint|integer|real|double precision)$/.test(type)) return "number";
  if (/^(bigint|numeric)$/.test(type)) return direction === "in" ? "bigint" : "string";
  if (type === "boolean") return "boolean";
  if (/^timestamp/.test(type)) return "Date";
  if (/^jsonb?$/.test(type)) return direction === "in" ? "JsonText" : "unknown";
  if (/^(text|uuid)$/.test(type)) return "string";
  throw new Error(`${type}: say in ${import.meta.url} what it is in TypeScript`);
}

/**
 * The statement of a function with the place of each value in its arguments: a composite is put
 * together from its fields, a list of them from one array a field.
 * @param {Routine} routine
 * @param {Composite[]} composites
 */
function call(routine, composites) {
  /** @type {string[]} */
  const values = [];
  /** @param {string} type @param {string} path */
  const value = (type, path) => `$${values.push(path)}::${type}`;
  const given = inputs(routine).map((part) => {
    const argument = toArgument(part.name);
    if (part.kind !== "c") return `${part.name} => ${value(part.type, `["${argument}"]`)}`;
    const composite = composites.find(({ name }) => name === (part.element ?? part.type));
    const attributes = composite?.parts ?? [];
    const name = part.element ?? part.type;
    if (part.element === null) {
      const row = attributes.map((each) => value(each.type, `["${argument}", "${each.name}"]`));
      return `${part.name} => ROW(${row.join(", ")})::${name}`;
    }
    const arrays = attributes.map((each) =>
      value(`${each.type}[]`, `["${argument}", "${each.name}", true]`),
    );
    return `${part.name} => ARRAY(SELECT x::${name} FROM unnest(${arrays.join(", ")}) AS x)`;
  });
  const called = `${routine.name}(${given.join(", ")})`;
  const hasColumns = routine.parts.some(({ mode }) => mode === "t" || mode === "o");
  const text = hasColumns
    ? `SELECT * FROM ${called}`
    : `SELECT ${called}${routine.result === "void" ? "" : " AS value"}`;
  return `{ text: ${JSON.stringify(text)}, values: [${values.join(", ")}] }`;
}

/** @param {string} parameter */
const toArgument = (parameter) => parameter.replace(/^p_/, "");

/** @param {string} name */
function toTypeName(name) {
  return name.replace(/(?:^|_)(\w)/g, (_all, letter) => letter.toUpperCase());
}
