import "server-only";
import { isJsonObject, type JsonObject } from "@/lib/model/json-schema/json-value";
import { applyToConfig, EDITS_OF_FORM } from "./edit-config";
import { editFact } from "./edit-facts";
import {
  addItem,
  addLoose,
  addToList,
  moveItem,
  removeItem,
  replaceItem,
  setNamedRule,
} from "./edit-lists";
import { addRow, addToSection, removeRow, removeSection, renameHeading } from "./edit-parts";
import { capital, isFunctionWord, quote } from "./language";
import { type Applied, type Edit, type EditedAgent, said, shield, unshield } from "./order";
import { replaceText } from "./replace-text";
import { takenBack } from "./what-lacks";

export interface EditOutcome {
  /** The arguments of `edit_agent`; null when nothing changes. */
  change: JsonObject | null;
  explanation: string;
}

const CAN =
  "It can rename the agent, change its description, tone or language, add, remove, move or replace steps, rules and items of lists, add and remove sections and rows of tables, replace a text or a value in the skill, and set the model, limits, built-in tools, autonomy, inputs, fields of the output and starters.";

/**
 * Applies plain orders to an agent, given as JSON. Each order is done as a whole or not at all: one
 * with a word that is not understood changes nothing and is named, beside those that are done. One
 * that says what not to change binds the others, so that nothing is done.
 */
