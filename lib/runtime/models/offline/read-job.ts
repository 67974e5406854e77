import "server-only";
import { isJsonObject, type JsonObject, type JsonValue } from "@/lib/model/json-schema/json-value";
import type { ReadPrompt } from "./read-prompt";
import type { InlineTables } from "./table/load-code";
import { wantsReport } from "./wants-report";
import { sentencesOf } from "./words";

/** What a run is to do, as the rules see it. */
export interface Job {
  /** What the person asks now; and asked before, oldest first. */
  request: string;
  earlier: string[];
  material: { name: string; text: string }[];
  tables: InlineTables;
  steps: string[];
  purpose: string;
  /** Wanted besides the answer. */
  report: "markdown" | "csv" | null;
  hasWorkspace: boolean;
  tools: ReadonlySet<string>;
  agentName: string | null;
}

const CSV_FILE = /\b(?:csv|spreadsheet)\b.{0,20}\b(?:export|artifact|download)|\b(?:export|save|download)\b.{0,40}\bcsv\b/i;
const TODO_MAX = 10;

export function readJob(prompt: ReadPrompt): Job {
  const input = readInput(prompt.request);
  const skill = readSkill(prompt.block("skill") ?? "");
  const wanted = `${input.text}\n${skill.steps.join("\n")}\n${skill.purpose}`;
  const workspace = prompt.block("workspace") ?? "";
  return {
    request: input.text,
    earlier: prompt.earlier.map((message) => readInput(message).text),
    material: input.material,
    tables: input.tables,
    steps: skill.steps,
    purpose: skill.purpose,
    report: CSV_FILE.test(input.text) ? "csv" : wantsReport(wanted) ? "markdown" : null,
    hasWorkspace: prompt.tools.has("workspace_files") && !workspace.startsWith("none"),
    tools: prompt.tools,
    agentName: /^Name: (.+)$/m.exec(prompt.block("agent") ?? "")?.[1] ?? null,
  };
}

/** The todo list of a job of several steps; null when one step is all. */
export function todoOf(job: Job): string[] | null {
  const steps = job.steps.length > 1 ? job.steps : sentencesOf(job.request);
  return steps.length > 1 ? steps.slice(0, TODO_MAX).map((step) => (step.length > 200 ? `${step.slice(0, 199)}…` : step)) : null;
}

interface ReadSkill {
  /** The instructions under `## Steps` or its like, else every list item; without their numbers. */
  steps: string[];
  /** What the skill is for: the text before the first list or second heading. */
  purpose: string;
}

const STEP_HEADING = /^#{1,6}\s+.*\b(?:steps?|workflow|instructions?|process|procedure|how|tasks?|what to do)\b/i;
const ITEM = /^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ x]\]\s+)?(.+)$/;
const STEPS_MAX = 20;

/** The parts of a skill that the rules follow. Frontmatter and code are passed over. */
function readSkill(markdown: string): ReadSkill {
  const lines = withoutCode(markdown.replace(/^---\n[\s\S]*?\n---\n/, "")).split("\n");
  const isInSteps: boolean[] = [];
  let inSteps = false;
  for (const line of lines) {
    if (/^#{1,6}\s/.test(line)) inSteps = STEP_HEADING.test(line);
    isInSteps.push(inSteps);
  }
  const hasSection = isInSteps.some(Boolean);
  const steps = lines.flatMap((line, index) => {
    const text = ITEM.exec(line)?.[1]?.trim();
    return text && (isInSteps[index] || !hasSection) ? [plain(text)] : [];
  });
  const end = lines.findIndex((line, index) => (index > 0 && /^#{2,6}\s/.test(line)) || ITEM.test(line));
  const purpose = lines
    .slice(0, end < 0 ? 12 : end)
    .filter((line) => !line.startsWith("#"))
    .join("\n")
    .trim();
  return { steps: steps.slice(0, STEPS_MAX), purpose: plain(purpose) };
}

function withoutCode(text: string): string {
  return text
    .split(/^```.*$/m)
    .filter((_, index) => index % 2 === 0)
    .join("\n");
}

/** Without the marks of emphasis and code. */
function plain(text: string): string {
  return text.replace(/\*\*|__|`/g, "").trim();
}

interface ReadInput {
  /** The input as sentences. */
  text: string;
  /** Long texts that are material rather than a request. */
  material: { name: string; text: string }[];
  tables: InlineTables;
}

const MATERIAL_MIN_CHARACTERS = 400;
const INLINE_MAX_CHARACTERS = 60_000;

/** Reads a user's message: plain words, or the JSON that `renderInput` writes. */
function readInput(message: string): ReadInput {
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
