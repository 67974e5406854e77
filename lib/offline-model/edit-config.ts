import "server-only";
import { builtInToolsOf, MEMORY_TOOL_NAME } from "@/lib/model/agent-config/built-in-tools";
import { numberOf, quote, unquote } from "./language";
import {
  type Applied,
  type Edit,
  type EditedAgent,
  objectAt,
  pick,
  REMOVE,
  said,
  setConfig,
  shield,
} from "./order";
import { readInputs, readOutput, withFields } from "./read-fields";

export type { Applied, Edit, EditedAgent } from "./order";

/** Applies a clause that sets something of the config; null when it is none. */
export function applyToConfig(
  agent: EditedAgent,
  clause: string,
  models: readonly string[],
): Applied | null {
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
  if (!models.includes(model))
    return {
      refused: `the model “${model}” is not in the published list of those that are switched on`,
    };
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
  [
    "limits",
    "max_credits",
    "credit credits budget cost spend per each max_credits",
    /^(?:max_)?(?:credits?|budget)$/,
  ],
  ["model_settings", "temperature", "temperature model", /^temperature$/],
];
const FACTORS: { [word: string]: number } = { double: 2, triple: 3, halve: 0.5 };

const editLimits: Edit = (agent, order) => {
  const words = order.toLowerCase().match(/-?\d[\d,]*(?:\.\d+)?|[\p{L}_]+/gu) ?? [];
  const numberIn = (word: string) =>
    word.startsWith("-") ? -Number(word.slice(1)) : numberOf(word);
  const factor = FACTORS[words[0] ?? ""];
  const numbers = words.flatMap((word) => numberIn(word) ?? []);
  const others = words
    .slice(factor === undefined ? 0 : 1)
    .filter((word) => numberIn(word) === null);
  // Every word counts, so that nothing of the order is lost.
  // `step 3` is one of the skill's.
  const found = /\bstep (?:no\. ?|number )?\d/i.test(order)
    ? undefined
    : LIMITS.find(
        ([, , own, needed]) =>
          others.some((word) => needed.test(word)) &&
          others.every((word) => `${SET_WORDS} ${own}`.split(" ").includes(word)),
      );
  if (!found || numbers.length !== (factor === undefined ? 1 : 0)) return null;
  const [group, key] = found;
  const scale =
    key !== "timeout_seconds" ? 1 : /hour/.test(order) ? 3600 : /minute/.test(order) ? 60 : 1;
  const before = objectAt(agent.config, group)[key];
  const [given = 0] = numbers;
  const by = /\b(raise|increase|lower|decrease|reduce)\b.*\bby\b/.exec(order.toLowerCase())?.[1];
  if ((factor !== undefined || by) && typeof before !== "number")
    return { refused: `${group}.${key} is not set, so there is nothing to change it from` };
  const from = typeof before === "number" ? before : 0;
  const value =
    factor !== undefined
      ? from * factor
      : by
        ? from + (/^(?:raise|increase)$/.test(by) ? given : -given) * scale
        : given * scale;
  return setConfig(
    agent,
    { [group]: { ...objectAt(agent.config, group), [key]: value } },
    `${group}.${key} is ${value}.`,
  );
};

