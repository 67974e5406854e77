import "server-only";
import { keywordsOf } from "./language";
import { unitOf } from "./plain-wording";

const TODO_LIST =
  /^(?:please |first(?:,| of all,?)? )*(?:make|write|create|draw up|set up|start with)(?: yourself| me| up)?(?: an?| your| the)? to-?do[- ]?list\b[,.:;]?\s*/i;
const WORK_IT =
  /^(?:and |then |, ?)*(?:work (?:through|on|off) it|go through it|do (?:it|them all|each of them)|tick off (?:what|each|every|the)\b[^:]{0,60})\s*(?:[:.]\s*|$)/i;

/** The clauses of a request as tasks of their own: the items of a numbered list, and without what only asks for the list that `todo` keeps. */
export function planTasks(clauses: readonly string[], hasTodo: boolean): string[] {
  const tasks: string[] = [];
  for (const clause of clauses.flatMap(itemsOf)) {
    const wanted = hasTodo ? clause.replace(TODO_LIST, "").replace(WORK_IT, "") : clause;
    const last = tasks.at(-1);
    if (last !== undefined && isAbout(wanted)) tasks[tasks.length - 1] = `${last} ${wanted}`;
    else if (/[\p{L}\p{N}]/u.test(wanted)) tasks.push(...(wanted === clause ? [clause] : itemsOf(wanted)));
  }
  return tasks;
}

/** `In euros.` says more of what stands before it. */
function isAbout(clause: string): boolean {
  const unit = /^in ([\p{L}%]+)[.?!]*$/iu.exec(clause)?.[1];
  return (
    (unit !== undefined && unitOf(unit.toLowerCase()) !== null) ||
    /^(?:and )?how (?:many|much)(?: \p{L}+)? (?:is|are|was|were) (?:that|those|it)\W*$/iu.test(clause)
  );
}

/** `1. …, 2. …` in one clause. */
function itemsOf(clause: string): string[] {
  const parts = clause.split(/(?:^|[\s,;:])\(?(\d{1,2})[.)]\s+(?=\p{L})/u);
  const isCounted = parts.length >= 5 && parts.every((part, at) => at % 2 === 0 || Number(part) === (at + 1) / 2);
  return isCounted
    ? parts.filter((part, at) => at % 2 === 0 && part.trim() !== "").map((part) => part.replace(/[\s,;]+(?:and)?\s*$/, "").trim())
    : [clause];
}

/** One thing that a run is to do. It is done, or has a reason why not. */
export interface Task {
  text: string;
  done: boolean;
  reason: string;
  answer: string;
}

const CAUSE = /\b(?:why|how come|reasons? (?:for|why|that)|what (?:made|makes|caused|causes|led|leads|drove|explains)|because of what)\b/i;
export function asksForCause(text: string): boolean {
  return CAUSE.test(text);
}

/** A clause that only says how another one is meant. */
const MODIFIER =
  /^(?:\p{L}+ing\b|not|without|except|excluding|only|but|if|unless|when|where|whose|for|in|among|of|given|ignore|exclude|leave out|include|count|treat|assume|consider|use)\b/iu;
const POINTS_BACK = /\b(?:their|its|them|those|they|these|it|ones?)\b/i;

/** Of the clauses of a request those that were answered and say something else without one that was not. */
export function dependents(clauses: readonly Task[]): Task[] {
  const isOpen = clauses.some(({ text, done }) => !done && MODIFIER.test(text) && readStep(text) === null);
  const first = clauses.findIndex(({ done }) => !done);
  return clauses.filter(({ text, done }, at) => done && (isOpen || (first >= 0 && at > first && POINTS_BACK.test(text))));
}

/** What a step is that asks for no figure and no quote: `read` the files, `overview` of them, `write` a file of what was found, `tell` it. */
type Step = "read" | "overview" | "write" | "tell";

const FILE = "(?:files?|csv|tsv|json|data|data ?sets?|spreadsheets?|tables?|notes?|documents?|texts?|workspace|inputs?)";
const OTHER = "(?!(?:in|of|for|from|with|and|newest|latest|oldest|last|first)\\b)[\\p{L}\\p{N}_.-]+ ";
const READ = new RegExp(
  `^(?:(?:read|open|load|use|look at|import|inspect) (?:${OTHER}){0,4}${FILE}(?: files?)?|list (?:the |all )*files)(?: (?:of|with|about|from|in) .*)?$`,
  "iu",
);
const OVERVIEW = /^(?:please )?(?:summari[sz]e|describe|profile|analy[sz]e|give (?:me )?an overview of)\b/i;
const WRITE = /^(?:write|make|create|save|produce|export|put|prepare|draft|generate|build)\b/i;
const WRITE_WORDS =
  "writ mak creat sav produc export put prepar draft generat build short brief plain full report file artifact csv markdown md table summary document text result finding everything them";
const TELL = /^(?:answer|report|present|tell|return|give|reply|cite|name|show|state|say|provide)\b/i;
const TELL_WORDS =
  "answer question request report present tell return giv short brief plain clear result finding figur file sourc page rest nam cit person user reply final them quot";

/** The kind of a step, if every word of it says nothing else; null otherwise. */
export function readStep(text: string, fileNames: readonly string[] = []): Step | null {
  const bare = text.replace(/[.!\s]+$/, "");
  const only = (words: string) =>
    keywordsOf(bare.replace(/\b(?:as|with|in|from) (?:its|their|the|a|an)?\b/gi, " ")).every((word) => words.split(" ").includes(word));
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
