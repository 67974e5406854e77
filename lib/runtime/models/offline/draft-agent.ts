import "server-only";
import type { JsonObject } from "@/lib/model/json-schema/json-value";
import { readWish, type Wish } from "./read-wish";
import { baseVerb, toThirdPerson } from "./to-imperative";
import { wantsReport } from "./wants-report";

export interface AgentDraft {
  /** The arguments of `create_agent`. */
  agent: JsonObject;
  /** What the rules made of the request, in a sentence. */
  plan: string;
}

const REQUEST_MAX_CHARACTERS = 20_000;
const DESCRIPTION_MAX_CHARACTERS = 300;
const NEEDS: [tool: string, pattern: RegExp][] = [
  [
    "workspace_files",
    /\b(?:files?|csv|tsv|json|spreadsheets?|documents?|notes?|folders?|workspace|data|datasets?|tables?|logs?|markdown|texts?|reports?)\b/i,
  ],
  ["web_search", /\b(?:web|internet|online|google|news|search for|research|latest)\b/i],
  ["web_fetch", /\b(?:web|internet|online|urls?|links?|web ?(?:sites?|pages?)|news|research|crawl|scrape)\b/i],
  [
    "run_javascript",
    /\b(?:csv|tsv|json|spreadsheets?|data|datasets?|tables?|numbers?|figures?|calculat\w*|comput\w*|averages?|means?|sums?|totals?|counts?|median|statistic\w*|percent\w*|prices?|costs?|sales|metrics?|analy[sz]\w*|trends?|chart|highest|lowest|compare|rank\w*)\b/i,
  ],
];

/** An agent made of what was said about it, oldest first. Everything in it is the person's own or follows from the tools. */
export function draftAgent(messages: readonly string[], models: string | null): AgentDraft {
  const wish = readWish(messages);
  const text = messages.join("\n").slice(0, REQUEST_MAX_CHARACTERS);
  const tools = chooseTools(text, wish);
  const name = nameAgent(wish);
  const model = (models ?? "").split(", ").find((id) => id !== "" && text.includes(id));
  const agent: JsonObject = {
    name,
    description: describeWish(wish),
    skill_content: writeSkill(name, wish, tools, text),
    config: {
      version: 1,
      ...(model && { model }),
      inputs: inputsOf(text, wish),
      tools: { builtin: tools },
      starters: startersOf(wish, tools),
    },
    write_autonomy: autonomyOf(text),
  };
  return {
    agent,
    plan: `Make “${name}” with ${wish.steps.length} step${wish.steps.length === 1 ? "" : "s"} and the tools ${tools.join(", ")}.`,
  };
}

function describeWish(wish: Wish): string {
  const sentence = sentenceOf(wish);
  const cut = sentence.length > DESCRIPTION_MAX_CHARACTERS ? `${sentence.slice(0, DESCRIPTION_MAX_CHARACTERS - 1)}…` : sentence;
  return /[.!?…]$/.test(cut) ? cut : `${cut}.`;
}

/** The goal in the third person; put together from the steps when it was given as an order. */
function sentenceOf({ goal, steps }: Wish): string {
  const plain = goal.replace(/\s+/g, " ");
  const first = plain.split(" ")[0] ?? "";
  const verb = baseVerb(first);
  if (verb === null)
    return steps.length > 0 && /^\p{L}/u.test(plain) ? `Helps with ${plain.charAt(0).toLowerCase()}${plain.slice(1)}` : plain;
  if (verb !== first.toLowerCase()) return toThirdPerson(plain);
  const clauses = steps.slice(0, 4).map((step, index) => (index === 0 ? toThirdPerson(step) : lowerFirst(toThirdPerson(step))));
  return clauses.length > 1 ? `${clauses.slice(0, -1).join(", ")} and ${clauses.at(-1)}` : toThirdPerson(plain);
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** Files are always within reach, since a run may be given a workspace whatever its agent was made for. */
function chooseTools(text: string, wish: Wish): string[] {
  const needed = new Set(["workspace_files", ...NEEDS.filter(([, pattern]) => pattern.test(text)).map(([tool]) => tool)]);
  if (wish.steps.length > 1) needed.add("todo");
  if (wantsReport(text)) needed.add("artifacts");
  return ["workspace_files", "web_search", "web_fetch", "run_javascript", "todo", "artifacts"].filter((tool) => needed.has(tool));
}

function autonomyOf(text: string): string {
  if (/\b(?:read[- ]only|never (?:write|change|send|post)|must not (?:write|change|send)|no writes)\b/i.test(text)) return "blocked";
  if (/\b(?:without asking|fully automatic(?:ally)?|full(?:y)? autonom\w+|on its own|no approval)\b/i.test(text)) return "full_auto";
  return "approval_required";
}

function inputsOf(text: string, wish: Wish): JsonObject {
  const properties: JsonObject = {
    request: { type: "string", title: "Request", description: "What to do this time. Without it, the agent does what its skill says." },
  };
  if (/\b(?:files?|csv|tsv|json|spreadsheets?|documents?|datasets?)\b/i.test(text)) {
    properties.file = {
      type: "string",
      title: "File",
      description: "Name of a file in the workspace. Without it, the agent picks the one that fits.",
    };
  }
  if (/\b(?:given|a|any|some) (?:topic|subject|company|question|product|city|country|keyword)\b/i.test(wish.goal)) {
    const noun =
      /\b(?:given|a|any|some) (topic|subject|company|question|product|city|country|keyword)\b/i.exec(wish.goal)?.[1]?.toLowerCase() ??
      "topic";
    properties[noun] = { type: "string", title: noun.charAt(0).toUpperCase() + noun.slice(1) };
  }
  return { type: "object", properties };
}

function startersOf(wish: Wish, tools: readonly string[]): string[] {
  const first = (wish.steps[0] ?? wish.goal).slice(0, 200);
  const starters = [/[.?!]$/.test(first) ? first : `${first}.`];
  if (tools.includes("run_javascript")) starters.push("Summarise the data file in the workspace.");
  if (tools.includes("artifacts")) starters.push("Write the report as a file.");
  return starters;
}

function writeSkill(name: string, wish: Wish, tools: readonly string[], request: string): string {
  const rules = [
    ...wish.rules,
    ...(wish.language ? [`Answer in ${wish.language}.`] : []),
    ...(tools.includes("run_javascript") ? ["Compute every figure with code; never estimate."] : []),
    "Name the files or pages that the answer rests on, and say so when something is missing.",
  ];
  const output = tools.includes("artifacts")
    ? "A short answer in Markdown, and the full text as a file."
    : "A short answer in Markdown: the result first, then how it came about.";
  return [
    `# ${name}`,
    describeWish(wish),
    "## When to use",
    `Use this whenever someone asks for the following:\n\n${request
      .split("\n")
      .map((line) => `> ${line}`)
      .join("\n")}`,
    "## Steps",
    wish.steps.map((step, index) => `${index + 1}. ${step}`).join("\n"),
    "## Output",
    output,
    "## Rules",
    rules.map((rule) => `- ${rule}`).join("\n"),
    ...(wish.schedule
      ? ["## Schedule", `Asked for: ${wish.schedule}. A skill does not start itself; add a schedule to the agent for that.`]
      : []),
  ].join("\n\n");
}

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
function nameAgent(wish: Wish): string {
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
