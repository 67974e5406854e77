import "server-only";
import { editAutonomy, editTools } from "./edit-powers";
import { type Applied, type Edit, type EditedAgent, objectAt, setConfig } from "./edited-agent";
import { numberOf, quote, unquote } from "./language";
import { pick, REMOVE, said, shield } from "./order";
import { readInputs, readOutput, withFields } from "./read-fields";

export type { Applied, Edit, EditedAgent } from "./edited-agent";

/** Applies a clause that sets something of the config; null when it is none. */
export function applyToConfig(agent: EditedAgent, clause: string, models: readonly string[]): Applied | null {
  for (const edit of EDITS) {
    const applied = edit(agent, clause.replace(/[.!\s]+$/, ""), models);
    if (applied !== null) return applied;
  }
  return null;
}

const editModel: Edit = (agent, order, models) => {
  const model =
    /^(?:(?:use|switch to|change to|run on|make it use|on)\s+|(?:set|change|switch)\s+(?=(?:the |its )?model\b))(?:(?:the |its )?model\s*(?:to|:)?\s*)?([\w.-]+\/[\w.:-]+)(?: model)?$/i.exec(
      order,
    )?.[1];
  if (!model) return null;
  if (!models.includes(model)) return { refused: `the model “${model}” is not in the published list of those that are switched on` };
  return setConfig(agent, { model }, `It now uses ${model}.`);
};

const SET_WORDS =
  "set change limit raise lower increase decrease reduce allow let it its take give use make up to at most max maximum the a of no more than may should have run runs is be stop within spend for by per each every one run any this agent up down cut put bring";
const LIMITS: [group: string, key: string, words: string, needed: RegExp][] = [
  ["limits", "max_steps", "step steps turn turns max_steps", /^(?:max_)?(?:steps?|turns?)$/],
  [
    "limits",
    "timeout_seconds",
    "timeout time out second seconds minute minutes hour hours after timeout_seconds",
    /^(?:time|timeout|timeout_seconds|seconds?|minutes?|hours?)$/,
  ],
  ["limits", "max_credits", "credit credits budget cost spend per each max_credits", /^(?:max_)?(?:credits?|budget)$/],
  ["model_settings", "temperature", "temperature model", /^temperature$/],
];
const FACTORS: { [word: string]: number } = { double: 2, triple: 3, halve: 0.5 };

const editLimits: Edit = (agent, order) => {
  const words = order.toLowerCase().match(/-?\d[\d,]*(?:\.\d+)?|[\p{L}_]+/gu) ?? [];
  const numberIn = (word: string) => (word.startsWith("-") ? -Number(word.slice(1)) : numberOf(word));
  const factor = FACTORS[words[0] ?? ""];
  const numbers = words.flatMap((word) => numberIn(word) ?? []);
  const others = words.slice(factor === undefined ? 0 : 1).filter((word) => numberIn(word) === null);
  // Every word counts, so that nothing of the order is lost.
  // `step 3` is one of the skill's.
  const found = /\bstep (?:no\. ?|number )?\d/i.test(order)
    ? undefined
    : LIMITS.find(
        ([, , own, needed]) =>
          others.some((word) => needed.test(word)) && others.every((word) => `${SET_WORDS} ${own}`.split(" ").includes(word)),
      );
  if (!found || numbers.length !== (factor === undefined ? 1 : 0)) return null;
  const [group, key] = found;
  const scale = key !== "timeout_seconds" ? 1 : /hour/.test(order) ? 3600 : /minute/.test(order) ? 60 : 1;
  const before = objectAt(agent.config, group)[key];
  const [given = 0] = numbers;
  const by = /\b(raise|increase|lower|decrease|reduce)\b.*\bby\b/.exec(order.toLowerCase())?.[1];
  if ((factor !== undefined || by) && typeof before !== "number")
    return { refused: `${group}.${key} is not set, so there is nothing to change it from` };
  const from = typeof before === "number" ? before : 0;
  const value =
    factor !== undefined ? from * factor : by ? from + (/^(?:raise|increase)$/.test(by) ? given : -given) * scale : given * scale;
  return setConfig(agent, { [group]: { ...objectAt(agent.config, group), [key]: value } }, `${group}.${key} is ${value}.`);
};