const editStarters: Edit = (agent, order) => {
  const several =
    /^(?:add|give it|use|set) (?:the )?(?:starters|examples)\s*:?\s*((?:(?:,|and|\s)*["“][^"”]+["”])+)$/i.exec(
      order,
    )?.[1];
  const one = /^add (?:a |an |the )?(?:starter|example(?: request)?)\s*:?\s*(.+)$/is.exec(
    order,
  )?.[1];
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
  const [, gone] =
    new RegExp(
      `^${REMOVE} (?:the )?((?:.{1,100} )?(?:starter|example request)s?(?: .{1,200})?)$`,
      "i",
    ).exec(text) ?? [];
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
  if (!isOne)
    return {
      refused: `there is no one starter that it means; there are ${texts.map(quote).join(", ") || "none"}`,
    };
  const kept = starters.flatMap((one, place) =>
    !at.includes(place) ? [one] : next ? [said(next)] : [],
  );
  return setConfig(
    agent,
    { starters: kept },
    `${next ? "Replaced" : "Removed"} the starter${at.length > 1 ? "s" : ""} ${at.map((one) => quote(texts[one] ?? "")).join(", ")}.`,
  );
};

const ABOUT_FIELD = /\b(?:inputs?|fields?|parameters?|named|called)\b/i;

/**
 * Fields of the inputs or of the output that are there: required or optional, gone, and new ones of
 * the output.
 */
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
    new RegExp(
      `^(?:remove|delete|drop) (?:the )?((?:input|output|parameter|field)(?: field| parameter)?) ${NAME}${IN}$`,
      "iu",
    ).exec(text) ?? [];
  const [, taken, takenFrom] =
    new RegExp(`^(?:remove|delete|drop) (?:the )?${NAME}${IN}$`, "iu").exec(text) ?? [];
  const [, added, addedIn] =
    /^(?:add|include) ((?:an? |the )?.{1,200}?) (?:to|in) (?:the |its )?(output|answer|result)(?: schema)?$/i.exec(
      text,
    ) ?? [];
  const dropped = gone ?? (takenFrom ? taken : undefined);
  const name = made ?? dropped;
  const said = `${madeIn ?? goneIn ?? takenFrom ?? addedIn ?? ""} ${kind ?? ""} ${text}`;
  const has = (key: string) =>
    name !== undefined && objectAt(objectAt(agent.config, key), "properties")[name] !== undefined;
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
    const needed = fields.map((field) => ({
      ...field,
      required: field.required || (isWhole && !/\b(?:optional|not required)\b/i.test(added)),
    }));
    if (fields.some((field) => before.includes(field.name)))
      return { refused: "the output has that field already" };
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
  const before = Array.isArray(list)
    ? list.filter((one) => one !== name || (made && !/optional/i.test(need ?? "")))
    : [];
  const required =
    made && !/optional/i.test(need ?? "") && !before.includes(name) ? [...before, name] : before;
  const properties = dropped || removed === undefined ? others : objectAt(schema, "properties");
  const next = { ...schema, properties, ...(required.length > 0 && { required }) };
  return setConfig(
    agent,
    { [key]: next },
    dropped ? `Removed the ${what} ${name}.` : `The ${what} ${name} is ${need?.toLowerCase()}.`,
  );
};

const editInputs: Edit = (agent, order) => {
  const schema = objectAt(agent.config, "inputs");
  if (
    !ABOUT_FIELD.test(order) ||
    !/^(?:it should|it must|let it|make it|have it|also|add|take|accept|ask for)\b/i.test(order)
  )
    return null;
  const fields = readInputs(
    order.replace(/^add\b/i, "takes").replace(/\b(?:take|accept|ask for)\b/i, "takes"),
  );
  if (fields === null) return null;
  if (fields === "unclear") return { refused: "the names of the inputs are not clear" };
  const names = fields.map(({ name }) => name).join(", ");
  return setConfig(agent, { inputs: withFields(schema, fields) }, `It also takes ${names}.`);
};

const editOutput: Edit = (agent, order) => {
  const fields = /^(?:return|answer|output|give|reply|respond|make)\b/i.test(order)
    ? readOutput(order)
    : null;
  if (fields === null) return null;
  if (fields === "unclear")
    return {
      refused:
        "the fields of the output are not clear; name them, such as: return JSON with the fields allowed and reason",
    };
  return setConfig(
    agent,
    { output_schema: withFields({}, fields) },
    `It answers in JSON with ${fields.map(({ name }) => name).join(", ")}.`,
  );
};

/** From strict to loose; where an order says two of them the stricter holds. */
const AUTONOMY: [autonomy: string, words: RegExp][] = [
  [
    "blocked",
    /\bread[- ]only\b|\bblocked\b|\b(?:block|forbid|no|without) (?:(?:all|any|every|external|outside) )*writ(?:es?|ing)\b|\b(?:never|not|must not|may not|should not) (?:be able to )?(?:write|change|send|do) (?:(?:anything|something|to the) )?outside\b/i,
  ],
  [
    "approval_required",
    /\basks? (?:me |us |a person |somebody |someone )?(?:first|before (?:it writes|it acts|writing|acting|sending|each write|every write|any write|it does anything)|for (?:an? )?approval)\b|\brequires? (?:an? )?approvals?\b|\bwith approval\b|\bapproval[_ ]required\b|\b(?:a person|a human|somebody|someone|i|we) (?:has|have|must|needs?|wants?) (?:to )?approve (?:(?:all|any|every|each|its|the) )*(?:writes?|actions?|changes?)\b|\bnever (?:act|write|work) (?:on its own|alone|by itself)\b|\bnot (?:be allowed to )?(?:act|write) (?:on its own|alone|by itself|without (?:asking|approval))\b/i,
  ],
  [
    "full_auto",
    /\bon its own\b|\b(?:act|work|write) (?:alone|by itself)\b|\bwithout (?:asking|approvals?)(?: for approval| me| us| first| anyone| anybody)*\b|\bfully auto(?:matic|nomous)(?:ly)?\b|\bfull[_ ]auto\b/i,
  ],
];
const AUTONOMY_FILLERS = new Set(
  "let it may should can must shall make have set to be is change the its write writes autonomy act run work go and has have does anything always all every any action actions outside external from now on a in mode please everything agent this for with allow switch put when".split(
    " ",
  ),
);

const editAutonomy: Edit = (agent, order) => {
  let rest = order;
  const named = AUTONOMY.flatMap(([autonomy, words]) => {
    const left = rest.replace(words, " ");
    if (left === rest) return [];
    rest = left;
    return [autonomy];
  });
  const [wanted] = named;
  const others = rest.toLowerCase().match(/[\p{L}\p{N}'_]+/gu) ?? [];
  // Every word counts: `never send mail without asking` is a rule.
  if (!wanted || !others.every((word) => AUTONOMY_FILLERS.has(word))) return null;
  if (named.includes("blocked") && named.includes("full_auto"))
    return { refused: "it says both to write and not to write" };
  agent.autonomy = wanted;
  return { done: `Its write autonomy is ${wanted}.` };
};

const TOOL_NAMES: [tool: string, pattern: RegExp][] = [
  ["web_search", /\bweb[_ ]search(?:es)?\b|\bsearch(?:ing)? (?:the )?(?:web|internet)\b/i],
  ["web_fetch", /\bweb[_ ]?fetch\b|\b(?:fetch|open|read)(?:ing)? (?:web )?pages\b|\bbrowsing\b/i],
  [
    "run_javascript",
    /\brun_javascript\b|\bjavascript\b|\b(?:run|execut)(?:e|ing)? code\b|\bcode execution\b/i,
  ],
  ["artifacts", /\bartifacts?\b|\b(?:write|writing|make|making|create|creating) files\b/i],
  ["workspace_files", /\bworkspace[_ ]files?\b|\bfile access\b|\b(?:read|reading) files\b/i],
  ["todo", /\bto-?dos?(?: list)?\b/i],
  [MEMORY_TOOL_NAME, /\b(?:the |its )?memory\b/i],
];
const TOOL_ON =
  /^(?:add|enable|allow(?: it(?: to)?)?|turn on|switch on|(?:let it|it (?:may|can|should)(?: also| now| again)?(?: be (?:able|allowed) to)?)(?: use)?|use|give it)\b/i;
const TOOL_OFF =
  /^(?:remove|disable|forbid|drop|take away|turn off|switch off|stop using|(?:do not|don't) (?:use|allow|let it(?: use)?)|never use|stop it from(?: using)?|without|(?:it|the agent) (?:shouldn't|mustn't|can't|cannot|may not|should not|must not|should no longer|may no longer|must no longer)(?: be (?:able|allowed) to)?(?: use)?)\b/i;

const editTools: Edit = (agent, said) => {
  // `Turn memory off` is `turn off memory`.
  const order = said.replace(/^(turn|switch) (.+) (on|off)$/i, "$1 $3 $2");
  const isOff = TOOL_OFF.test(order);
  if (!isOff && !TOOL_ON.test(order)) return null;
  const isOn = !isOff;
  const bare = order
    .replace(isOn ? TOOL_ON : TOOL_OFF, "")
    .replace(/\b(?:too|any ?more|again|as well|any longer)\b/gi, " ");
  let rest = bare;
  const all = TOOL_NAMES.flatMap(([tool, pattern]) => {
    const left = rest.replace(pattern, " ");
    if (left === rest) return [];
    rest = left;
    return [tool];
  });
  const named = all.filter((tool) => tool !== MEMORY_TOOL_NAME);
  if (
    all.length === 0 ||
    /\w/.test(rest.replace(/\b(?:the|tools?|and|or|to|its?|access|a|an|for|of|use|using)\b/gi, " "))
  )
    return null;
  if (named.length < all.length) {
    const set = setConfig(
      agent,
      { tools: { ...objectAt(agent.config, "tools"), memory: isOn } },
      `Its memory is ${isOn ? "on" : "off"}.`,
    );
    if (named.length === 0 || "refused" in set) return set;
  }
  const tools = objectAt(agent.config, "tools");
  const present: string[] = builtInToolsOf(tools as Parameters<typeof builtInToolsOf>[0]); // a part of a checked config
  const others = present.filter((tool) => isOn || !named.some((name) => name === tool));
  const builtin = isOn ? [...others, ...named.filter((tool) => !present.includes(tool))] : others;
  return setConfig(
    agent,
    { tools: { ...tools, builtin } },
    `${isOn ? "It has" : "It no longer has"} the tool${named.length === 1 ? "" : "s"} ${named.join(", ")}.`,
  );
};

const EDITS: readonly Edit[] = [
  editModel,
  editLimits,
  editAutonomy,
  editTools,
  editStarters,
  changeStarters,
];
/** What only an edit sets; a creation reads it as a part of what the agent does. */
export const EDITS_OF_FORM: readonly Edit[] = [changeFields, editInputs, editOutput];