export function editAgent(
  current: string,
  request: string,
  models: readonly string[],
): EditOutcome {
  const back = takenBack(
    request.slice(0, REQUEST_MAX_CHARACTERS).replace(/["“][^"”\n]*["”]/g, "“”"),
  );
  if (back !== null)
    return {
      change: null,
      explanation: `Nothing was changed. The order takes back something that it said before (${quote(back)}): please say it once more, only as it is meant now.`,
    };
  const before = readAgent(current);
  const agent = { ...before, config: structuredClone(before.config) };
  const done: string[] = [];
  const left: string[] = [];
  const orders = ordersOf(shield(request.slice(0, REQUEST_MAX_CHARACTERS))).filter(
    (order, _, all) => all.length === 1 || !KEEPS_REST.test(bareOrder(order)),
  );
  const forbids = orders.some((order) => NO_EDIT.test(bareOrder(order)));
  for (const order of orders) {
    const shown = quote(unshield(order));
    const applied = applyOrder(agent, bareOrder(order), models);
    if (applied === null && ECHO.test(bareOrder(order)) && done.length > 0) continue;
    if (applied === null) left.push(`${shown} was not understood`);
    else if ("refused" in applied) left.push(`${shown}: ${applied.refused}`);
    else done.push(applied.done);
  }
  const change = difference(before, agent);
  const missed = left.length > 0 ? `Left out: ${left.join("; ")}.` : "";
  if (Object.keys(change).length > 0 && !forbids) {
    const summary = [...done, missed].filter(Boolean).join(" ").slice(0, 1900);
    return { change: { ...change, summary }, explanation: summary };
  }
  const why =
    forbids && done.length > 0
      ? "What must not change binds the rest; say only what is to change."
      : done.length > 0
        ? "The agent is already like that."
        : "";
  return {
    change: null,
    explanation: [
      "Nothing was changed.",
      why,
      missed || (why ? "" : "The built-in rule-based model did not understand the request."),
      CAN,
    ]
      .filter(Boolean)
      .join(" "),
  };
}

const REQUEST_MAX_CHARACTERS = 8000;

/** An order without the words of politeness around it. */
function bareOrder(order: string): string {
  const lead =
    /^(?:(?:please|and|but|then|no|okay|ok|hi|hello|now|from now on|as of now|i (?:want|would like|'d like) (?:you )?to|(?:can|could|would|will) you(?: please)?)[, ]+)*/i;
  const rest = order.replace(lead, "");
  // A text stays as it was said.
  if (TEXT.test(rest)) return rest;
  const bare = rest.replace(/[.!\s]+$/, "");
  const ask = /^(?:can|could|would|will) you/i.test(order.trim()) ? bare.replace(/\?$/, "") : bare;
  return ask
    .replace(
      /(?:,? (?:please|thanks|thank you|from now on|as of now|now|too|as well|for me))+$/i,
      "",
    )
    .replace(/[.!,\s]+$/, "");
}

function applyOrder(agent: EditedAgent, order: string, models: readonly string[]): Applied | null {
  if (NO_EDIT.test(order) || KEEPS_REST.test(order))
    return { refused: "it says what not to change" };
  if (UNDO.test(order))
    return {
      refused:
        "an edit brings no earlier version back; restore one on the agent's page under its versions, or with POST /v1/agents/{agent_id}/versions/{version_id}/restore",
    };
  // `In the prices table, remove the row …` is `remove the row … in the prices table`.
  const [, scope, rest] =
    /^(in (?:the )?[^,:“”]{1,60}(?:table|section|list|steps|rules)),? ((?:add|remove|delete|drop|move|insert)\b.+)$/i.exec(
      order,
    ) ?? [];
  const whole = scope && rest && !rest.includes(":") ? `${rest} ${scope}` : order;
  const plain = whole
    .replace(
      /^((?:between|before|after) [^:“”,]{1,80}?),? ((?:add|insert|put) an? (?:\w+ )?(?:step|rule))\b(?= ?[:“])/i,
      "$2 $1",
    )
    .replace(
      /^(?:also|additionally),? (?=add|remove|delete|drop|rename|call|name|change|set|make|replace|use|allow|enable|disable|turn|raise|lower|let|limit|give|move)/i,
      "",
    );
  // A creation reads this as a part of what the agent does.
  const forbidden = plain.replace(
    /^(?:do not|don't|never) (?=search|browse|fetch|run code|(?:write|make) files)/i,
    "do not let it ",
  );
  const onConfig = applyToConfig(agent, unshield(forbidden), models);
  if (onConfig !== null) return onConfig;
  const edits = [
    ...TEXT_EDITS.slice(0, BEFORE_FORM),
    ...EDITS_OF_FORM.map(
      (edit): Edit =>
        (one, text, known) =>
          edit(one, unshield(text), known),
    ),
    ...TEXT_EDITS.slice(BEFORE_FORM),
  ];
  for (const edit of edits) {
    const applied = edit(agent, plain, models);
    if (applied !== null) return applied;
  }
  return null;
}

/** `Don't rename it` forbids an edit, where `Don't share addresses` is a rule for the agent. */
const NO_EDIT =
  /^(?:do not|don't|never|no need to|stop)\s+(?:rename|remove|delete|drop|change|edit|touch|replace|switch|move|add|set|insert|update|rewrite|undo)/i;
const KEEPS_REST =
  /^(?:(?:do not|don't|never)\s+(?:change|touch|edit|alter)\s+anything else|(?:leave|keep) (?:everything|all|the rest|all the rest|the other \w+)(?: else)?(?: (?:as (?:it|they) (?:is|are|was|were)|unchanged|alone|the same))?|(?:nothing|everything|all) else (?:\w+ ?){0,4}|the rest (?:stays|should stay|remains)(?: \w+){0,4})$/i;
const UNDO = /^(?:undo|revert|roll back|rollback|restore|go back to|take back)\b/i;
const TEXT = /^[^:“]{0,100}\b(?:description|section|text)\b[^:“]{0,80}:\s/i;
/** Says again what the order before it said. */
const ECHO =
  /^(?:so |please )*(?:update|change|correct|fix|adjust|edit|take|remove|delete|drop) (?:it|that|this|them)(?: out| off)?(?: accordingly| please)?$/i;

const VERB =
  /^(?:add|remove|delete|drop|rename|call|name|change|set|make|replace|swap|switch|move|use|allow|enable|disable|always|never|raise|lower|increase|decrease|reduce|limit|insert|append|turn|get|take|put|answer|reply|respond|write|speak|keep|run|schedule|ask|let|give|update|double|triple|halve|block|do|don't|be)$/i;
/** What makes an order out of words that may as well go on with the text of the one before. */
const PART =
  /\b(?:steps?|rules?|names?|rename|call it|description|model|limits?|timeout|credits?|tools?|starters?|inputs?|output|autonomy|sections?|heading|rows?|table|agent|temperature|memory)\b/i;
/** An order that ends with a text of any words. */
const OPEN =
  /^(?:(?:it should |it must )?(?:always|never|do not|don't|make sure|ensure|avoid|also)\b|description:|[^:“]{1,300}:\s+(?!“)\S|.{0,100}\b(?:step|rule|section|description|starter|example)s?\b.{0,80}\b(?:with|by|to|that|say|says|saying)\s+(?![“\d]|the (?:top|end|start|beginning|bottom|front)))/i;
const CONDITION =
  /^(?:if|unless|when|whenever|once|until|while|as soon as|after|before|suppose|maybe|perhaps|tomorrow|later)\b/i;

function beginsOrder(rest: string): boolean {
  const [first = "", second = ""] = rest
    .replace(/^(?:(?:please|also|then|finally)[, ]+)+/i, "")
    .split(/\s+/, 3);
  return (
    (second !== "" && VERB.test(first)) ||
    /^(?:it|this|the agent) (?:should|must|may|can|shouldn't|mustn't)\b/i.test(rest)
  );
}

/**
 * The orders of a shielded request: its sentences, and what stands in one with a verb of its own.
 */
function ordersOf(request: string): string[] {
  const text = request
    .replace(/^\s*(?:[-*•]|\d+[.)])\s+/gm, "")
    .replace(/[,.]?\s*(?:thanks|thank you|many thanks)[.!\s]*$/i, "");
  const orders: string[] = [];
  let from = 0;
  for (const joint of text.matchAll(
    /(?:\n+|(?<=[.!?;]|[\uE02E\uE021\uE03F]”)\s+(?=[\p{Lu}\p{N}“'([-])|(?:;|,? and then|,? and also|,? and finally|,? then|,? and|,? but|,)\s+)/gu,
  )) {
    const head = text.slice(from, joint.index).trim();
    const rest = text.slice(joint.index + joint[0].length, joint.index + joint[0].length + 120);
    if (!(/^\s+$/.test(joint[0]) ? parts(head, rest) : splits(head, rest, joint[0]))) continue;
    orders.push(head);
    from = joint.index + joint[0].length;
  }
  return [...orders, text.slice(from).trim()].filter((order) => /[\p{L}\p{N}]/u.test(order));
}

/** Whether a sentence is no more of the text that the one before it gives. */
function parts(head: string, rest: string): boolean {
  if (/\b(?:has|have) changed[.!]$/i.test(head) && /^it(?:'s| is)\b/i.test(rest)) return false;
  const opens =
    /^[^:“]{1,300}\b(?:step|rule|section|description|text|starter)\b[^:“]{0,80}:\s+(?!“)\S|^description:/i.test(
      head,
    );
  return !opens || beginsOrder(rest) || /^[^.!]{0,110}\?/.test(rest);
}

function splits(head: string, rest: string, joint: string): boolean {
  const bare = bareOrder(head);
  if (
    CONDITION.test(bare) ||
    (/^(?:in|on|under|within|at|for|from|instead)\b/i.test(bare) && !/,/.test(head))
  )
    return false;
  if (/but/.test(joint) && /^(?:keep|leave|do|don't|never|not|let)\b/i.test(rest)) return false;
  if (OPEN.test(bare)) return beginsOrder(rest) && PART.test(rest.split(/\s+/, 8).join(" "));
  const [, first = ""] =
    /^(\p{Ll}+) (?:it|the|its|our|my|your|me|us|an?|them|this|that|to)\b/u.exec(rest) ?? [];
  const isOther =
    first !== "" &&
    !isFunctionWord(first) &&
    !/^(?:by|but|not|or|into|instead|without|than|until|like)$/.test(first);
  return beginsOrder(rest) || (isOther && /and|then|;/.test(joint));
}

function readAgent(current: string): EditedAgent {
  const parsed: unknown = JSON.parse(current);
  const agent = isJsonObject(parsed) ? parsed : {};
  const text = (key: string) => (typeof agent[key] === "string" ? agent[key] : "");
  const config = isJsonObject(agent.config) ? agent.config : { version: 1 };
  return {
    name: text("name"),
    description: text("description"),
    skill: text("skill_content"),
    config,
    autonomy: text("write_autonomy"),
  };
}

function difference(before: EditedAgent, after: EditedAgent): JsonObject {
  return {
    ...(after.name !== before.name && { name: after.name }),
    ...(after.description !== before.description && { description: after.description || null }),
    ...(after.skill !== before.skill && { skill_content: after.skill }),
    ...(JSON.stringify(after.config) !== JSON.stringify(before.config) && { config: after.config }),
    ...(after.autonomy !== before.autonomy && { write_autonomy: after.autonomy }),
  };
}

const editDescription: Edit = (agent, order) => {
  const [, text] =
    /^(?:(?:change|set|update|make|replace|rewrite)\s+(?:the |its )?description\s*(?:\bto\b|\bas\b|\binto\b|\bsay\b|\bread\b|\bwith\b|\bby\b|:)|(?:the |its )?description\s*(?::|(?:should|must) (?:be|say|read)\b|is\b)|(?:give it|add|use) (?:a |the |this )?(?:new )?description\b)\s*:?\s*(.+)$/is.exec(
      order,
    ) ?? [];
  const isGone = /^(?:remove|delete|drop|clear) (?:the |its )?description$/i.test(order);
  if (!text && !isGone) return null;
  agent.description = text ? said(text) : "";
  return { done: isGone ? "Removed the description." : "Changed the description." };
};

const editName: Edit = (agent, order) => {
  const found =
    /^(?:rename)\s+(?:it|this|(?:this |the )?agent)?\s*(?:to|as|into)\s*:?\s+(.+)$/is.exec(order) ??
    /^(?:change|set|update)\s+(?:the |its |this )?(?:agent's )?(?:name|title)\s*(?:of the agent )?(?:to|as|:)\s*(.+)$/is.exec(
      order,
    ) ??
    /^(?:the |its )?(?:new )?name\s*(?::|is|(?:should|must) be)\s*(?:now )?(.+)$/is.exec(order) ??
    /^(?:call|name)\s+(?:it|this|(?:this |the )?agent)\s+(.+)$/is.exec(order);
  const name = said((found?.[1] ?? "").replace(/\s+instead$/i, "")).trim();
  if (name === "") return null;
  if (
    !/^“/.test(found?.[1] ?? "") &&
    (name.split(/\s+/).length > 8 ||
      /[:;,.?!]\s|\b(?:and|but|then) (?:the|it|its|our|my|don't|do not|not|keep|leave)\b/.test(
        name,
      ))
  )
    return { refused: "it is not clear where the name ends; put the name in quotes" };
  if (
    /^(?:something|anything|whatever|after|like|as|more|less|better|differently|different|back|in|for|with|an?|our|its)\b/.test(
      name,
    )
  )
    return { refused: "that is no name; put the name in quotes" };
  if (name.length > 255) return { refused: "a name has at most 255 characters" };
  agent.skill = agent.skill.replace(/^# .*$/m, (heading) =>
    heading === `# ${agent.name}` ? `# ${name}` : heading,
  );
  agent.name = name;
  return { done: `Renamed the agent to ${quote(name)}.` };
};

const SCHEDULE =
  /^(?:(?:run|start|execute)(?: it| the agent)?|schedule it(?: for| to run)?|let it run|make it run|(?:change|set|add) (?:the |a |its )?schedule(?: to| for|:)?)\s+(?:every|each|daily|weekly|hourly|monthly|at(?! most| least)|on)\b/i;

const editSchedule: Edit = (_, order) =>
  SCHEDULE.test(order)
    ? {
        refused:
          "an edit sets no schedule; add one on the agent's page or with POST /v1/agents/{agent_id}/schedules",
      }
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
  // `Make it better` says nothing that could be done.
  if (
    !tone ||
    /^(?:better|nicer|smarter|cleverer|faster|quicker|cheaper|cooler|greater|stronger|safer|easier|general|usual|actual)$/i.test(
      tone,
    )
  )
    return null;
  return nameRule(agent, /^Tone: /, `Tone: ${tone}.`, `The tone is now: ${tone}.`);
};

const editLanguage: Edit = (agent, order) => {
  const language =
    /^(?:(?:always )?(?:answer|reply|respond|write|speak)(?: everything| its answers)?|(?:change|switch|set) (?:the |its )?language)\s+(?:in|to)\s+(\p{Lu}\p{Ll}+)$/u.exec(
      capital(order).replace(/^\p{Lu}/u, (letter) => letter.toLowerCase()),
    )?.[1];
  if (!language) return null;
  return nameRule(
    agent,
    /^Answer in \p{Lu}\p{L}+\.?$/u,
    `Answer in ${language}.`,
    `It is told to answer in ${language}.`,
  );
};

function nameRule(agent: EditedAgent, kind: RegExp, rule: string, done: string): Applied {
  const skill = setNamedRule(agent.skill, kind, rule);
  if (skill === null)
    return {
      refused:
        "several lists of the skill may be its rules; add a rule to one of them by its heading",
    };
  agent.skill = skill;
  return { done };
}

const TEXT_EDITS: readonly Edit[] = [
  editDescription,
  editName,
  renameHeading,
  addItem,
  removeRow,
  addRow,
  removeSection,
  addToSection,
  removeItem,
  moveItem,
  replaceItem,
  editSchedule,
  editLanguage,
  editTone,
  replaceText,
  addToList,
  editFact,
  addLoose,
];
const BEFORE_FORM = TEXT_EDITS.indexOf(editSchedule);
