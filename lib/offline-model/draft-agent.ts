import "server-only";
import { BUILT_IN_TOOL_NAMES } from "@/lib/model/agent-config/built-in-tools";
import type { JsonObject } from "@/lib/model/json-schema/json-value";
import { scheduleNote } from "./edit-agent";
import { applyToConfig, type EditedAgent } from "./edit-config";
import { capital, cut, quote } from "./language";
import { baseVerb, clausesOf, toImperative } from "./read-job";

const NAME_MAX_CHARACTERS = 60;
const STEPS_MAX = 12;
const LEAD_IN =
  /^(?:(?:please|hi|hello|hey)[,!.]?\s+)*(?:(?:can|could|would) you (?:please )?)?(?:(?:i|we) (?:want|need|would like|'d like)(?: (?:you )?to have)?\s+|(?:create|make|build|set up|generate|design|write|give me|give us|develop)(?: me| us)?\s+)?(?:(?:an?|the|my|our|one)\s+)?(?:(?:new|simple|small|smart|helpful|personal|ai|good)\s+)*(?:[\p{L}-]+\s+){0,3}?(?:agent|assistant|bot|helper)\b\s*/iu;
const LINK =
  /^(?:and\s+)?(?:(?:that|which|who)\s+(?:can\s+|will\s+|should\s+|could\s+)?|to\s+(?:help\s+(?:me|us)\s+(?:to\s+)?)?|for\s+(?:the\s+)?|(?:it|the agent|this agent)\s+(?:should|must|will|can|shall)\s+(?:also\s+)?|(?:also|then|and|finally|please)[, ]\s*|(?:be able to|(?:let|have|make) (?:it|the agent)(?: also)?)\s+|[:,]\s*)+/i;
const NAMED =
  /\b(?:[Cc]alled|[Nn]amed|with the name|[Nn]ame it|[Cc]all it)\s+(?:["“'](?<quoted>[^"”']{1,80})["”']|(?<bare>\p{Lu}[\p{L}\p{N}&-]*(?:\s+\p{Lu}[\p{L}\p{N}&-]*){0,5}))/u;
const SCHEDULE =
  /(?:\s|^)((?:every|each)\s+(?:(?:other\s+)?(?:mon|tues|wednes|thurs|fri|satur|sun)day|morning|evening|night|day|weekday|week|month|hour|quarter)s?\b(?:\s+(?:at|by)\s+\d{1,2}(?::\d\d)?\s*(?:am|pm|o'clock)?)?|(?:daily|weekly|hourly|nightly|monthly) at \d{1,2}(?::\d\d)?\s*(?:am|pm)?)(?=$|[\s.,;])/i;
const RULE =
  /^(?:it (?:should |must |shall )?)?(?:always|never|do not|don't|avoid|make sure|ensure|be |keep |use (?:a |an )?[\p{L}\s,]{0,40}(?:tone|style|language)|answer in|reply in|write in|respond in|only )/iu;
const NOT = /\b(?:never|not|don't|without|no|avoid)\b/i;
const ORDERS_TO_MODELS =
  /^(?:system|admin|developer|assistant)\s*:|\b(?:ignore|disregard|forget)\b.{0,40}\b(?:instructions?|rules|prompts?|person|above|previous)\b/i;
const LANGUAGE = /\bin (\p{Lu}\p{Ll}+)$/u;
/** What each tool is for, in the words of requests. */
const NEEDS: [tool: string, words: RegExp][] = [
  ["workspace_files", /./],
  ["web_search", /\b(?:web|internet|online|news|search for|research)\b/i],
  ["web_fetch", /\b(?:web|internet|online|urls?|links?|web ?(?:sites?|pages?)|news|research|https?:\/\/\S+)/i],
  [
    "run_javascript",
    /\b(?:csv|tsv|json|spreadsheets?|data|datasets?|tables?|numbers?|figures?|calculat\w*|comput\w*|averages?|means?|sums?|totals?|counts?|median|statistic\w*|percent\w*|prices?|costs?|sales|metrics?|highest|lowest|compare\w*|rank\w*)\b/i,
  ],
  [
    "artifacts",
    /\b(?:as|into|in|to) a (?:\w+ )?file\b|\bartifacts?\b|\b(?:write|make|create|produce|prepare|draft|generate|save|export|draw)s?\b.{0,40}\b(?:reports?|file|document|chart|svg|csv)\b/i,
  ],
];
const WEB = /\bweb|internet|online|brows/i;
/** What no built-in tool does, and no clause alone can set. */
const BEYOND: [words: RegExp, needs: string][] = [
  [
    /^(?:send|e-?mail|mail|post|notify|publish|message|upload|call|pay|book|order)s?\b|\b(?:slack|sms|fax|whatsapp|telegram|mcp|webhook|crm|jira|github|calendar|database)\b|\bhttp api\b/i,
    "needs a connector (`tools.http` or `tools.mcp`), which has to be added to the config with its address and secret",
  ],
  [
    /\b(?:json|output schema|structured output)\b(?=.*[:{])|\b(?:output|return|answer|reply)s?\b.*\b(?:as|in)? json\b/i,
    "the form of the output has to be set as `output_schema`",
  ],
  [/\bdashboards?\b/i, "a dashboard has to be made as `dashboard_template`"],
  [
    /\b(?:pdf|png|jpe?g|excel|xlsx|powerpoint|pptx|slides|docx|audio|video|images?|pictures?)\b/i,
    "no built-in tool reads or makes this kind of file",
  ],
];

/** The arguments of `create_agent`: everything in it is the person's own words or follows from the tools, and `left_out` says what it could not set up. */
export function draftAgent(messages: readonly string[], models: readonly string[]): JsonObject {
  const agent: EditedAgent = { name: "", description: "", skill: "", config: { version: 1 }, autonomy: "approval_required" };
  const steps: string[] = [];
  const rules: string[] = [];
  const leftOut: string[] = [];
  const plain: string[] = [];
  let schedule = "";
  for (const clause of messages.flatMap((message) => clausesOf(message))) {
    const named = NAMED.exec(clause);
    agent.name = named?.groups?.quoted?.trim() || named?.groups?.bare?.trim() || agent.name;
    schedule = SCHEDULE.exec(clause)?.[1]?.trim() || schedule;
    const text = withoutLeadIn(clause.replace(named?.[0] ?? "", " ").replace(SCHEDULE, ""));
    if (text.length < 2) continue;
    const applied = applyToConfig(agent, text, models) ?? applyModel(agent, text, models);
    if (applied) {
      if ("refused" in applied) leftOut.push(`${quote(text)}: ${applied.refused}`);
    } else if (ORDERS_TO_MODELS.test(text)) leftOut.push(`${quote(text)}: it speaks to a model and not of the agent`);
    else {
      plain.push(text);
      const needs = NOT.test(text) ? undefined : BEYOND.find(([words]) => words.test(text))?.[1];
      if (needs) leftOut.push(`${quote(text)}: ${needs}`);
      if (RULE.test(text) && plain.length > 1) rules.push(toImperative(text.replace(/^it (?:should|must|shall)\s+/i, "")));
      else steps.push(toImperative(text));
    }
  }
  if (schedule) leftOut.push(`${quote(schedule)}: an agent starts by a schedule that is added to it`);
  const goal = plain[0] ?? "";
  const shown = [...new Set(steps.length > 0 ? steps : ["Do what the request asks"])].slice(0, STEPS_MAX);
  const tools = chooseTools(plain, shown.length, leftOut);
  const name = (agent.name || nameOf(goal)).slice(0, NAME_MAX_CHARACTERS).trim();
  const language = steps.map((step) => LANGUAGE.exec(step)?.[1]).find(Boolean);
  agent.description = cut(`${describeGoal(goal, shown)}.`, 300);
  const usage = [
    "Use this whenever someone asks for the following:",
    ...messages
      .join("\n")
      .slice(0, 20_000)
      .split("\n")
      .map((line) => `> ${line}`),
  ];
  const skillRules = [
    ...rules,
    ...(language ? [`Answer in ${language}.`] : []),
    ...(tools.includes("run_javascript") ? ["Compute every figure with code; never estimate."] : []),
    "Name the files or pages that the answer rests on, and say so when something is missing.",
  ];
  const sections: [heading: string, text: string][] = [
    ["When to use", `${usage[0]}\n\n${usage.slice(1).join("\n")}`],
    ["Steps", shown.map((step, index) => `${index + 1}. ${step}`).join("\n")],
    [
      "Output",
      tools.includes("artifacts")
        ? "A short answer in Markdown, and the full text as a file."
        : "A short answer in Markdown: the result first, then how it came about.",
    ],
    ["Rules", skillRules.map((rule) => `- ${rule}`).join("\n")],
    ...(schedule ? [["Schedule", scheduleNote(schedule)] as [string, string]] : []),
    ...(leftOut.length > 0 ? [["Not set up", leftOut.map((left) => `- ${left}`).join("\n")] as [string, string]] : []),
  ];
  const starters = [
    `${cut(shown[0] ?? "", 200)}.`,
    ...(tools.includes("run_javascript") ? ["Summarise the data file in the workspace."] : []),
  ];
  return {
    name,
    description: agent.description,
    skill_content: [`# ${name}`, agent.description, ...sections.flatMap(([heading, text]) => [`## ${heading}`, text])].join("\n\n"),
    config: { ...agent.config, inputs: inputsOf(plain.join("\n")), tools: { builtin: tools }, starters },
    write_autonomy: agent.autonomy,
    left_out: leftOut.slice(0, 20).map((left) => cut(left, 500)),
  };
}

function withoutLeadIn(clause: string): string {
  const text = clause
    .replace(/\s+/g, " ")
    .trim()
    .replace(LEAD_IN, "")
    .replace(LINK, "")
    .replace(/[\s.,;:!]+$/, "");
  return /^[\s.,!?]*$/.test(text) ? "" : text.trim();
}

/** `… on openai/gpt-5.1`, `…, read-only`: what is said at the end of a clause that says more. */
function applyModel(agent: EditedAgent, text: string, models: readonly string[]) {
  for (const tail of [/^.*\b(without asking(?: for approval)?)$/i, /^.*\b(read[- ]only)$/i]) {
    const said = tail.exec(text)?.[1];
    if (said) applyToConfig(agent, said, models);
  }
  const model = models.find((id) => text.includes(id));
  if (model) applyToConfig(agent, `use ${model}`, models);
  return null;
}

/** Files are always within reach, since a run may be given a workspace whatever its agent was made for. What a clause forbids is not given. */
function chooseTools(clauses: readonly string[], steps: number, leftOut: string[]): string[] {
  const wanted = clauses.filter((clause) => !NOT.test(clause)).join("\n");
  const forbidden = clauses.filter((clause) => NOT.test(clause)).join("\n");
  const noWeb = WEB.test(forbidden);
  const noCode = /\b(?:code|javascript)\b/i.test(forbidden);
  if (noWeb && WEB.test(wanted)) leftOut.push("The web is both asked for and forbidden; it was left forbidden");
  const needed = new Set(
    NEEDS.filter(([tool, words]) => words.test(wanted) && !(noWeb && tool.startsWith("web")) && !(noCode && tool === "run_javascript")).map(
      ([tool]) => tool,
    ),
  );
  if (steps > 1) needed.add("todo");
  return BUILT_IN_TOOL_NAMES.filter((tool) => needed.has(tool) || tool === "workspace_files").sort(
    (a, b) => TOOL_ORDER.indexOf(a) - TOOL_ORDER.indexOf(b),
  );
}

const TOOL_ORDER = ["workspace_files", "web_search", "web_fetch", "run_javascript", "todo", "artifacts"];

function inputsOf(text: string): JsonObject {
  const properties: JsonObject = {
    request: { type: "string", title: "Request", description: "What to do this time. Without it, the agent does what its skill says." },
  };
  if (/\b(?:files?|csv|tsv|json|spreadsheets?|documents?|datasets?)\b/i.test(text))
    properties.file = {
      type: "string",
      title: "File",
      description: "Name of a file in the workspace. Without it, the agent picks the one that fits.",
    };
  const noun = /\bgiven (\p{Ll}[\p{Ll}-]{2,30})\b/u.exec(text)?.[1];
  if (noun && !(noun in properties) && !/s$/.test(noun)) properties[noun] = { type: "string", title: capital(noun) };
  return { type: "object", properties };
}

/** The goal in the third person; put together from the steps when it was given as an order. */
function describeGoal(goal: string, steps: readonly string[]): string {
  const [first = ""] = goal.split(" ");
  if (goal !== "" && baseVerb(first) === null) return `Helps with ${goal}`;
  const clauses = steps.slice(0, 4).map((step, index) => (index === 0 ? capital(toThirdPerson(step)) : toThirdPerson(step)));
  return clauses.length > 1 ? `${clauses.slice(0, -1).join(", ")} and ${clauses.at(-1)}` : (clauses[0] ?? "Does what the request asks");
}

function toThirdPerson(step: string): string {
  const [first = "", ...rest] = step.charAt(0).toLowerCase() + step.slice(1).split(/(?= )/).join("");
  const [verb = "", ...words] = [first, ...rest].join("").split(" ");
  if (baseVerb(verb) === null) return [verb, ...words].join(" ");
  return [/(?:s|x|z|ch|sh)$/.test(verb) ? `${verb}es` : /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ies` : `${verb}s`, ...words].join(
    " ",
  );
}

const ENDS =
  /^(?:and|or|then|that|which|who|with|from|for|in|on|at|by|per|to|into|so|using|when|if|every|each|as|where|while|because|of|about)$/i;
const SKIPPED = /^(?:a|an|the|my|our|your|its|their|any|some|all|given|uploaded|me|us)$/i;
const NAME_MAX_WORDS = 5;

/** The object of the goal and what someone who does this is called: `reads a CSV of daily weather` makes a Daily Weather Reader. */
function nameOf(goal: string): string {
  const [clause = ""] = goal
    .replace(/https?:\/\/\S+/g, "")
    .replace(/(\w)\.\w{2,5}\b/g, "$1")
    .split(/[:;,.](?=\s|$)/);
  const words = clause.split(/\s+/).map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ""));
  const verb = baseVerb(words[0] ?? "");
  const rest = verb === null ? words : words.slice(1);
  const of = rest.findIndex((word) => /^of$/i.test(word));
  const object: string[] = [];
  for (const word of of > 0 && of <= 4 && rest.slice(0, of).every((word) => !ENDS.test(word)) ? rest.slice(of + 1) : rest) {
    if (ENDS.test(word) && object.length > 0) break;
    if (word !== "" && !SKIPPED.test(word) && !ENDS.test(word)) object.push(word);
    if (object.length === NAME_MAX_WORDS) break;
  }
  const role =
    verb === null
      ? "Agent"
      : /ate$/.test(verb)
        ? `${verb.slice(0, -1)}or`
        : /[^aeiou]y$/.test(verb)
          ? `${verb.slice(0, -1)}ier`
          : /e$/.test(verb)
            ? `${verb}r`
            : `${verb}er`;
  const name = [...object, role].map(capital).join(" ");
  return name.length > NAME_MAX_CHARACTERS ? name.slice(0, NAME_MAX_CHARACTERS).replace(/\s+\S*$/, "") || "Agent" : name;
}
