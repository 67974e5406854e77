import "server-only";
import { isJsonObject, type JsonObject, type JsonValue } from "@/lib/model/json-schema/json-value";
import { trimEnd } from "@/lib/model/text/trim";
import { capital, keywordsOf, nameWords, sentencesOf } from "./language";
import { unitOf } from "./plain-wording";
import type { ReadPrompt } from "./prompt";
import type { Source } from "./read-texts";
import { workStart } from "./request-text";
import { workOf } from "./skill-text";
import type { InlineTables } from "./table-query";

/** What a run is to do. */
export interface Job {
  /** Clauses of the request. */
  request: string[];
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
  const input = readInput(prompt.request);
  return {
    ...input,
    earlier: prompt.earlier.flatMap((message) => readInput(message).request),
    steps: stepsOf(prompt.block("skill") ?? ""),
    title: /^Name: (.+)$/m.exec(prompt.block("agent") ?? "")?.[1] ?? "Report",
    hasWorkspace:
      prompt.tools.has("files_read") &&
      prompt.tools.has("files_search") &&
      !(prompt.block("workspace") ?? "none").startsWith("none"),
  };
}

/** What a skill tells to do: the clauses of its task as orders, and its steps. */
function stepsOf(skill: string): string[] {
  const { task, steps } = workOf(skill);
  return [...clausesOf(task.slice(workStart(task))).map(toImperative), ...steps];
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

function readValue(key: string, value: JsonValue, read: Input): void {
  const isTable =
    Array.isArray(value) &&
    value.length > 0 &&
    value.every(isJsonObject) &&
    JSON.stringify(value).length <= INLINE_MAX_CHARACTERS;
  if (typeof value === "string") readText(key, value, read);
  else if (isTable) read.tables[`input.${key}`] = value;
  else if (value !== null)
    read.inputs.push(
      `${nameWords(key).join(" ")} ${Array.isArray(value) ? value.join(" or ") : JSON.stringify(value)}`,
    );
}

function readText(key: string, value: string, read: Input): void {
  if (value.length <= INLINE_MAX_CHARACTERS && isCsv(value)) read.tables[`input.${key}`] = value;
  else if (value.length < MATERIAL_MIN_CHARACTERS) {
    if (!REQUEST_KEY.test(key)) read.inputs.push(`${nameWords(key).join(" ")} ${value}`);
    else if (!NO_REQUEST.test(value.trim())) read.request.push(...clausesOf(value));
  } else readMaterial(key, value, read);
}

/**
 * A long message is a request in its first paragraph or before its first colon, and material in the
 * rest.
 */
function readMaterial(key: string, value: string, read: Input): void {
  const { head, body } = splitHead(value);
  const isRequest = REQUEST_KEY.test(key);
  if (isRequest) read.request.push(...clausesOf(head || value.slice(0, READ_MAX_CHARACTERS)));
  if (!isRequest || body)
    read.material.push({
      name: isRequest ? "the text of the request" : `the input “${key}”`,
      text: isRequest ? body : value,
      isWhole: true,
    });
}

const HEAD_MAX_CHARACTERS = 400;

/** What stands before the first colon of the first line, or before the blank line below it. */
function splitHead(value: string): { head: string; body: string } {
  const end = value.indexOf("\n");
  const first = end < 0 ? value : value.slice(0, end);
  for (let at = 1; at < Math.min(first.length, HEAD_MAX_CHARACTERS + 1); at += 1)
    if (value.charAt(at) === ":" && value.charAt(at + 1).trim() === "")
      return { head: value.slice(0, at), body: value.slice(at + 2) };
  const next = value.indexOf("\n", end + 1);
  const isBlank = end > 0 && next > 0 && value.slice(end, next).trim() === "";
  return isBlank && end <= HEAD_MAX_CHARACTERS
    ? { head: first, body: value.slice(next + 1).trimStart() }
    : { head: "", body: "" };
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

const QUESTION = "which|what|how many|how much|who|when|where|whether";
const VERB = new Set(
  (
    "add analyse analyze answer archive ask assess assign build calculate categorise categorize check cite classify clean collect combine compare compile compute convert count create decide delete describe detect determine draft edit email e-mail " +
    "estimate evaluate explain export extract fetch filter find fix flag follow format forward gather generate get give grade group help highlight identify import include keep list load look mail make mark merge message monitor name notify open organise " +
    "organize parse pick post predict prepare present prioritise prioritize produce profile proofread propose provide publish pull quote rank rate read recommend remove rename report research respond reply return review rewrite run save scan score search " +
    "select send show sort store sum suggest summarise summarize tag take tell total track transform translate triage turn update upload use validate verify visit watch work write " +
    "annotate anonymise anonymize brainstorm correct critique deduplicate expand judge label match outline paraphrase plan quiz reconcile redact reword shorten simplify split teach"
  ).split(" "),
);

/**
 * The base form of a verb that requests are made of, also in the third person and with -ing; null
 * for any other word.
 */
function baseVerb(word: string): string | null {
  const lower = word.toLowerCase().replace(/[,.;:]$/, "");
  const forms = [
    lower,
    lower.replace(/s$/, ""),
    lower.replace(/es$/, ""),
    lower.replace(/ies$/, "y"),
    lower.replace(/ing$/, ""),
    lower.replace(/ing$/, "e"),
    lower.replace(/(.)\1ing$/, "$1"),
  ];
  return forms.find((form) => VERB.has(form)) ?? null;
}

/**
 * `reads the file` as an order: `Read the file`. A clause that starts with no verb comes back with
 * a capital only.
 */
function toImperative(clause: string): string {
  const [first = "", ...rest] = trimEnd(clause.trim(), ".,;:! \t\r").split(/\s+/);
  return capital([baseVerb(first) ?? first, ...rest].join(" "));
}

const NOUNS =
  /^(?:count|estimate|grade|label|list|mark|match|message|name|order|outline|plan|quote|rank|rate|report|score|sum|tag|text|total)s?$/i;

/**
 * Whether a clause of its own begins with these two words, and not one more item of a list (`count,
 * sum and average of price`).
 */
function beginsClause(first: string, second: string): boolean {
  if (
    new RegExp(`^(?:${QUESTION}|how)$`, "i").test(first) ||
    (/^let$/i.test(first) && /^(?:it|me|the)$/i.test(second))
  )
    return true;
  if (/^(?:never|don't)$/i.test(first) || (/^do$/i.test(first) && /^not$/i.test(second)))
    return true;
  // `name and total from a letter` goes on with its list.
  if (NOUNS.test(first) && /^(?:from|to|as|in|with|for|at|on|between)$/i.test(second)) return false;
  return baseVerb(first) !== null && second !== "" && !/^(?:and|or|of|by|per)\b/i.test(second);
}

const LIST_OF_NAMES =
  /^\s*(?:the )?(?:inputs?|outputs?|fields?|columns?|starters?)\s*(?:[:=]|\b(?:is|are)\b)/i;

const JOINT = /;|,? and then\b|,? and finally\b|,? and also\b|,? then\b|,? and\b|,? but\b|,/gi;
/** Of what stands behind a joint, for the two words that say whether a clause begins there. */
const WORDS_READ_CHARACTERS = 100;

/**
 * The clauses of a text: sentences, and what stands in one with a verb or a question word of its
 * own. Quoted text stays whole.
 */
function clausesOf(text: string): string[] {
  const { masked, quotes } = maskQuotes(text.slice(0, READ_MAX_CHARACTERS));
  const clauses = sentencesOf(masked).flatMap((sentence) => {
    const parts: string[] = [];
    let rest = sentence;
    for (const { index, 0: joint } of sentence.matchAll(JOINT)) {
      const behind = sentence.slice(index + joint.length).trimStart();
      const start = sentence.length - behind.length;
      if (start === index + joint.length) continue;
      const [first = "", second = ""] = behind.slice(0, WORDS_READ_CHARACTERS).split(/\s/, 2);
      // `Inputs: month and group (optional)`: a list of names, though `group` is a verb too.
      if (!beginsClause(first, second) || second.startsWith("(") || LIST_OF_NAMES.test(sentence))
        continue;
      const at = sentence.length - rest.length;
      parts.push(sentence.slice(at, index));
      rest = behind;
    }
    return [...parts, rest];
  });
  return clauses
    .map((clause) =>
      clause.replace(/\uE000(\d+)\uE000/g, (_, index) => quotes[Number(index)] ?? "").trim(),
    )
    .filter((clause) => /[\p{L}\p{N}]/u.test(clause));
}

/** A text with its quotations as marks, so that no joint is looked for in them. */
function maskQuotes(text: string): { masked: string; quotes: string[] } {
  const quotes: string[] = [];
  let masked = "";
  for (let at = 0; at < text.length; ) {
    let end = at + 1;
    if ('"“'.includes(text.charAt(at)))
      while (end < text.length && !'"”\n'.includes(text.charAt(end))) end += 1;
    const isQuote = end > at + 1 && '"”'.includes(text.charAt(end) || " ");
    if (isQuote) end += 1;
    const part = text.slice(at, end);
    masked += isQuote ? `\uE000${quotes.push(part) - 1}\uE000` : part;
    at = end;
  }
  return { masked, quotes };
}

const TODO_LIST =
  /^(?:please |first(?:,| of all,?)? )*(?:make|write|create|draw up|set up|start with)(?: yourself| me| up)?(?: an?| your| the)? to-?do[- ]?list\b[,.:;]?\s*/i;
const WORK_IT =
  /^(?:and |then |, )?(?:work (?:through|on|off) it|go through it|do (?:it|them all|each of them)|tick off (?:what|each|every|the)\b[^:]{0,60})(?:[:.]|$)/i;

/**
 * The clauses of a request as tasks of their own: the items of a numbered list, and without what
 * only asks for the list that `todo` keeps.
 */
export function planTasks(clauses: readonly string[], hasTodo: boolean): string[] {
  const tasks: string[] = [];
  for (const clause of clauses.flatMap(itemsOf)) {
    const wanted = hasTodo ? clause.replace(TODO_LIST, "").replace(WORK_IT, "").trim() : clause;
    const last = tasks.at(-1);
    if (last !== undefined && isAbout(wanted)) tasks[tasks.length - 1] = `${last} ${wanted}`;
    else if (/[\p{L}\p{N}]/u.test(wanted))
      tasks.push(...(wanted === clause ? [clause] : itemsOf(wanted)));
  }
  return tasks;
}

/** `In euros.` says more of what stands before it. */
function isAbout(clause: string): boolean {
  const unit = /^in ([\p{L}%]+)[.?!]*$/iu.exec(clause)?.[1];
  return (
    (unit !== undefined && unitOf(unit.toLowerCase()) !== null) ||
    /^(?:and )?how (?:many|much)(?: \p{L}+)? (?:is|are|was|were) (?:that|those|it)\W*$/iu.test(
      clause,
    )
  );
}

/** `1. …, 2. …` in one clause. */
function itemsOf(clause: string): string[] {
  const parts = clause.split(/(?:^|[\s,;:])\(?(\d{1,2})[.)]\s/);
  const isCounted =
    parts.length >= 5 && parts.every((part, at) => at % 2 === 0 || Number(part) === (at + 1) / 2);
  return isCounted
    ? parts.filter((part, at) => at % 2 === 0 && part.trim() !== "").map(withoutJoint)
    : [clause];
}

/** An item without the comma, and the `and`, that lead to the next one. */
function withoutJoint(part: string): string {
  const bare = trimEnd(part, " \t\r\n,;");
  return trimEnd(bare.toLowerCase().endsWith(" and") ? bare.slice(0, -4) : bare, " ,;").trim();
}

/** One thing that a run is to do. It is done, or has a reason why not. */
export interface Task {
  text: string;
  done: boolean;
  reason: string;
  answer: string;
}

const CAUSE =
  /\b(?:why|how come|reasons? (?:for|why|that)|what (?:made|makes|caused|causes|led|leads|drove|explains)|because of what)\b/i;
export function asksForCause(text: string): boolean {
  return CAUSE.test(text);
}

/** A clause that only says how another one is meant. */
const MODIFIER =
  /^(?:\p{L}+ing\b|not|without|except|excluding|only|but|if|unless|when|where|whose|for|in|among|of|given|ignore|exclude|leave out|include|count|treat|assume|consider|use)\b/iu;
const POINTS_BACK = /\b(?:their|its|them|those|they|these|it|ones?)\b/i;

/**
 * Of the clauses of a request those that were answered and say something else without one that was
 * not.
 */
export function dependents(clauses: readonly Task[]): Task[] {
  const isOpen = clauses.some(
    ({ text, done }) => !done && MODIFIER.test(text) && readStep(text) === null,
  );
  const first = clauses.findIndex(({ done }) => !done);
  return clauses.filter(
    ({ text, done }, at) =>
      done && (isOpen || (first >= 0 && at > first && POINTS_BACK.test(text))),
  );
}

/**
 * What a step is that asks for no figure and no quote: `read` the files, `overview` of them,
 * `write` a file of what was found, `tell` it.
 */
type Step = "read" | "overview" | "write" | "tell";

const FILE =
  "(?:files?|csv|tsv|json|data|data ?sets?|spreadsheets?|tables?|notes?|documents?|texts?|workspace|inputs?)";
const OTHER =
  "(?!(?:in|of|for|from|with|and|newest|latest|oldest|last|first)\\b)[\\p{L}\\p{N}_.-]+ ";
const READ = new RegExp(
  `^(?:(?:read|open|load|use|look at|import|inspect) (?:${OTHER}){0,4}${FILE}(?: files?)?|list (?:the |all )*files)(?: (?:of|with|about|from|in) .*)?$`,
  "iu",
);
const OVERVIEW =
  /^(?:please )?(?:summari[sz]e|describe|profile|analy[sz]e|give (?:me )?an overview of)\b/i;
const WRITE = /^(?:write|make|create|save|produce|export|put|prepare|draft|generate|build)\b/i;
const WRITE_WORDS =
  "writ mak creat sav produc export put prepar draft generat build short brief plain full report file artifact csv markdown md table summary document text result finding everything them";
const TELL =
  /^(?:answer|report|present|tell|return|give|reply|cite|name|show|state|say|provide)\b/i;
const TELL_WORDS =
  "answer question request report present tell return giv short brief plain clear result finding figur file sourc page rest nam cit person user reply final them quot";

/** The kind of a step, if every word of it says nothing else; null otherwise. */
export function readStep(text: string, fileNames: readonly string[] = []): Step | null {
  const bare = trimEnd(text, ".! \t\r\n");
  const only = (words: string) =>
    keywordsOf(bare.replace(/\b(?:as|with|in|from|about) (?:its|their|the|a|an)?\b/gi, " ")).every(
      (word) => words.split(" ").includes(word),
    );
  if (READ.test(bare)) return "read";
  if (OVERVIEW.test(bare)) {
    const names = keywordsOf(fileNames.join(" ").replace(/[-_./]/g, " "));
    const others = fileNames
      .reduce((rest, name) => rest.replaceAll(name, " "), bare.replace(OVERVIEW, ""))
      .replace(new RegExp(`\\b${FILE}\\b`, "gi"), "");
    return keywordsOf(others).every((word) => names.includes(word)) ? "overview" : null;
  }
  if (WRITE.test(bare) && only(WRITE_WORDS)) return "write";
  return TELL.test(bare) && only(TELL_WORDS) ? "tell" : null;
}
