import "server-only";
import { unitOf } from "./plain-wording";
import { readStep } from "./read-step";

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
