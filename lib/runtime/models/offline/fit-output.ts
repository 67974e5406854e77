import "server-only";
import { isJsonObject, type JsonObject, type JsonValue } from "@/lib/model/json-schema/json-value";
import { keywordsOf } from "./words";

/** What can be taken out of an answer in Markdown. */
interface Findings {
  text: string;
  figures: { words: string[]; value: number }[];
  rows: JsonObject[];
  items: string[];
}

const DEPTH_MAX = 6;

/**
 * The answer as JSON text in the form of an output schema: figures and rows by their names, the words for everything else that is
 * a string. Where nothing fits and null is allowed it says null.
 */
export function fitOutput(schemaText: string, answer: string): string {
  const schema = readSchema(schemaText);
  return JSON.stringify(schema === null ? answer : build(schema, "", readFindings(answer), 0));
}

function readSchema(text: string): JsonObject | null {
  const start = text.indexOf("{");
  try {
    const value: unknown = JSON.parse(text.slice(Math.max(0, start)));
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

function readFindings(answer: string): Findings {
  const lines = answer.split("\n");
  const figures = lines.flatMap((line) => {
    const found = /^- (.{1,300}?): \*\*(-?\d+(?:\.\d+)?)\*\*(?: \(exactly (-?[\d.e+-]+)\))?/.exec(line);
    return found ? [{ words: keywordsOf(found[1] ?? ""), value: Number(found[3] ?? found[2]) }] : [];
  });
  const items = lines.filter((line) => line.startsWith("- ")).map((line) => plain(line.slice(2)));
  return { text: answer, figures, rows: rowsOf(lines), items };
}

function rowsOf(lines: readonly string[]): JsonObject[] {
  const start = lines.findIndex((line, index) => line.startsWith("| ") && /^\| -{3}/.test(lines[index + 1] ?? ""));
  if (start < 0) return [];
  const cells = (line: string) => line.slice(2, -2).split(" | ").map(plain);
  const names = cells(lines[start] ?? "");
  const end = lines.findIndex((line, index) => index > start && !line.startsWith("|"));
  return lines
    .slice(start + 2, end < 0 ? undefined : end)
    .map((line) => Object.fromEntries(cells(line).map((cell, index) => [names[index] ?? "", toPlain(cell)])));
}

function toPlain(cell: string): JsonValue {
  if (cell === "–") return null;
  return /^-?\d+(?:\.\d+)?$/.test(cell) ? Number(cell) : cell;
}

function plain(text: string): string {
  return text.replace(/\*\*/g, "").replace(/\\([|\\`!<[\]])/g, "$1");
}

function build(schema: JsonObject, name: string, findings: Findings, depth: number): JsonValue {
  if (schema.const !== undefined) return schema.const;
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  const allowsNull = types.includes("null");
  if (Array.isArray(schema.enum))
    return (
      schema.enum.find((value) => typeof value === "string" && findings.text.includes(value)) ??
      (allowsNull ? null : (schema.enum[0] ?? null))
    );
  if (depth > DEPTH_MAX) return null;
  if (types.includes("object") || schema.properties !== undefined) return buildObject(schema, findings, depth);
  if (types.includes("array")) return buildList(schema, name, findings, depth);
  if (types.includes("number") || types.includes("integer")) {
    const value = figureFor(name, findings);
    if (value === null) return allowsNull ? null : 0;
    return types.includes("number") ? value : Math.round(value);
  }
  if (types.includes("boolean")) return allowsNull ? null : false;
  const limit = typeof schema.maxLength === "number" ? schema.maxLength : Number.POSITIVE_INFINITY;
  return types.includes("string") || schema.type === undefined ? findings.text.slice(0, limit) : null;
}

function buildObject(schema: JsonObject, findings: Findings, depth: number): JsonObject {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  return Object.fromEntries(
    Object.entries(properties).map(([key, value]) => [key, build(isJsonObject(value) ? value : {}, key, findings, depth + 1)]),
  );
}

function buildList(schema: JsonObject, name: string, findings: Findings, depth: number): JsonValue[] {
  const items = isJsonObject(schema.items) ? schema.items : {};
  const limit = typeof schema.maxItems === "number" ? schema.maxItems : 100;
  if (items.type === "string") return (findings.items.length > 0 ? findings.items : [findings.text]).slice(0, limit);
  if (items.type === "number" || items.type === "integer") return findings.figures.map((figure) => figure.value).slice(0, limit);
  if (items.type !== "object") return [];
  return findings.rows
    .slice(0, limit)
    .map((row) => build(items, name, { ...findings, figures: figuresOf(row), text: Object.values(row).join(", ") }, depth + 1));
}

function figuresOf(row: JsonObject): Findings["figures"] {
  return Object.entries(row).flatMap(([key, value]) => (typeof value === "number" ? [{ words: keywordsOf(key), value }] : []));
}

/** The figure whose words share most with a property's name; else the first. */
function figureFor(name: string, { figures }: Findings): number | null {
  const wanted = new Set(keywordsOf(name.replace(/[_-]/g, " ").replace(/([a-z])([A-Z])/g, "$1 $2")));
  const scored = figures.map(({ words, value }) => ({ value, score: words.filter((word) => wanted.has(word)).length }));
  return scored.sort((a, b) => b.score - a.score)[0]?.value ?? null;
}