const editStarters: Edit = (agent, order) => {
  const several = /^(?:add|give it|use|set) (?:the )?(?:starters|examples)\s*:?\s*((?:(?:,|and|\s)*["“][^"”]+["”])+)$/i.exec(order)?.[1];
  const one = /^add (?:a |an |the )?(?:starter|example(?: request)?)\s*:?\s*(.+)$/is.exec(order)?.[1];
  const texts = several?.match(/["“][^"”]+["”]/g) ?? (one ? [one] : []);
  if (texts.length === 0) return null;
  const starters = Array.isArray(agent.config.starters) ? agent.config.starters : [];
  const added = texts.map(unquote);
  return setConfig(
    agent,
    { starters: [...starters, ...added] },
    `Added the starter${added.length === 1 ? "" : "s"} ${added.map(quote).join(", ")}.`,
  );
};

/** `Remove the starter about prices`, `replace the second starter with “…”`. */
const changeStarters: Edit = (agent, order) => {
  const text = shield(order);
  const [, gone] = new RegExp(`^${REMOVE} (?:the )?((?:.{1,100} )?(?:starter|example request)s?(?: .{1,200})?)$`, "i").exec(text) ?? [];
  const [, old, next] =
    /^(?:replace|change|set|update) (?:the )?((?:.{1,100} )?(?:starter|example request)(?: .{1,200}?)?) (?:with|by|to|into):? (.{1,500})$/i.exec(
      text,
    ) ?? [];
  const phrase = (gone ?? old)?.replace(/\b(?:starter|example request)s?\b/i, " ").trim();
  if (phrase === undefined) return null;
  const starters = Array.isArray(agent.config.starters) ? agent.config.starters : [];
  const texts = starters.map(String);
  const at = gone && /^all(?: the)?$/i.test(phrase) ? [...texts.keys()] : pick(texts, phrase);
  const isOne = at !== null && at.length > 0 && (gone !== undefined || at.length === 1);
  if (!isOne) return { refused: `there is no one starter that it means; there are ${texts.map(quote).join(", ") || "none"}` };
  const kept = starters.flatMap((one, place) => (!at.includes(place) ? [one] : next ? [said(next)] : []));
  return setConfig(
    agent,
    { starters: kept },
    `${next ? "Replaced" : "Removed"} the starter${at.length > 1 ? "s" : ""} ${at.map((one) => quote(texts[one] ?? "")).join(", ")}.`,
  );
};

const ABOUT_FIELD = /\b(?:inputs?|fields?|parameters?|named|called)\b/i;

/** Fields of the inputs or of the output that are there: required or optional, gone, and new ones of the output. */
const changeFields: Edit = (agent, order) => {
  const text = order.replace(/,? (?:too|as well)$/i, "");
  const NAME = "[\"“'`]?([\\p{L}_][\\p{L}\\p{N}_-]*)[\"”'`]?";
  const IN = "(?: (?:in|from|of|to) (?:the |its )?(inputs?|outputs?|answer|result)(?: schema)?)?";
  const [, made, need, madeIn] =
    new RegExp(
      `^make (?:the )?(?:(?:input|output|field|parameter) ){0,2}${NAME} (?:an? )?(required|optional|mandatory)(?: (?:input|output|field|parameter)){0,2}${IN}$`,
      "iu",
    ).exec(text) ?? [];
  const [, kind, gone, goneIn] =
    new RegExp(`^(?:remove|delete|drop) (?:the )?((?:input|output|parameter|field)(?: field| parameter)?) ${NAME}${IN}$`, "iu").exec(
      text,
    ) ?? [];
  const [, taken, takenFrom] = new RegExp(`^(?:remove|delete|drop) (?:the )?${NAME}${IN}$`, "iu").exec(text) ?? [];
  const [, added, addedIn] =
    /^(?:add|include) ((?:an? |the )?.{1,200}?) (?:to|in) (?:the |its )?(output|answer|result)(?: schema)?$/i.exec(text) ?? [];
  const dropped = gone ?? (takenFrom ? taken : undefined);
  const name = made ?? dropped;
  const said = `${madeIn ?? goneIn ?? takenFrom ?? addedIn ?? ""} ${kind ?? ""} ${text}`;
  const has = (key: string) => name !== undefined && objectAt(objectAt(agent.config, key), "properties")[name] !== undefined;
  const isOut = /\b(?:outputs?|answer|result)\b/i.test(said);
  const isIn = /\b(?:inputs?|parameters?)\b/i.test(said);
  const key = isOut ? "output_schema" : isIn || !has("output_schema") ? "inputs" : "output_schema";
  if (added && /\bfields?\b|\b(?:boolean|string|number|integer)\b/i.test(added)) {
    const fields = readInputs(`inputs: ${added}`);
    const schema = objectAt(agent.config, key);
    if (!Array.isArray(fields)) return { refused: "the names of the fields are not clear" };
    const before = Object.keys(objectAt(schema, "properties"));
    const isWhole =
      Array.isArray(schema.required) &&
      before.length > 0 &&
      before.every((one) => Array.isArray(schema.required) && schema.required.includes(one));
    const needed = fields.map((field) => ({ ...field, required: field.required || (isWhole && !/\boptional\b/i.test(added)) }));
    if (fields.some((field) => before.includes(field.name))) return { refused: "the output has that field already" };
    return setConfig(
      agent,
      { output_schema: withFields(schema, needed) },
      `The output has the field ${fields.map((field) => field.name).join(", ")}.`,
    );
  }
  if (name === undefined || (!isOut && !isIn && has("inputs") && has("output_schema")))
    return name ? { refused: "both the inputs and the output have that field; say which" } : null;
  const what = key === "inputs" ? "input" : "field of the output";
  if (!has(key)) return { refused: `there is no ${what} ${quote(name)}` };
  const { required: list, ...schema } = objectAt(agent.config, key);
  const { [name]: removed, ...others } = objectAt(schema, "properties");
  const before = Array.isArray(list) ? list.filter((one) => one !== name || (made && !/optional/i.test(need ?? ""))) : [];
  const required = made && !/optional/i.test(need ?? "") && !before.includes(name) ? [...before, name] : before;
  const properties = dropped || removed === undefined ? others : objectAt(schema, "properties");
  const next = { ...schema, properties, ...(required.length > 0 && { required }) };
  return setConfig(agent, { [key]: next }, dropped ? `Removed the ${what} ${name}.` : `The ${what} ${name} is ${need?.toLowerCase()}.`);
};

const editInputs: Edit = (agent, order) => {
  const schema = objectAt(agent.config, "inputs");
  if (!ABOUT_FIELD.test(order) || !/^(?:it should|it must|let it|make it|have it|also|add|take|accept|ask for)\b/i.test(order)) return null;
  const fields = readInputs(order.replace(/^add\b/i, "takes").replace(/\b(?:take|accept|ask for)\b/i, "takes"));
  if (fields === null) return null;
  if (fields === "unclear") return { refused: "the names of the inputs are not clear" };
  const names = fields.map(({ name }) => name).join(", ");
  return setConfig(agent, { inputs: withFields(schema, fields) }, `It also takes ${names}.`);
};

const editOutput: Edit = (agent, order) => {
  const fields = /^(?:return|answer|output|give|reply|respond|make)\b/i.test(order) ? readOutput(order) : null;
  if (fields === null) return null;
  if (fields === "unclear")
    return { refused: "the fields of the output are not clear; name them, such as: return JSON with the fields allowed and reason" };
  return setConfig(
    agent,
    { output_schema: withFields({}, fields) },
    `It answers in JSON with ${fields.map(({ name }) => name).join(", ")}.`,
  );
};

const EDITS: readonly Edit[] = [editModel, editLimits, editAutonomy, editTools, editStarters, changeStarters];
/** What only an edit sets; a creation reads it as a part of what the agent does. */
export const EDITS_OF_FORM: readonly Edit[] = [changeFields, editInputs, editOutput];
