import "server-only";
import type { AgentEdit, AgentEditing } from "./agent-editing";
import { numberOf } from "./table/question-words";
import { toImperative } from "./to-imperative";
import { stem, wordsOf } from "./words";

const ORDINALS: Record<string, number> = {
  first: 1,
  second: 2,
  third: 3,
  fourth: 4,
  fifth: 5,
  sixth: 6,
  seventh: 7,
  eighth: 8,
  ninth: 9,
  tenth: 10,
};

const removeItem: AgentEdit = (agent, order) => {
  const found = /^(?:remove|delete|drop|take out|cut)\s+(?:the\s+)?(.*?)\b(step|rule)s?\b\s*(.*)$/i.exec(order);
  if (!found) return false;
  const kind = found[2]?.toLowerCase() === "rule" ? "Rules" : "Steps";
  const place = placeOf(agent, kind, `${found[1] ?? ""} ${found[3] ?? ""}`);
  if (place === null) return say(agent, `There is no such ${found[2]?.toLowerCase()} to remove.`);
  const gone = listItems(agent.skill, kind)[place];
  agent.skill = changeItems(agent.skill, kind, (items) => items.filter((_, index) => index !== place));
  return say(agent, `Removed the ${found[2]?.toLowerCase()} “${gone}”.`);
};

const replaceItem: AgentEdit = (agent, order) => {
  const found =
    /^(?:replace|change|rewrite|update|set)\s+(?:the\s+)?(.*?)\b(step|rule)\b\s*(.*?)\s*(?:\b(?:with|by|to|so that it says|into)\b|:)\s*(.+)$/is.exec(
      order,
    );
  if (!found) return false;
  const kind = found[2]?.toLowerCase() === "rule" ? "Rules" : "Steps";
  const place = placeOf(agent, kind, `${found[1] ?? ""} ${found[3] ?? ""}`);
  if (place === null) return say(agent, `There is no such ${found[2]?.toLowerCase()} to replace.`);
  const text = toItem(found[4] ?? "");
  agent.skill = changeItems(agent.skill, kind, (items) => items.map((item, index) => (index === place ? text : item)));
  return say(agent, `Replaced ${found[2]?.toLowerCase()} ${place + 1} with “${text}”.`);
};

const addStep: AgentEdit = (agent, order) => {
  const found =
    /^(?:add|insert|append|include)\s+(?:a |an |another |one more |the )?(?:new |further |extra )?(first|last|final)?\s*step\b\s*(?:(before|after|as)\s+(?:the\s+)?(?:step\s+)?(\w+)(?:\s+step)?)?\s*(?:[:,]|\bthat\b|\bto\b|\bwhich\b)?\s*(.+)$/is.exec(
      order,
    ) ?? /^()()()(?:also|additionally|it should also|the agent should also|let it also|make it also|have it also)\s+(.+)$/is.exec(order);
  const text = toItem(found?.[4] ?? "");
  if (!found || text === "") return false;
  const items = listItems(agent.skill, "Steps");
  const place = found[1]?.toLowerCase() === "first" ? 0 : insertPlace(found[2], found[3], items.length);
  agent.skill = changeItems(agent.skill, "Steps", (steps) => [...steps.slice(0, place), text, ...steps.slice(place)]);
  return say(agent, `Added step ${place + 1}: “${text}”.`);
};

