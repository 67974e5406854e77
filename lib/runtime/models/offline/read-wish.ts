import "server-only";
import { baseVerb, toImperative } from "./to-imperative";
import { sentencesOf } from "./words";

/** A request for an agent, taken apart. */
export interface Wish {
  /** What the agent is to do, without the words that ask for one. */
  goal: string;
  /** The name that the person gave it. */
  name: string | null;
  steps: string[];
  rules: string[];
  schedule: string | null;
  language: string | null;
}

const READ_MAX_CHARACTERS = 8000;
const STEPS_MAX = 12;
const LEAD_IN =
  /^(?:(?:please|hi|hello|hey)[,!.]?\s+)*(?:(?:can|could|would) you (?:please )?)?(?:(?:i|we) (?:want|need|would like|'d like)(?: (?:you )?to have)?\s+|(?:create|make|build|set up|generate|design|write|give me|give us|develop)(?: me| us)?\s+)?(?:(?:an?|the|my|our|one)\s+)?(?:(?:new|simple|small|smart|helpful|personal|ai|good)\s+)*(?:[\p{L}-]+\s+){0,3}?(?:agent|assistant|bot|helper)\b\s*/iu;
const NAMED =
  /\b(?:[Cc]alled|[Nn]amed|with the name|[Nn]ame it|[Cc]all it)\s+(?:["“'](?<quoted>[^"”']{1,80})["”']|(?<bare>\p{Lu}[\p{L}\p{N}&-]*(?:\s+\p{Lu}[\p{L}\p{N}&-]*){0,5}))/u;
const RULE =
  /^(?:it (?:should |must |shall )?)?(?:always|never|do not|don't|avoid|make sure|ensure|be |keep |use (?:a |an )?[\p{L}\s,]{0,40}(?:tone|style|language)|answer in|reply in|write in|respond in|only )/iu;
/** What says only how freely it may act is kept in `write_autonomy`. */
const ABOUT_AUTONOMY = /^.{0,60}\b(?:without asking|read[- ]only|fully automatic(?:ally)?|no approval|on its own)\b.{0,20}$/i;
/** The same lead-in in three more languages. */
const FOREIGN_LEAD_IN =
  /^(?:bitte\s+)?(?:erstelle|baue|mache?|schreibe|ich (?:brauche|möchte|will))(?:\s+mir)?\s+einen?\s+(?:[\p{L}-]+\s+){0,2}?(?:agenten?|assistenten?|bot)\b[\s,]*(?:der|die|das|um|für)?\s*|^(?:s'il (?:te|vous) pla[iî]t,?\s+)?(?:cr[ée]{1,2}[rz]?|fais|faites)(?:[- ]moi)?\s+un\s+(?:[\p{L}-]+\s+){0,2}?(?:agent|assistant)\b[\s,]*(?:qui|pour)?\s*|^(?:por favor,?\s+)?(?:crea|haz|quiero|necesito)(?:me)?\s+un\s+(?:[\p{L}-]+\s+){0,2}?(?:agente|asistente)\b[\s,]*(?:que|para)?\s*/iu;
const SCHEDULE =
  /\b(?:every|each)\s+(?:(?:other\s+)?(?:mon|tues|wednes|thurs|fri|satur|sun)day|morning|evening|night|day|weekday|week|month|hour|quarter|year)s?\b(?:\s+(?:at|by)\s+\d{1,2}(?::\d\d)?\s*(?:am|pm|o'clock)?)?|\b(?:daily|weekly|hourly|nightly|monthly)\b(?=\s+(?:at|by|on)\b|\s*[.,;!]|\s*$)(?:\s+at\s+\d{1,2}(?::\d\d)?\s*(?:am|pm)?)?/im;
const LANGUAGE =
  /\b(?:in|into)\s+(English|German|French|Spanish|Italian|Portuguese|Dutch|Polish|Russian|Turkish|Arabic|Hindi|Chinese|Japanese|Korean|Swedish|Danish|Norwegian|Finnish|Greek|Czech)\b/;

/** Reads everything that was said about the agent, oldest first. */
export function readWish(messages: readonly string[]): Wish {
  const text = messages.join("\n").slice(0, READ_MAX_CHARACTERS);
  const named = [...messages]
    .reverse()
    .map((message) => NAMED.exec(message.slice(0, READ_MAX_CHARACTERS))?.groups)
    .find(Boolean);
  const parts = messages
    .flatMap((message) => sentencesOf(message.slice(0, READ_MAX_CHARACTERS)))
    .map(stripLeadIn)
    .filter((part) => part.length > 1);
  const rules = parts.slice(1).filter((part) => RULE.test(part));
  const goals = parts.filter((part, index) => !rules.includes(part) && (index === 0 || !ABOUT_AUTONOMY.test(part)));
  return {
    goal: trimEnd(goals[0] ?? rules[0] ?? text.trim()),
    name: named?.quoted?.trim() ?? named?.bare?.trim() ?? null,
    steps: [...new Set(goals.flatMap(splitSteps))].slice(0, STEPS_MAX),
    rules: rules.map((rule) => toImperative(trimEnd(rule.replace(/^it (?:should|must|shall)\s+/i, "")))),
    schedule: SCHEDULE.exec(text)?.[0] ?? null,
    language: LANGUAGE.exec(text)?.[1] ?? null,
  };
}

function stripLeadIn(sentence: string): string {
  const named = NAMED.exec(sentence);
  const unnamed = named ? sentence.replace(named[0], " ") : sentence;
  const rest = unnamed
    .replace(/\s+/g, " ")
    .trim()
    .replace(LEAD_IN, "")
    .replace(FOREIGN_LEAD_IN, "")
    .replace(
      /^(?:and\s+)?(?:(?:that|which|who)\s+(?:can\s+|will\s+|should\s+|could\s+)?|to\s+(?:help\s+(?:me|us)\s+(?:to\s+)?)?|for\s+(?:the\s+)?|(?:it|the agent|this agent)\s+(?:should|must|will|can|shall)\s+(?:also\s+)?|(?:also|then|and|finally|please)[, ]\s*)+/i,
      "",
    )
    .replace(/^(?:be able to|also|(?:let|have|make) (?:it|the agent)(?: also)?)\s+/i, "");
  return /^[\s.,!?]*$/.test(rest) ? "" : rest.trim();
}

/** Clauses that start with a verb of their own become steps of their own. */
function splitSteps(goal: string): string[] {
  const pieces = goal.split(/\s*(?:;|,?\s+\b(?:and then|and finally|and also|then|finally|and)\b|,)\s+/i);
  const steps: string[] = [];
  const joints = goal.match(/\s*(?:;|,?\s+\b(?:and then|and finally|and also|then|finally|and)\b|,)\s+/gi) ?? [];
  for (const [index, piece] of pieces.entries()) {
    const startsAnew = index === 0 || isAction(piece);
    if (startsAnew) steps.push(piece);
    else steps[steps.length - 1] = `${steps.at(-1) ?? ""}${joints[index - 1] ?? " "}${piece}`;
  }
  return steps.map((step) => toImperative(trimEnd(step))).filter((step) => step.length > 2);
}

/** Whether a piece is a clause, and not one more item of a list (`count, sum and average of price`). */
function isAction(piece: string): boolean {
  const [first = "", second = ""] = piece.split(/\s+/);
  if (baseVerb(first) === null || second === "") return false;
  const isFigure =
    /^(?:count|sum|total|average|share|state|rank|rate|order|group|list|name|note|report|record|score|mark|label|measure|test|plan|post|log|tag|process)s?$/i.test(
      first,
    );
  return (
    !isFigure || /^(?:the|a|an|all|each|every|them|it|its|their|any|how|which|what|by|your|our|my)$/i.test(second) || /s$/i.test(first)
  );
}

function trimEnd(text: string): string {
  return text.trim().replace(/[.,;:!\s]+$/, "");
}
