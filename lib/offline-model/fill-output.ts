import "server-only";
import { isJsonObject, type JsonObject, type JsonValue } from "@/lib/model/json-schema/json-value";
import { validateAgainst } from "@/lib/model/json-schema/validate-against";
import type { Finding } from "./describe-answer";
import { nameWords, stem } from "./language";

/** The JSON that an output schema asks for, or the properties that nothing was found for. */
export type FilledOutput = { ok: true; json: string } | { ok: false; missing: string[] };

const TEXT_NAME = /^(?:answer|text|summary|result|report|message|output|reply|response)s?$/i;
const SAME: { [word: string]: string } = {
  mean: "average",
  avg: "average",
  min: "lowest",
  minimum: "lowest",
  max: "highest",
  maximum: "highest",
  sum: "total",
  count: "number",
};

export function readSchema(block: string): JsonObject {
  try {
    const value: unknown = JSON.parse(block.slice(Math.max(0, block.indexOf("{"))));
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

/**
 * Fills a schema with what was found, by the names of figures and columns, and with nothing else:
 * what was not found is null or left out.
 */
export function fillOutput(
  schema: JsonObject,
  answer: string,
  findings: readonly Finding[],
): FilledOutput {
  const missing: string[] = [];
  const value = fillObject(schema, "", { answer, findings }, missing);
  if (missing.length > 0) return { ok: false, missing };
  const violations = validateAgainst(schema, value);
  return violations.length === 0
    ? { ok: true, json: JSON.stringify(value) }
    : { ok: false, missing: violations.map(({ path, message }) => `${path} (${message})`) };
}

interface Found {
  /** Empty when nothing was answered. */
  answer: string;
  findings: readonly Finding[];
}

function fillObject(schema: JsonObject, path: string, found: Found, missing: string[]): JsonObject {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const filled: JsonObject = {};
  for (const [name, given] of Object.entries(
    isJsonObject(schema.properties) ? schema.properties : {},
  )) {
    const property = isJsonObject(given) ? given : {};
    const types = [property.type].flat();
    const value =
      types.includes("object") && isJsonObject(property.properties)
        ? fillObject(property, `${path}${name}.`, found, missing)
        : findValue(name, property, types, found);
    if (value !== undefined) filled[name] = value;
    else if (types.includes("null")) filled[name] = null;
    else if (required.includes(name)) missing.push(`${path}${name}`);
  }
  return filled;
}

function findValue(
  name: string,
  property: JsonObject,
  types: readonly (JsonValue | undefined)[],
  { answer, findings }: Found,
): JsonValue | undefined {
  if (property.const !== undefined) return property.const;
  if (types.includes("array")) return listFor(name, property, findings);
  const values = new Set([...figuresFor(name, findings), ...cellsFor(name, findings)]);
  const [only] = values;
  const isText = types.includes("string") && !Array.isArray(property.enum) && TEXT_NAME.test(name);
  if (isText && answer !== "")
    return answer.slice(0, typeof property.maxLength === "number" ? property.maxLength : undefined);
  // Two figures of one name would be a guess.
  if (values.size !== 1 || only === undefined || only === null) return undefined;
  if (types.includes("string") && typeof only === "string") return only;
  const isNumber =
    typeof only === "number" &&
    (types.includes("number") || (types.includes("integer") && Number.isInteger(only)));
  return isNumber || (types.includes("boolean") && typeof only === "boolean") ? only : undefined;
}

function wordsFor(name: string): string[] {
  return nameWords(name)
    .map((word) => SAME[word] ?? stem(word))
    .filter((word) => !/^(?:of|the|in|for|per|by|is)$/.test(word));
}

/** Figures whose name holds every word of the property's name. */
function figuresFor(name: string, findings: readonly Finding[]) {
  const wanted = wordsFor(name);
  return findings
    .flatMap(({ figures }) => figures)
    .filter((figure) => wanted.every((word) => wordsFor(figure.name).includes(word)))
    .map(({ value }) => value);
}

/** The cell under the column of this name, where what was found is one row. */
function cellsFor(name: string, findings: readonly Finding[]) {
  const wanted = wordsFor(name).join(" ");
  return findings.flatMap(({ rows }) =>
    rows?.cells.length === 1
      ? rows.columns.flatMap((column, index) =>
          wordsFor(column).join(" ") === wanted ? [rows.cells[0]?.[index] ?? null] : [],
        )
      : [],
  );
}

/**
 * Rows as objects, where the rows hold a column for every property; or the values of one column.
 */
function listFor(
  name: string,
  property: JsonObject,
  findings: readonly Finding[],
): JsonValue[] | undefined {
  const tables = findings.flatMap(({ rows }) => rows ?? []);
  const items = isJsonObject(property.items) ? property.items : {};
  const at = (columns: readonly string[], wanted: string) =>
    columns.findIndex((column) =>
      wordsFor(wanted).every((word) => wordsFor(column).includes(word)),
    );
  const keys = Object.keys(isJsonObject(items.properties) ? items.properties : {});
  for (const { columns, cells } of tables) {
    if (keys.length > 0 && keys.every((key) => at(columns, key) >= 0))
      return cells.map((row) =>
        Object.fromEntries(keys.map((key) => [key, row[at(columns, key)] ?? null])),
      );
    if (keys.length === 0 && items.type !== "object" && at(columns, name) >= 0)
      return cells.map((row) => row[at(columns, name)] ?? null);
  }
  return undefined;
}