const addRule: AgentEdit = (agent, order) => {
  const found =
    /^(?:add|include)\s+(?:a |an |the )?(?:new )?rule\b\s*(?:[:,]|\bthat\b|\bto\b)?\s*(.+)$/is.exec(order) ??
    /^((?:it (?:should|must) )?(?:always|never|do not|don't|make sure|ensure|avoid)\b.+)$/is.exec(order);
  const text = toItem((found?.[1] ?? "").replace(/^it (?:should|must) /i, ""));
  if (!found || text === "") return false;
  agent.skill = changeItems(agent.skill, "Rules", (rules) => [...rules, text]);
  return say(agent, `Added the rule “${text}”.`);
};

const changeLanguage: AgentEdit = (agent, order) => {
  const language =
    /\b(?:in|to|language:?)\s+(English|German|French|Spanish|Italian|Portuguese|Dutch|Polish|Russian|Turkish|Arabic|Hindi|Chinese|Japanese|Korean|Swedish|Danish|Norwegian|Finnish|Greek|Czech|Ukrainian|Hebrew|Vietnamese|Thai|Indonesian)\b/i.exec(
      order,
    )?.[1];
  if (!language || !/\b(?:answer|reply|respond|write|speak|language|report|switch|change|make)\b/i.test(order)) return false;
  agent.skill = setNamedRule(
    agent.skill,
    /^Answer in \p{Lu}\p{L}+\.?$/u,
    `Answer in ${language.charAt(0).toUpperCase()}${language.slice(1)}.`,
  );
  return say(agent, `It is told to answer in ${language}.`);
};

const changeTone: AgentEdit = (agent, order) => {
  const found =
    /\b(?:tone|style|voice)\b\s*(?:should be|to be|to|is|as|:|=)\s*(?:more\s+|be\s+)?(.+?)[.!]?$/i.exec(order) ??
    /\b(?:use|with|adopt|write in|answer in|change to|make it)\s+an?\s+(.+?)\s+(?:tone|style|voice)\b/i.exec(order) ??
    /^(?:make|keep|be)\s+(?:it|the agent|its answers?|the answers?|answers?|the tone)?\s*(?:sound\s+)?((?:(?:much|a bit|a little|very)\s+)?(?:more|less)?\s*(?:formal|informal|friendly|friendlier|concise|brief|short|shorter|long|longer|detailed|polite|casual|professional|playful|funny|serious|direct|plain|simple|simpler|technical|warm|neutral|cheerful|strict)(?:(?:,| and)\s+\w+)*)[.!]?$/i.exec(
      order,
    );
  const tone = found?.[1]?.trim();
  if (!tone || tone.length > 120) return false;
  agent.skill = setNamedRule(agent.skill, /^Tone: /, `Tone: ${tone}.`);
  return say(agent, `The tone is now: ${tone}.`);
};

const SCHEDULE =
  /\b(?:every|each)\s+(?:(?:other\s+)?\w+day|morning|evening|night|day|week|month|hour|quarter)\b.*|\b(?:daily|weekly|hourly|monthly)\b.*/i;

const changeSchedule: AgentEdit = (agent, order) => {
  const wanted = /^(?:run|schedule|start|let it run|change the schedule|set (?:the |a )?schedule|make it run|execute)\b/i.test(order)
    ? SCHEDULE.exec(order)?.[0]?.replace(/[.!]+$/, "")
    : undefined;
  if (!wanted) return false;
  agent.skill = setSection(
    agent.skill,
    "Schedule",
    `Asked for: ${wanted}. A skill does not start itself; add a schedule to the agent for that.`,
  );
  return say(agent, `Noted the wanted times (“${wanted}”) in the skill; the schedule itself is set on the agent's schedules.`);
};

/** Orders about the skill. */
export const skillEdits: readonly AgentEdit[] = [removeItem, replaceItem, changeSchedule, changeLanguage, changeTone, addStep, addRule];

function say(agent: AgentEditing, sentence: string): true {
  agent.done.push(sentence);
  return true;
}

function toItem(text: string): string {
  const bare = text
    .trim()
    .replace(/^["“](.*)["”]\.?$/s, "$1")
    .replace(/\s+/g, " ")
    .trim();
  return bare === "" ? "" : toImperative(bare);
}

/** A place by its number, its ordinal or words that only one item holds. */
function placeOf(agent: AgentEditing, kind: "Steps" | "Rules", reference: string): number | null {
  const items = listItems(agent.skill, kind);
  const lower = reference.toLowerCase();
  if (/\b(?:last|final)\b/.test(lower)) return items.length > 0 ? items.length - 1 : null;
  const ordinal = Object.entries(ORDINALS).find(([word]) => new RegExp(`\\b${word}\\b`).test(lower))?.[1];
  const digits = /\b(\d{1,3})\b/.exec(lower)?.[1];
  const number = ordinal ?? (digits ? Number(digits) : null);
  if (number !== null) return number >= 1 && number <= items.length ? number - 1 : null;
  return findItem(items, reference.replace(/\b(?:about|that|which|says?|on|with|where|it|the)\b/gi, " "));
}

function insertPlace(relation: string | undefined, reference: string | undefined, count: number): number {
  const word = reference?.toLowerCase() ?? "";
  if (/^(?:last|final|end)$/.test(word)) return relation?.toLowerCase() === "before" ? Math.max(0, count - 1) : count;
  const number = ORDINALS[word] ?? numberOf(word);
  if (number === null || number === undefined) return count;
  const place = relation?.toLowerCase() === "after" ? number : number - 1;
  return Math.max(0, Math.min(count, place));
}

const ITEM = /^(\s*)(?:[-*+]|\d+[.)])\s+(.*)$/;

interface Section {
  lines: string[];
  /** First and one past the last line of what stands under the heading; null when there is no such heading. */
  body: { start: number; end: number } | null;
}

/** The list items under a heading. */
function listItems(skill: string, heading: string): string[] {
  const { lines, body } = findSection(skill, heading);
  if (body === null) return [];
  return lines.slice(body.start, body.end).flatMap((line) => {
    const found = ITEM.exec(line);
    return found && found[1] === "" ? [found[2] ?? ""] : [];
  });
}

/** Rewrites the list under a heading, numbered for steps; makes the section when it is not there. Other lines stay. */
function changeItems(skill: string, heading: string, change: (items: string[]) => string[]): string {
  const items = change(listItems(skill, heading));
  const list = items.map((item, index) => (heading === "Steps" ? `${index + 1}. ${item}` : `- ${item}`));
  const { lines, body } = findSection(skill, heading);
  if (body === null) return `${skill.trimEnd()}\n\n## ${heading}\n\n${list.join("\n")}\n`;
  const inside = lines.slice(body.start, body.end);
  const first = inside.findIndex((line) => ITEM.exec(line)?.[1] === "");
  const rest = inside.filter((line) => ITEM.exec(line)?.[1] !== "");
  const at = first < 0 ? rest.length : first;
  const next = first < 0 ? [...rest, ...list, ""] : [...rest.slice(0, at), ...list, ...rest.slice(at)];
  return [...lines.slice(0, body.start), ...next, ...lines.slice(body.end)].join("\n");
}

/** Sets the one rule of its kind, in place of the former one. */
function setNamedRule(skill: string, kind: RegExp, rule: string): string {
  return changeItems(skill, "Rules", (rules) => [...rules.filter((existing) => !kind.test(existing)), rule]);
}

/** Sets what stands under a heading. */
function setSection(skill: string, heading: string, text: string): string {
  const { lines, body } = findSection(skill, heading);
  if (body === null) return `${skill.trimEnd()}\n\n## ${heading}\n\n${text}\n`;
  return [...lines.slice(0, body.start), "", text, "", ...lines.slice(body.end)].join("\n");
}

/** The item that shares most words with a reference; null when none does, or two do alike. */
function findItem(items: readonly string[], reference: string): number | null {
  const stems = (text: string) =>
    wordsOf(text)
      .filter((word) => word.length > 2)
      .map(stem);
  const wanted = new Set(stems(reference));
  const scores = items.map((item) => new Set(stems(item).filter((word) => wanted.has(word))).size);
  const best = Math.max(0, ...scores);
  return best === 0 || scores.filter((score) => score === best).length > 1 ? null : scores.indexOf(best);
}

function findSection(skill: string, heading: string): Section {
  const lines = skill.split("\n");
  const wanted = new RegExp(`^(#{1,6})\\s+(?:the\\s+)?${heading.replace(/s$/, "")}s?\\b`, "i");
  const at = lines.findIndex((line) => wanted.test(line));
  if (at < 0) return { lines, body: null };
  const level = /^#+/.exec(lines[at] ?? "")?.[0].length ?? 1;
  const next = lines.findIndex((line, index) => index > at && (/^#+/.exec(line)?.[0].length ?? 9) <= level);
  return { lines, body: { start: at + 1, end: next < 0 ? lines.length : next } };
}
