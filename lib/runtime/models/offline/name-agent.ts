import "server-only";
import type { Wish } from "./read-wish";
import { baseVerb } from "./to-imperative";

const NAME_MAX_CHARACTERS = 60;
const WORDS_MAX = 5;
/** What someone who does this is called. */
const ROLES: Record<string, string> = {
  analyse: "Analyst",
  analyze: "Analyst",
  answer: "Helper",
  calculate: "Calculator",
  categorise: "Sorter",
  categorize: "Sorter",
  check: "Checker",
  classify: "Sorter",
  collect: "Collector",
  compare: "Comparer",
  compute: "Calculator",
  convert: "Converter",
  count: "Counter",
  draft: "Writer",
  edit: "Editor",
  extract: "Extractor",
  find: "Finder",
  monitor: "Monitor",
  plan: "Planner",
  rank: "Ranker",
  read: "Reader",
  report: "Reporter",
  research: "Researcher",
  review: "Reviewer",
  search: "Finder",
  summarise: "Summariser",
  summarize: "Summarizer",
  track: "Tracker",
  translate: "Translator",
  triage: "Triage",
  watch: "Monitor",
  write: "Writer",
};
const ENDS =
  /^(?:and|or|then|that|which|who|with|from|for|in|on|at|by|per|to|into|so|using|when|if|every|each|as|where|while|because|of|about)$/i;
const SKIPPED = /^(?:a|an|the|my|our|your|its|their|any|some|all|given|uploaded|me|us)$/i;

/** A name of at most 60 characters: the one that was given, else the object of the request and the role of its verb. */
export function nameAgent(wish: Wish): string {
  if (wish.name) return wish.name.slice(0, NAME_MAX_CHARACTERS).trim();
  const [clause = ""] = wish.goal.split(/[:;,.](?=\s|$)/);
  const words = clause.split(/\s+/).map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ""));
  const verb = baseVerb(words[0] ?? "");
  const object = objectOf(verb === null ? words : words.slice(1));
  const role = (verb === null ? undefined : ROLES[verb]) ?? "Agent";
  const name = [...object, role].filter(Boolean).map(titled).join(" ");
  const fitting = name.length > NAME_MAX_CHARACTERS ? name.slice(0, NAME_MAX_CHARACTERS).replace(/\s+\S*$/, "") : name;
  return fitting || "Agent";
}

/** The first noun phrase, as far as no preposition or verb ends it. `a CSV of daily weather` is about daily weather. */
function objectOf(words: readonly string[]): string[] {
  const kept: string[] = [];
  let start = 0;
  const of = words.findIndex((word) => /^of$/i.test(word));
  if (of > 0 && of <= 4 && words.slice(0, of).every((word) => !ENDS.test(word))) start = of + 1;
  for (const word of words.slice(start)) {
    if (ENDS.test(word) && kept.length > 0) break;
    if (word === "" || SKIPPED.test(word) || ENDS.test(word)) continue;
    kept.push(word);
    if (kept.length === WORDS_MAX) break;
  }
  return kept;
}

function titled(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
