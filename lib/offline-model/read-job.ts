import "server-only";
import { isJsonObject, type JsonObject, type JsonValue } from "@/lib/model/json-schema/json-value";
import { trimEnd } from "@/lib/model/text/trim";
import { capital, isFunctionWord, nameWords, sentencesOf, stem } from "./language";
import type { ReadPrompt } from "./prompt";
import type { Source } from "./read-texts";
import { workStart } from "./request-text";
import { workOf } from "./skill-text";
import type { InlineTables } from "./table-query";

/** What a run is to do. */
export interface Job {
  /** The clauses of the request, by its sentences. */
  request: string[][];
  /** Inputs besides the request, as clauses such as `region North`. */
  inputs: string[];
  /** What was asked before, oldest first. */
  earlier: string[];
  steps: string[];
  material: Source[];
  tables: InlineTables;
  title: string;
  hasWorkspace: boolean;
}

const REQUEST_KEY =
  /^(?:request|question|message|prompt|task|query|input|text|instructions?|ask)$/i;
const NO_REQUEST = /^Do what your skill says\.?$/;
const MATERIAL_MIN_CHARACTERS = 400;
const INLINE_MAX_CHARACTERS = 60_000;
/** What is read of one message. */
const READ_MAX_CHARACTERS = 8000;

export function readJob(prompt: ReadPrompt): Job {
  const { agent, hasWorkspace } = prompt.run;
  const { task, steps } = workOf(agent?.skill ?? "");
  const orders = clausesOf(task.slice(workStart(task)))
    .flat()
    .map(toOrder);
  return {
    ...readInput(prompt.request),
    earlier: prompt.earlier.flatMap((message) => readInput(message).request.flat()),
    steps: [...orders, ...steps],
    title: agent?.name ?? "Report",
    hasWorkspace:
      hasWorkspace && prompt.tools.has("files_read") && prompt.tools.has("files_search"),
  };
}

type Input = Pick<Job, "request" | "inputs" | "material" | "tables">;

/** A user's message: plain words, or the JSON of named inputs. */
function readInput(message: string): Input {
  const read: Input = { request: [], inputs: [], material: [], tables: {} };
  const input = parseInput(message);
  if (input === null) readText("request", message, read);
  else for (const [key, value] of Object.entries(input)) readValue(key, value, read);
  return read;
}

const BLOCK_START = '<input name="';
const BLOCK_END = "\n</input>";

/** Named inputs, each a block of its own, as `renderInput` writes them; null: it is none. */
function parseBlocks(message: string): JsonObject | null {
  if (!message.startsWith(BLOCK_START)) return null;
  const entries: [string, JsonValue][] = [];
  let at = 0;
  while (message.startsWith(BLOCK_START, at)) {
    const nameAt = at + BLOCK_START.length;
    const nameEnd = message.indexOf('"', nameAt);
    const textAt = message.indexOf(">\n", nameEnd) + 2;
    const end = message.indexOf(BLOCK_END, textAt - 1);
    if (nameEnd < 0 || textAt < 2 || end < 0) return null;
    const name = message.slice(nameAt, nameEnd).replaceAll("&quot;", '"').replaceAll("&lt;", "<");
    const text = message.slice(textAt, end).replaceAll("<\\/input>", "</input>");
    entries.push([name.replaceAll("&amp;", "&"), toInputValue(text)]);
    at = end + BLOCK_END.length + 2;
  }
  return Object.fromEntries(entries);
}

/** What is no text stands there as JSON. */
function toInputValue(text: string): JsonValue {
  try {
    const value = JSON.parse(text) as JsonValue; // what JSON.parse gives
    return typeof value === "string" ? text : value;
  } catch {
    return text;
  }
}

