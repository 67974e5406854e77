import "server-only";
import type { TemplateNeed } from "@/lib/templates/templates";
import { applyToConfig, type EditedAgent } from "./edit-config";
import { isFunctionWord, quote } from "./language";
import { type NamedField, readInputs, readOutput, withFields } from "./read-fields";
import { baseVerb, clausesOf, isWorkVerb, toImperative } from "./read-job";

const LEAD_IN =
  /^(?:(?:please|hi|hello|hey)[,!.]?\s+)*(?:(?:can|could|would) you (?:please )?)?(?:(?:i|we) (?:want|need|would like|'d like)(?: (?:you )?to have)?\s+|(?:create|make|build|set up|generate|design|write|give me|give us|develop)(?: me| us)?\s+)?(?:(?:an?|the|my|our|one)\s+)?(?:(?:new|simple|small|smart|helpful|personal|ai|good)\s+)*(?:[\p{L}-]+\s+){0,3}?(?:agent|assistant|bot|helper)\b\s*/iu;
const LINK =
  /^(?:and\s+)?(?:(?:that|which|who)\s+(?:can\s+|will\s+|should\s+|could\s+)?|to\s+(?:help\s+(?:me|us)\s+(?:to\s+)?)?|for\s+(?:the\s+)?|(?:it|the agent|this agent)\s+(?:should|must|will|can|shall)\s+(?:also\s+)?|(?:also|then|and|finally|please)[, ]\s*|(?:be able to|(?:let|have|make) (?:it|the agent)(?: also)?)\s+|[:,]\s*)+/i;
const NAMED =
  /\b(?:[Cc]alled|[Nn]amed|with the name|[Nn]ame it|[Cc]all it)\s+(?:["“'](?<quoted>[^"”']{1,80})["”']|(?<bare>\p{Lu}[\p{L}\p{N}&-]*(?:\s+\p{Lu}[\p{L}\p{N}&-]*){0,5}))/u;
const TIME = String.raw`(?:\s+(?:at|by)\s+\d{1,2}(?::\d\d)?(?:\s*(?:am|pm|o'clock)\b)?(?:\s+[A-Z]\p{L}+/[A-Z]\p{L}+|\s+[A-Z]\p{L}+ time)?)?`;
const DAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)day";
/** When it should run by itself: `every Monday at 9`, `on weekdays`, `the first of the month`, `weekly`. */
const SCHEDULE = new RegExp(
  String.raw`(?:\s|^|\b)((?:(?:every|each)\s+(?:(?:other|first|last)\s+)?(?:\d+\s+)?(?:${DAY}|morning|evening|noon|night|midnight|day|weekday|week|month|hour|minute|quarter|year)s?\b|on\s+(?:${DAY}|weekday|working day)s\b|(?:every|on the|each)?\s*(?:first|last|\d+(?:st|nd|rd|th)) (?:${DAY} |day |working day )?of (?:the|each|every) (?:month|week|quarter|year)|(?:hourly|daily|nightly|weekly|monthly|quarterly)(?=\s+(?:at|on|digest|report|summary|check|brief|overview|update|newsletter|list|mail)\b|\s*$|\s+and\b)|once an? (?:hour|day|week|month)|twice an? (?:day|week|month)|at midnight)${TIME})`,
  "iu",
);
const RULE =
  /^(?:it (?:should |must |shall )?)?(?:always|never|do not|don't|avoid|make sure|ensure|be |keep |use (?:a |an )?[\p{L}\s,]{0,40}(?:tone|style|language)|answer in|reply in|write in|respond in|only )/iu;
const ORDERS_TO_MODELS =
  /^(?:system|admin|developer|assistant)\s*:|\b(?:ignore|disregard|forget)\b.{0,40}\b(?:instructions?|rules|prompts?|person|above|previous)\b/i;
export const NOT = /\b(?:never|not|don't|without|no|avoid)\b/i;
const CONNECTOR = "needs a connector (`tools.http` or `tools.mcp`), which has to be added to the config with its address and secret";
const ACTS =
  "send|e-?mail|mail|post|notify|alert|page|text|publish|message|upload|call|phone|pay|book|order|buy|transfer|close|assign|approve|cancel|deploy";
const SERVICES =
  "slack|sms|fax|whatsapp|telegram|teams|discord|mcp|webhooks?|crm|jira|github|gitlab|hubspot|salesforce|notion|calendar|database|postgres\\w*|mysql|sql|s3|sharepoint|dropbox|google (?:drive|docs?|sheets?)|gmail|outlook|trello|asana|zendesk|stripe|shopify|linkedin|twitter|facebook|instagram|social media|http api";
/** What no built-in tool does, and no clause alone can set. */
const BEYOND: [words: RegExp, needs: string][] = [
  [
    new RegExp(
      `^(?:${ACTS})s?\\b|\\b(?:${SERVICES})\\b|\\b(?:and|then|,) (?:${ACTS})s?(?= (?:the|an?|me|us|it|them|him|her|my|our|to)\\b|$)|\\b(?:send|mail|post|notify|alert)s? (?:me|us|it|them|the|a)\\b`,
      "i",
    ),
    CONNECTOR,
  ],
  [
    /^(?:[Ss]tore|[Ss]ave|[Ss]ync|[Uu]pdate|[Pp]ush|[Ee]xport|[Ii]mport|[Ll]oad|[Pp]ull|[Cc]onnect|[Ll]og|[Pp]ut)s?\b.*\b(?:to|in|into|from|with|on)\s+(?:our |my |the |a )?[A-Z]\w*/,
    CONNECTOR,
  ],
  [/\bdashboards?\b/i, "a dashboard is not set up; it has to be made as `dashboard_template`"],
  [
    /\b(?:(?:as|into|to) (?:an? )?|(?:ma[kd]e|create|write|generate|export|save|produce|draft|prepare|build|convert|fill|edit|sign|merge|split)s?\b(?:(?! (?:of|from|about|in|for|with) ).){0,40} )(?:pdfs?|excel|xlsx?|powerpoint|pptx|slides?|docx|word (?:file|document))\b/i,
    "no built-in tool makes this kind of file; it is only read",
  ],
  [/\b(?:scans?|scanned|ocr)\b/i, "no built-in tool reads the text of a picture"],
  [
    /\b(?:png|jpe?g|audio|voice|speech|videos?|images?|pictures?|photos?|screens?|screenshots?|recordings?)\b/i,
    "the built-in model sees and hears nothing, and makes no picture, speech or video; that needs a model of a vendor",
  ],
  [
    /\b(?:use|using|with|on) (?:the )?(?:claude|gpt|gemini|llama|mistral|qwen|[a-z]+ model)\b/i,
    "no model is set; name it by its id in the published list, as provider/name",
  ],
  [
    /\bacross (?:runs|conversations|sessions|chats)\b|\bsince (?:the |its )?last (?:run|time|visit)\b|\bremembers?\b|\bmemori[sz]es?\b/i,
    "memory is not set up; `tools.memory` in the config keeps notes from run to run, for a model that takes them",
  ],
  [
    /\b(?:in|within) (?:under|less than) \d+ (?:ms|milliseconds?|seconds?|minutes?)\b|\b(?:in|on) real ?time\b/i,
    "nothing of an agent promises how fast it answers",
  ],
];
const DOCUMENT = /\b(?:pdf|docx|pptx|xlsx|excel|powerpoint)\b/i;
const LOOKS =
  /^(?:watch|monitor|track|remind|observe)(?:e?s)?\b|\b(?:as soon as|whenever|when(?= (?:a |an |the |there )?(?:new|something|anything|it|one|price|error)s?\b))/i;
const ONLY_WORDS = "stands in the skill as words only, as no tool of the agent does it";

/** A request for an agent, clause by clause. */
export interface Draft {
  agent: EditedAgent;
  steps: string[];
  rules: string[];
  leftOut: string[];
  /** What somebody has to add for what was left out. */
  needs: TemplateNeed[];
  /** Clauses that say what the agent does. */
  plain: string[];
  schedule: string;
  inputs: NamedField[];
}

/** Takes a request apart. What is neither set up nor done by an agent with its tools is named in `leftOut`. */
export function readRequest(messages: readonly string[], models: readonly string[]): Draft {
  const agent: EditedAgent = { name: "", description: "", skill: "", config: { version: 1 }, autonomy: "approval_required" };
  const draft: Draft = { agent, steps: [], rules: [], leftOut: [], needs: [], plain: [], schedule: "", inputs: [] };
  for (const clause of messages.flatMap((message) => clausesOf(message))) {
    const named = NAMED.exec(clause);
    agent.name = named?.groups?.quoted?.trim() || named?.groups?.bare?.trim() || agent.name;
    draft.schedule = SCHEDULE.exec(clause)?.[1]?.trim() || draft.schedule;
    const text = withoutLeadIn(clause.replace(named?.[0] ?? "", " ").replace(SCHEDULE, " "));
    // `Stop after 2 minutes: find …` sets a limit and then says what to do.
    const [, head = "", tail = ""] = /^([^:]{3,60}):\s+(.+)$/s.exec(text) ?? [];
    const isHead = head !== "" && applyToConfig(agent, head, models) !== null;
    for (const part of isHead ? [tail] : [text]) if (part.length >= 2) readClause(draft, part, models);
  }
  if (draft.schedule) {
    draft.leftOut.push(`${quote(draft.schedule)}: not set up; an agent starts by a schedule that is added to it`);
    draft.needs.push({
      kind: "schedule",
      text: `A schedule for ${quote(draft.schedule)}, on the agent's page or by POST /v1/agents/{agent_id}/schedules.`,
    });
  }
  return draft;
}

function readClause(draft: Draft, said: string, models: readonly string[]): void {
  const { agent, leftOut, plain } = draft;
  const applied = applyToConfig(agent, said, models);
  if (applied) {
    if ("refused" in applied) leftOut.push(`${quote(said)}: ${applied.refused}`);
    return;
  }
  const refused = applyTail(agent, said, models);
  if (refused) leftOut.push(`${quote(said)}: ${refused}`);
  const text = said.replace(/^use \S+\/\S+ (?:to|for|and)\s+/i, "");
  if (ORDERS_TO_MODELS.test(text)) {
    leftOut.push(`${quote(text)}: it speaks to a model and not of the agent`);
    return;
  }
  const isFirst = plain.length === 0;
  plain.push(text);
  if (RULE.test(text) && !isFirst) draft.rules.push(toImperative(text.replace(/^it (?:should|must|shall)\s+/i, "")));
  else draft.steps.push(toImperative(text));
  const output = readOutput(text);
  if (output === "unclear") leftOut.push(`${quote(text)}: the form of the output is not set; it has to be set as \`output_schema\``);
  else if (output) agent.config = { ...agent.config, output_schema: withFields({}, output) };
  const inputs = readInputs(text);
  if (inputs === "unclear") leftOut.push(`${quote(text)}: the inputs are not set up, as their names are not clear`);
  else if (inputs) draft.inputs.push(...inputs);
  // What is forbidden needs nothing.
  const wanted = text
    .replace(/\bwithout (?:any )?tools\b/i, "")
    .replace(/\b(?:never|not|don't|without|avoid|no(?! more| less| fewer| later))\b.*$/i, "")
    .trim();
  const beyond = [...new Set(BEYOND.filter(([words]) => words.test(wanted)).map(([, needs]) => needs))].join("; ");
  const isSetUp = output !== null || inputs !== null;
  const why = wanted === "" ? undefined : beyond || (isSetUp ? undefined : whyOnlyWords(wanted));
  if (why) leftOut.push(`${quote(text)}: ${why}`);
  const document = DOCUMENT.exec(wanted)?.[0];
  if (document && !why)
    draft.needs.push({
      kind: "file",
      text: `Files for ${quote(text)}, in a workspace: what a ${document.toUpperCase()} file says is read, pictures in it and scans are not.`,
    });
  if (why?.includes(CONNECTOR))
    draft.needs.push({ kind: "connector", text: `A connector for ${quote(text)}, with its address, and its secret where it has one.` });
  if (LOOKS.test(wanted) && draft.schedule === "") {
    leftOut.push(`${quote(text)}: it looks only when it is run, which is not set up; add a schedule for that`);
    draft.needs.push({ kind: "schedule", text: `A schedule, or a backend that starts it, for ${quote(text)}.` });
  }
}

const SUBJECT =
  /\b(?:questions?|answers?|summar\w+|digests?|reports?|notes?|lists?|briefs?|analys\w+|research|prices?|news|data|texts?|tables?|documents?)\b/i;
const NO_TOOL = /\b(?:forecast|predict|train|neural|learn)(?:s|ed|ing)?\b/i;
/** A second verb within a clause: `check the queue and page the person`. */
const SECOND = /\b(?:and|then|or)\s+(\p{Ll}+)\s+(?:the|an?|me|us|it|them|my|our|his|her|your)\b/gu;

/** Why a clause that was taken into the skill does nothing there, as far as can be told; undefined when an agent can do it. */
function whyOnlyWords(text: string): string | undefined {
  const words = text.split(/\s+/);
  const seconds = [...text.matchAll(SECOND)].map(([, word = ""]) => word).filter((word) => !isFunctionWord(word));
  if (NO_TOOL.test(text) || seconds.some((word) => !isWorkVerb(word))) return ONLY_WORDS;
  if (isWorkVerb(words[0] ?? "")) return undefined;
  const isUnknown = words.length > 2 && !words.some((word) => isFunctionWord(word.toLowerCase()) || baseVerb(word) !== null);
  if (isUnknown) return "it is not understood, as the built-in model reads plain English only, and stands in the skill as it was said";
  return baseVerb(words[0] ?? "") === null && SUBJECT.test(text) ? undefined : ONLY_WORDS;
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

const MODEL = /\b(?:use|using|on|with|by|run(?:ning)? on) ((?:openai|anthropic|google|compatible|builtin)\/[\w.:-]*\w)/i;

/** `… on openai/gpt-5.1`, `…, read-only`: what is said within a clause that says more. Gives why it could not be set. */
function applyTail(agent: EditedAgent, text: string, models: readonly string[]): string | null {
  for (const tail of [/^.*\b(without asking(?: for approval)?)$/i, /^.*\b(read[- ]only)$/i]) {
    const said = tail.exec(text)?.[1];
    if (said) applyToConfig(agent, said, models);
  }
  const model = MODEL.exec(text)?.[1];
  const applied = model ? applyToConfig(agent, `use ${model}`, models) : null;
  return applied !== null && "refused" in applied ? applied.refused : null;
}
