import "server-only";
import {
  applyFormLine,
  type FormAgent,
  type FormOptions,
  readFormLine,
} from "@/lib/model/agent-config/agent-form";

/** A request for an agent, every character of it: what its form sets, and the rest. */
export interface AgentRequest {
  agent: FormAgent;
  /** Word for word what is no line of the form that was set. */
  task: string;
  /** The task without lines that have the look of the form. */
  prose: string;
  /** Lines of the form that set nothing, which stand in the task too, and why. */
  refused: { line: string; problem: string }[];
}

/** Reads a request line by line. A line in a fence of code is an example, and no setting. */
export function readAgentRequest(
  text: string,
  start: FormAgent,
  options: FormOptions,
): AgentRequest {
  const refused: AgentRequest["refused"] = [];
  const rest: string[] = [];
  const prose: string[] = [];
  const seen = new Set<string>();
  let agent = start;
  let inFence = false;
  for (const line of text.split("\n")) {
    if (isFence(line)) inFence = !inFence;
    const read = inFence ? null : readFormLine(line);
    if (read === null) {
      rest.push(line);
      prose.push(line);
      continue;
    }
    const result = seen.has(read.key)
      ? { ok: false as const, problem: `${read.key} stands in an earlier line.` }
      : applyFormLine(agent, read, options);
    seen.add(read.key);
    if (result.ok) agent = result.agent;
    else {
      refused.push({ line: line.trim(), problem: result.problem });
      rest.push(line);
    }
  }
  return { agent, task: rest.join("\n").trim(), prose: prose.join("\n"), refused };
}

function isFence(line: string): boolean {
  return line.trimStart().startsWith("```");
}

const ENDS = new Set([".", "!", "?", "。", "！", "？"]);
const CLOSES = new Set(['"', "'", "”", "’", "»", ")", "]"]);

/**
 * The sentences and lines of a text. Joined they are the text again: a cut is made behind a line's
 * end, and behind a mark that ends a sentence and is followed by white space.
 */
export function splitSentences(text: string): string[] {
  const parts: string[] = [];
  let from = 0;
  let hasEnd = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    const isSpace = sign.trim() === "";
    if (sign === "\n" || (hasEnd && isSpace)) {
      parts.push(text.slice(from, at + 1));
      from = at + 1;
      hasEnd = false;
    } else if (ENDS.has(sign)) hasEnd = true;
    else if (!CLOSES.has(sign)) hasEnd = false;
  }
  return [...parts, text.slice(from)].filter((part) => part !== "");
}

const OPENERS = [["please"], ["i", "need"], ["i", "want"], ["we", "need"], ["we", "want"]];
const MAKERS = new Set(["make", "create", "build"]);
const ARTICLES = new Set(["a", "an", "the", "my", "our", "another"]);
const NOUNS = new Set(["agent", "assistant", "bot"]);
const LINKS = new Set(["that", "which", "who", "to"]);

/**
 * Where the work begins in `Make an agent that reads …`: behind those words, where they stand there
 * as they are listed here; else at 0.
 */
export function workStart(text: string): number {
  const words = text.slice(0, 100).split(" ");
  const lower = words.map((word) => word.toLowerCase());
  let at = 0;
  for (const opener of OPENERS)
    if (opener.every((word, place) => lower[at + place] === word)) at += opener.length;
  if (MAKERS.has(lower[at] ?? "")) at += lower[at + 1] === "me" || lower[at + 1] === "us" ? 2 : 1;
  if (ARTICLES.has(lower[at] ?? "")) at += 1;
  if (!NOUNS.has(lower[at] ?? "") || !LINKS.has(lower[at + 1] ?? "")) return 0;
  return words.slice(0, at + 2).join(" ").length + 1;
}

const NAME_WORDS = 6;
const NAME_MAX_CHARACTERS = 60;

/** Words that no name ends with. */
const TRAILING = new Set("a an the and or of in on at to from for with by that its".split(" "));

/** The first words of a task as a name. */
export function nameOfTask(task: string): string {
  const [line = ""] = task
    .slice(workStart(task))
    .split("\n")
    .map((one) => one.trim())
    .filter(Boolean);
  const words = line.slice(0, 400).split(" ").filter(Boolean).slice(0, NAME_WORDS);
  let name = "";
  for (const word of words) {
    const next = name === "" ? word : `${name} ${word}`;
    if (next.length > NAME_MAX_CHARACTERS) break;
    name = next;
  }
  while (TRAILING.has(name.slice(name.lastIndexOf(" ") + 1).toLowerCase()) && name.includes(" "))
    name = name.slice(0, name.lastIndexOf(" "));
  const bare = withoutMarks(name === "" ? line.slice(0, NAME_MAX_CHARACTERS) : name).toWellFormed();
  return bare === "" ? "Agent" : bare.charAt(0).toUpperCase() + bare.slice(1);
}

const MARKS = new Set([..."#*->`_.,:;!?\"'“”„()[] "]);

/** A text without marks of Markdown and punctuation at its ends. */
function withoutMarks(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && MARKS.has(text.charAt(from))) from += 1;
  while (to > from && MARKS.has(text.charAt(to - 1))) to -= 1;
  return text.slice(from, to);
}
