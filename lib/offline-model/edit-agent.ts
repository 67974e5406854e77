import "server-only";
import { isJsonObject, type JsonObject } from "@/lib/model/json-schema/json-value";
import { type Applied, applyToConfig, EDITS_OF_FORM, type Edit, type EditedAgent } from "./edit-config";
import { capital, isFunctionWord, nameWords, numberOf, ordinalOf, quote, stem, unquote } from "./language";
import { clausesOf, toImperative } from "./read-job";
import { changeItems, type ItemKind, itemsOf, moveItem as moveWholeItem } from "./skill-text";

export interface EditOutcome {
  /** The arguments of `edit_agent`; null when nothing changes. */
  change: JsonObject | null;
  explanation: string;
}

const CAN =
  "It can rename the agent, change its description, tone or language, add, remove, move or replace steps and rules, replace a text or a value in the skill, and set the model, limits, built-in tools, autonomy, inputs, fields of the output and starters.";

/** Applies plain orders to an agent, given as JSON. What it does not understand it says, and changes nothing for it. */
export function editAgent(current: string, request: string, models: readonly string[]): EditOutcome {
  const before = readAgent(current);
  const agent = { ...before, config: structuredClone(before.config) };
  const done: string[] = [];
  const left: string[] = [];
  for (const order of clausesOf(request, beginsOrder)) {
    const applied = applyOrder(agent, order, models);
    if (applied === null) left.push(`${quote(order)} was not understood`);
    else if ("refused" in applied) left.push(`${quote(order)}: ${applied.refused}`);
    else done.push(applied.done);
  }
  const change = difference(before, agent);
  const missed = left.length > 0 ? `Left out: ${left.join("; ")}.` : "";
  if (Object.keys(change).length > 0) {
    const summary = [...done, missed].filter(Boolean).join(" ").slice(0, 1900);
    return { change: { ...change, summary }, explanation: summary };
  }
  const why = done.length > 0 ? "The agent is already like that." : "";
  return {
    change: null,
    explanation: ["Nothing was changed.", why, missed || (why ? "" : "The built-in rule-based model did not understand the request."), CAN]
      .filter(Boolean)
      .join(" "),
  };
}

function applyOrder(agent: EditedAgent, order: string, models: readonly string[]): Applied | null {
  const bare = order
    .replace(/^(?:(?:please|and|also|then|no|okay|ok)[, ]+)+(?=\w+ )/i, (lead) => (/also/i.test(lead) ? "also " : ""))
    .replace(/[.!\s]+$/, "");
  const onConfig = applyToConfig(agent, bare, models);
  if (onConfig !== null) return onConfig;
  if (NO_EDIT.test(bare)) return { refused: "it says what not to change" };
  for (const edit of [...EDITS_OF_FORM, ...TEXT_EDITS]) {
    const applied = edit(agent, bare, models);
    if (applied !== null) return applied;
  }
  return null;
}