function parseInput(message: string): JsonObject | null {
  const blocks = parseBlocks(message);
  if (blocks) return blocks;
  if (!message.trimStart().startsWith("{")) return null;
  try {
    const value: unknown = JSON.parse(message);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

function readValue(key: string, value: JsonValue, read: Input): void {
  const isTable =
    Array.isArray(value) &&
    value.length > 0 &&
    value.every(isJsonObject) &&
    JSON.stringify(value).length <= INLINE_MAX_CHARACTERS;
  if (typeof value === "string") readText(key, value, read);
  else if (isTable) read.tables[`input.${key}`] = value;
  else if (value !== null) {
    const said = Array.isArray(value) ? value.join(" or ") : JSON.stringify(value);
    read.inputs.push(`${nameWords(key).join(" ")} ${said}`);
  }
}

/**
 * A long request is one in its first line, and material in the rest; any other long input is
 * material.
 */
function readText(key: string, value: string, read: Input): void {
  const isRequest = REQUEST_KEY.test(key);
  const end = value.indexOf("\n");
  if (value.length <= INLINE_MAX_CHARACTERS && isCsv(value)) read.tables[`input.${key}`] = value;
  else if (value.length < MATERIAL_MIN_CHARACTERS) {
    if (!isRequest) read.inputs.push(`${nameWords(key).join(" ")} ${value}`);
    else if (!NO_REQUEST.test(value.trim())) read.request.push(...clausesOf(value));
  } else if (!isRequest)
    read.material.push({ name: `the input “${key}”`, text: value, isWhole: true });
  else if (end < 0 || end > MATERIAL_MIN_CHARACTERS) read.request.push(...clausesOf(value));
  else {
    read.request.push(...clausesOf(value.slice(0, end)));
    read.material.push({ name: "the text of the request", text: value.slice(end), isWhole: true });
  }
}

/** At least three lines with the same number of separators. */
function isCsv(text: string): boolean {
  const lines = text.trim().split("\n").slice(0, 20);
  const counts = (separator: string) =>
    new Set(lines.map((line) => line.replace(/"[^"]*"/g, "").split(separator).length));
  return (
    lines.length >= 3 &&
    [",", "\t", ";"].some((separator) => counts(separator).size === 1 && !counts(separator).has(1))
  );
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));
const QUESTIONS = words("which what how who when where whether why");
/** Verbs of the orders that begin a clause of their own. */
const ORDERS = words(
  "answer analyse analyze calculate compare compute count describe find give list make " +
    "profile quote read report return save say send show sort summarise summarize take tell " +
    "translate write",
);

/** The order that a word is, in the third person, too; null for any other word. */
function orderOf(word: string): string | null {
  const lower = word.toLowerCase();
  return [lower, trimEnd(lower, "s")].find((form) => ORDERS.has(form)) ?? null;
}

/** `reads the file` as an order: `Read the file`. */
function toOrder(clause: string): string {
  const [first = "", ...rest] = trimEnd(clause, ".,;:! \t\r").split(" ");
  return capital([orderOf(first) ?? first, ...rest].join(" "));
}

const JOINT = /;|,? and then\b|,? and also\b|,? then\b|,? and\b|,? but\b|,/gi;
/** Of what stands behind a joint, for the two words that say whether a clause begins there. */
const WORDS_READ_CHARACTERS = 100;

/**
 * The clauses of a text by its sentences: what stands in one with an order or a question word of
 * its own. A sentence that quotes stays whole.
 */
function clausesOf(text: string): string[][] {
  const bare = text.slice(0, READ_MAX_CHARACTERS).replace(/^(?:[-*+]|\d{1,2}[.)]) +/gm, "");
  return sentencesOf(bare).map((sentence) => {
    if (/["\u201c]/.test(sentence)) return [sentence];
    const parts: string[] = [];
    let start = 0;
    for (const { index, 0: joint } of sentence.matchAll(JOINT)) {
      const behind = index + joint.length + 1;
      const [first = "", second = ""] = sentence
        .slice(behind, behind + WORDS_READ_CHARACTERS)
        .split(" ", 2);
      const isItem = /^(?:and|or|of|by|per|)$/i.test(second);
      if (index < start || !(QUESTIONS.has(first.toLowerCase()) || (orderOf(first) && !isItem)))
        continue;
      parts.push(sentence.slice(start, index).trim());
      start = behind;
    }
    return [...parts, sentence.slice(start).trim()].filter((part) => part !== "");
  });
}

/** One thing that a run is to do. It is done, or has a reason why not. */
export interface Task {
  text: string;
  /** Which sentence of the request it is of; null for a step of the skill. */
  sentence: number | null;
  done: boolean;
  reason: string;
  answer: string;
}

/** Words by which a sentence says how another one is meant, or speaks of what that one found. */
const TURNING =
  /\b(?:not|no|without|except|excluding|exclude|only|but|if|unless|ignore|include|including|assume|instead)\b/i;
const POINTS_BACK = /\b(?:their|its|them|those|they|these|it|ones?)\b/i;

/**
 * The clauses of a request that were answered and may say something else without one that was not:
 * a sentence is answered whole or not at all, and a sentence that was not understood and asks
 * nothing may bind all others.
 */
export function unsafe(clauses: readonly Task[]): Task[] {
  const open = clauses.filter(({ done, text }) => !done && stepOf(text) === null);
  const isBinding = open.some(({ text }) => {
    const first = text.split(" ", 1)[0] ?? "";
    return TURNING.test(text) || !(QUESTIONS.has(first.toLowerCase()) || orderOf(first));
  });
  return clauses.filter(
    ({ text, sentence, done }) =>
      done &&
      open.length > 0 &&
      (isBinding || POINTS_BACK.test(text) || open.some((one) => one.sentence === sentence)),
  );
}

/**
 * What a step is that asks for no figure and no quote: `read` the files, `overview` of them,
 * `write` a file of what was found, `tell` it. By its verbs, and the other words that it may hold.
 */
type Step = "read" | "overview" | "write" | "tell";
const FILES = "file csv tsv json data set dataset table note document text workspace input";
const STEPS: [step: Step, verbs: ReadonlySet<string>, others: ReadonlySet<string>][] = [
  ["read", words("read open load use import inspect"), words(FILES)],
  [
    "overview",
    words("summarise summarize describe profile analyse analyze"),
    words(`${FILES} overview`),
  ],
  [
    "write",
    words("write make create save produce prepare"),
    words(`${FILES} short brief full report artifact markdown summary result finding everything`),
  ],
  [
    "tell",
    words("answer report tell give return show state quote"),
    words(`${FILES} short question request result finding figure source it them briefly about`),
  ],
];

const FILE_NAME = /\.\w{2,7}[.,;:!?]?$/;

/** The kind of a step, if every word of it says nothing else; null otherwise. */
export function stepOf(text: string, fileNames: readonly string[] = []): Step | null {
  const bare = text.split(" ").filter((word) => word !== "please" && !FILE_NAME.test(word));
  const [verb = "", ...rest] = nameWords(bare.join(" "));
  const own = nameWords(fileNames.join(" ")).map(stem);
  const found = STEPS.find(
    ([, verbs, others]) =>
      verbs.has(verb) &&
      rest.every(
        (word) => isFunctionWord(word) || others.has(stem(word)) || own.includes(stem(word)),
      ),
  );
  return found?.[0] ?? null;
}
