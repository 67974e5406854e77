import "server-only";
import { isJsonObject, type JsonObject, type JsonValue } from "@/lib/model/json-schema/json-value";
import type { InlineTables } from "./table/load-code";

export interface ReadInput {
  /** The input as sentences. */
  text: string;
  /** Long texts that are material rather than a request. */
  material: { name: string; text: string }[];
  tables: InlineTables;
}

const MATERIAL_MIN_CHARACTERS = 400;
const INLINE_MAX_CHARACTERS = 60_000;

/** Reads a user's message: plain words, or the JSON that `renderInput` writes. */
export function readInput(message: string): ReadInput {
  const input = parseInput(message);
  const read: ReadInput = { text: "", material: [], tables: {} };
  if (input === null) takeText("request", message, read, true);
  else for (const [key, value] of Object.entries(input)) takeValue(key, value, read);
  return read;
}

function parseInput(message: string): JsonObject | null {
  const body = message.startsWith("Input:\n") ? message.slice(7) : message;
  if (!body.trimStart().startsWith("{")) return null;
  try {
    const value: unknown = JSON.parse(body);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

function takeValue(key: string, value: JsonValue, read: ReadInput): void {
  if (typeof value === "string") {
    takeText(key, value, read, false);
    return;
  }
  const isTable = Array.isArray(value) && value.length > 0 && value.every(isJsonObject);
  if (isTable && JSON.stringify(value).length <= INLINE_MAX_CHARACTERS) {
    read.tables[`input.${key}`] = value;
    return;
  }
  const text = Array.isArray(value) && value.every((item) => typeof item !== "object") ? value.join(", ") : JSON.stringify(value);
  addSentence(read, `${words(key)} ${text}`);
}

function takeText(key: string, value: string, read: ReadInput, isWhole: boolean): void {
  const table = isWhole ? null : csvIn(value);
  if (table !== null && table.length <= INLINE_MAX_CHARACTERS) {
    read.tables[`input.${key}`] = table;
    return;
  }
  if (value.length >= MATERIAL_MIN_CHARACTERS) {
    takeMaterial(key, value, read, isWhole);
    return;
  }
  addSentence(
    read,
    isWhole || /^(?:request|question|message|prompt|task|query|input|text|instructions?)$/i.test(key) ? value : `${words(key)} ${value}`,
  );
}

/** A long message is a request in its first or last lines and material in the rest. */
function takeMaterial(key: string, value: string, read: ReadInput, isWhole: boolean): void {
  const paragraphs = value.split(/\n\s*\n/);
  const first = paragraphs[0] ?? "";
  if (isWhole && paragraphs.length > 1 && first.length < MATERIAL_MIN_CHARACTERS) {
    addSentence(read, first);
    read.material.push({ name: "the text of the request", text: paragraphs.slice(1).join("\n\n") });
    return;
  }
  addSentence(read, value.slice(0, MATERIAL_MIN_CHARACTERS).split(/(?<=[.!?:])\s/)[0] ?? "");
  read.material.push({ name: isWhole ? "the request" : `the input "${key}"`, text: value });
}

/** Whether a text is a table: at least three lines with the same number of separators. */
function csvIn(text: string): string | null {
  const lines = text.trim().split("\n").slice(0, 20);
  if (lines.length < 3) return null;
  for (const separator of [",", "\t", ";"]) {
    const counts = new Set(lines.map((line) => line.replace(/"[^"]*"/g, "").split(separator).length));
    if (counts.size === 1 && !counts.has(1)) return text;
  }
  return null;
}

function words(key: string): string {
  return key
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase();
}

function addSentence(read: ReadInput, sentence: string): void {
  if (sentence.trim() !== "") read.text += `${read.text ? "\n" : ""}${sentence.trim()}`;
}