/** `Don't rename it` forbids an edit, where `Don't share addresses` is a rule for the agent. */
const NO_EDIT =
  /^(?:do not|don't|never|no need to|stop)\s+(?:rename|remove|delete|drop|change|edit|touch|replace|switch|move|add|set|insert|update|rewrite|undo)/i;

const ORDER =
  /^(?:add|remove|delete|drop|rename|call|name|change|set|make|replace|switch|use|allow|enable|disable|always|never|do|don't|raise|lower|increase|limit|insert|turn|answer|reply|respond|write|speak|be|keep|run|schedule|ask|let|give|take)$/i;

function beginsOrder(first: string, second: string): boolean {
  return second !== "" && (ORDER.test(first) || (first.toLowerCase() === "please" && ORDER.test(second)));
}

function readAgent(current: string): EditedAgent {
  const parsed: unknown = JSON.parse(current);
  const agent = isJsonObject(parsed) ? parsed : {};
  const text = (key: string) => (typeof agent[key] === "string" ? agent[key] : "");
  const config = isJsonObject(agent.config) ? agent.config : { version: 1 };
  return { name: text("name"), description: text("description"), skill: text("skill_content"), config, autonomy: text("write_autonomy") };
}

function difference(before: EditedAgent, after: EditedAgent): JsonObject {
  return {
    ...(after.name !== before.name && { name: after.name }),
    ...(after.description !== before.description && { description: after.description }),
    ...(after.skill !== before.skill && { skill_content: after.skill }),
    ...(JSON.stringify(after.config) !== JSON.stringify(before.config) && { config: after.config }),
    ...(after.autonomy !== before.autonomy && { write_autonomy: after.autonomy }),
  };
}

const editDescription: Edit = (agent, order) => {
  const text =
    /^(?:change|set|update|make|replace|rewrite)\s+(?:the |its )?description\s*(?:\bto\b|\bas\b|\binto\b|\bsay\b|\bread\b|\bwith\b|:)\s*:?\s*(.+)$/is.exec(
      order,
    )?.[1];
  if (!text) return null;
  agent.description = unquote(text);
  return { done: "Changed the description." };
};

const editName: Edit = (agent, order) => {
  const found =
    /^(?:rename)\s+(?:it|this|(?:this |the )?agent)?\s*(?:to|as|into)\s*:?\s+(.+)$/is.exec(order) ??
    /^(?:change|set|update)\s+(?:the |its |this )?(?:agent's )?(?:name|title)\s*(?:to|as|:)\s*(.+)$/is.exec(order) ??
    /^(?:call|name)\s+(?:it|this|(?:this |the )?agent)\s+(.+)$/is.exec(order);
  const name = unquote((found?.[1] ?? "").replace(/\s+instead$/i, ""))
    .slice(0, 255)
    .trim();
  if (name === "") return null;
  agent.skill = agent.skill.replace(/^# .*$/m, (heading) => (heading === `# ${agent.name}` ? `# ${name}` : heading));
  agent.name = name;
  return { done: `Renamed the agent to ${quote(name)}.` };
};

const SCHEDULE =
  /^(?:(?:run|start|execute)(?: it| the agent)?|schedule it(?: for| to run)?|let it run|make it run|(?:change|set|add) (?:the |a |its )?schedule(?: to| for|:)?)\s+(?:every|each|daily|weekly|hourly|monthly|at|on)\b/i;

const editSchedule: Edit = (_, order) =>
  SCHEDULE.test(order)
    ? { refused: "an edit sets no schedule; add one on the agent's page or with POST /v1/agents/{agent_id}/schedules" }
    : null;

export function scheduleNote(wanted: string): string {
  return `Asked for: ${wanted}. A skill does not start itself; add a schedule to the agent for that.`;
}

const editTone: Edit = (agent, order) => {
  const tone =
    /^(?:change|set|make|keep|use)?\s*(?:the |its )?(?:tone|style|voice)\s*(?:should be|to be|to|is|as|:)?\s+((?:more |less |very )?[\p{L}-]+(?:(?:,| and) [\p{L}-]+)*)$/iu.exec(
      order,
    )?.[1] ??
    /^(?:use|adopt|write in|answer in|change to)\s+an?\s+((?:more |less |very )?[\p{L}-]+(?:(?:,| and) [\p{L}-]+)*)\s+(?:tone|style|voice)$/iu.exec(
      order,
    )?.[1] ??
    /^(?:make (?:it|the agent|its answers|the answers) (?:sound )?|be )((?:(?:much |a bit |a little )?(?:more|less) [\p{L}-]+|[\p{L}]+(?:er|ly|al|ise|ief))(?:(?:,| and) [\p{L}-]+)*)$/iu.exec(
      order,
    )?.[1];
  if (!tone) return null;
  setNamedRule(agent, /^Tone: /, `Tone: ${tone}.`);
  return { done: `The tone is now: ${tone}.` };
};

const editLanguage: Edit = (agent, order) => {
  const language =
    /^(?:(?:always )?(?:answer|reply|respond|write|speak)(?: everything| its answers)?|(?:change|switch|set) (?:the |its )?language)\s+(?:in|to)\s+(\p{Lu}\p{Ll}+)$/u.exec(
      capital(order).replace(/^\p{Lu}/u, (letter) => letter.toLowerCase()),
    )?.[1];
  if (!language) return null;
  setNamedRule(agent, /^Answer in \p{Lu}\p{L}+\.?$/u, `Answer in ${language}.`);
  return { done: `It is told to answer in ${language}.` };
};

/** Sets the one rule of its kind, in place of the former one. */
function setNamedRule(agent: EditedAgent, kind: RegExp, rule: string): void {
  const rules = itemsOf(agent.skill, "rule");
  const at = rules.findIndex((text) => kind.test(text));
  agent.skill = changeItems(agent.skill, "rule", at < 0 ? rules.length : at, at < 0 ? 0 : 1, [rule]);
}

const removeItem: Edit = (agent, order) => {
  const found = /^(?:remove|delete|drop|take out|cut)\s+(?:the\s+)?(.*?)\b(step|rule)\b\s*(.*)$/i.exec(order);
  if (!found) return null;
  const kind = kindOf(found[2]);
  const place = placeOf(agent.skill, kind, `${found[1] ?? ""} ${found[3] ?? ""}`);
  if (place === null) return { refused: `there is no one ${kind} that it means` };
  const gone = itemsOf(agent.skill, kind)[place] ?? "";
  agent.skill = changeItems(agent.skill, kind, place, 1, []);
  return { done: `Removed the ${kind} ${quote(gone)}.` };
};

const replaceItem: Edit = (agent, order) => {
  const found =
    /^(?:replace|change|rewrite|update|set)\s+(?:the\s+)?(.*?)\b(step|rule)\b\s*(.*?)\s*(?:\b(?:with|by|to|so that it says|into)\b|:)\s*(.+)$/is.exec(
      order,
    );
  if (!found) return null;
  const kind = kindOf(found[2]);
  const place = placeOf(agent.skill, kind, `${found[1] ?? ""} ${found[3] ?? ""}`);
  if (place === null) return { refused: `there is no one ${kind} that it means` };
  const text = toImperative(unquote(found[4] ?? ""));
  agent.skill = changeItems(agent.skill, kind, place, 1, [text]);
  return { done: `Replaced ${kind} ${place + 1} with ${quote(text)}.` };
};

const moveItem: Edit = (agent, order) => {
  const found =
    /^move\s+(?:the\s+)?(.*?)\b(step|rule)\b\s*(.*?)\s*\b(?:to the (top|start|beginning|end|bottom)|(before|after) (?:the )?(?:step |rule )?(\w+)(?: step| rule)?)$/i.exec(
      order,
    );
  if (!found) return null;
  const kind = kindOf(found[2]);
  const from = placeOf(agent.skill, kind, `${found[1] ?? ""} ${found[3] ?? ""}`);
  const count = itemsOf(agent.skill, kind).length;
  const edge = found[4]?.toLowerCase();
  const to = edge === undefined ? insertPlace(found[5], found[6], count) : /^(?:end|bottom)$/.test(edge) ? count : 0;
  if (from === null || to === null || to > count) return { refused: `there is no one ${kind} that it means` };
  agent.skill = moveWholeItem(agent.skill, kind, from, to);
  return { done: `Moved ${kind} ${from + 1} to place ${to > from ? to : to + 1}.` };
};

/** `Replace “a” with “b”`, where the skill says the former exactly once. */
const replaceText: Edit = (agent, order) => {
  const [, from, to] = /^(?:replace|change)\s+["“]([^"”]{2,})["”]\s+(?:with|to|by)\s+["“]([^"”]*)["”]$/i.exec(order) ?? [];
  if (from === undefined || to === undefined) return null;
  const parts = agent.skill.split(from);
  if (parts.length !== 2) return { refused: `the skill says ${quote(from)} ${parts.length - 1} times; it has to be exactly one place` };
  agent.skill = parts.join(to);
  return { done: `Replaced ${quote(from)} with ${quote(to)}.` };
};

/** `Change the days for food from 2 to 3`: one line of the skill that names the thing and holds the former value once. */
const replaceValue: Edit = (agent, order) => {
  const [, about = "", from, to] =
    /^(?:change|set|raise|lower|update)\s+(?:the\s+)?(.+?)\s+from\s+(\S{1,40})\s+to\s+(\S{1,40})(?:\s+in\s+.+)?$/i.exec(order) ?? [];
  if (from === undefined || to === undefined) return null;
  const words = nameWords(about)
    .filter((word) => !isFunctionWord(word))
    .map(stem);
  const value = new RegExp(`(?<![\\p{L}\\p{N}])${from.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\p{L}\\p{N}])( *)`, "gu");
  const lines = agent.skill.split("\n");
  const places = lines.flatMap((line, at) => {
    const own = nameWords(line).map(stem);
    return words.some((word) => own.includes(word)) && (line.match(value) ?? []).length === 1 ? [at] : [];
  });
  const [place] = places;
  if (place === undefined || places.length > 1) return { refused: `no one line of the skill says ${quote(from)} of ${quote(about)}` };
  // A table keeps its width.
  lines[place] = (lines[place] ?? "").replace(value, (found, gap: string) => (gap.length > 1 ? to.padEnd(found.length) : `${to}${gap}`));
  agent.skill = lines.join("\n");
  return { done: `Changed ${quote(from)} to ${quote(to)} in ${quote(lines[place] ?? "")}.` };
};

const addItem: Edit = (agent, said) => {
  const order = said
    .replace(/\b(step|rule)\s+(?:at|to) the (?:end|bottom)\b/i, "$1")
    .replace(/\bstep\s+(?:at|to) the (?:start|beginning|top)\b/i, "first step")
    .replace(/^(add|insert) an? (?=first step)/i, "$1 a ");
  const step =
    /^(?:add|insert|append|include)\s+(?:an? |another |one more |the )?(?:new |further |extra )?(first|last|final)?\s*step\b\s*(?:(before|after|as)\s+(?:the\s+)?(?:step\s+)?(\w+)(?:\s+step)?)?\s*(?:[:,]|\bthat\b|\bto\b|\bwhich\b)?\s*(.+)$/is.exec(
      order,
    ) ?? /^()()()(?:also|additionally|(?:it|the agent) should also|let it also|make it also|have it also)\s+(.+)$/is.exec(order);
  const rule =
    /^(?:add|include)\s+(?:a |the )?(?:new )?rule\b\s*(?:[:,]|\bthat\b|\bto\b)?\s*(.+)$/is.exec(order)?.[1] ??
    /^(?:it (?:should|must) )?((?:always|never|do not|don't|make sure|ensure|avoid)\b.+)$/is.exec(order)?.[1];
  const text = toImperative(unquote(rule ?? step?.[4] ?? ""));
  if (text === "") return null;
  const kind = rule === undefined ? "step" : "rule";
  const count = itemsOf(agent.skill, kind).length;
  const place = rule !== undefined ? count : step?.[1]?.toLowerCase() === "first" ? 0 : insertPlace(step?.[2], step?.[3], count);
  if (place === null) return { refused: `there is no step ${step?.[3]}` };
  agent.skill = changeItems(agent.skill, kind, place, 0, [text]);
  return { done: `Added ${kind} ${place + 1}: ${quote(text)}.` };
};

const TEXT_EDITS: readonly Edit[] = [
  editDescription,
  editName,
  removeItem,
  moveItem,
  replaceText,
  replaceItem,
  replaceValue,
  editSchedule,
  editLanguage,
  editTone,
  addItem,
];

function kindOf(word: string | undefined): ItemKind {
  return word?.toLowerCase() === "rule" ? "rule" : "step";
}

/** A place by its number, its ordinal or words that only one item holds most of. */
function placeOf(skill: string, kind: ItemKind, reference: string): number | null {
  const items = itemsOf(skill, kind);
  if (/\b(?:last|final)\b/i.test(reference)) return items.length > 0 ? items.length - 1 : null;
  const number = (reference.match(/\w+/g) ?? []).map((word) => ordinalOf(word) ?? numberOf(word)).find((found) => found !== null);
  if (number !== undefined && number !== null) return number >= 1 && number <= items.length ? number - 1 : null;
  const wordsOf = (text: string) => nameWords(text).map(stem);
  const wanted = wordsOf(reference).filter((word) => !/^(?:the|a|an|about|that|which|on|with|where|say|it)$/.test(word));
  const scores = items.map((item) => wanted.filter((word) => wordsOf(item).includes(word)).length);
  const best = Math.max(0, ...scores);
  return best === 0 || best < wanted.length || scores.filter((score) => score === best).length > 1 ? null : scores.indexOf(best);
}

function insertPlace(relation: string | undefined, reference: string | undefined, count: number): number | null {
  if (!reference) return count;
  const isBefore = relation?.toLowerCase() === "before";
  if (/^(?:last|final|end)$/i.test(reference)) return isBefore ? Math.max(0, count - 1) : count;
  const number = ordinalOf(reference) ?? numberOf(reference);
  if (number === null || number < 1 || number > count + 1) return null;
  return relation?.toLowerCase() === "after" ? number : number - 1;
}
