import "server-only";
import { BUILT_IN_TOOL_NAMES } from "@/lib/model/agent-config/built-in-tools";
import { checkAgentConfig } from "@/lib/model/agent-config/check-agent-config";
import { isJsonObject, type JsonObject } from "@/lib/model/json-schema/json-value";
import { numberOf, quote, unquote } from "./language";
import { readInputs, readOutput, withFields } from "./read-fields";

/** An agent while orders are applied to it. */
export interface EditedAgent {
  name: string;
  description: string;
  skill: string;
  config: JsonObject;
  autonomy: string;
}

/** What came of an order: what was done, or why it was not although it was understood. */
export type Applied = { done: string } | { refused: string };
/** One kind of order; null when it is not of this kind, all of it. */
export type Edit = (agent: EditedAgent, order: string, models: readonly string[]) => Applied | null;

/** Applies a clause that sets something of the config; null when it is none. */
export function applyToConfig(agent: EditedAgent, clause: string, models: readonly string[]): Applied | null {
  for (const edit of EDITS) {
    const applied = edit(agent, clause.replace(/[.!\s]+$/, ""), models);
    if (applied !== null) return applied;
  }
  return null;
}

/** Sets a part of the config, if the config may be so. */
function setConfig(agent: EditedAgent, part: JsonObject, done: string): Applied {
  const config = { ...agent.config, ...part };
  const checked = checkAgentConfig(config);
  if (!checked.ok) return { refused: checked.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ") };
  agent.config = config;
  return { done };
}

function objectAt(config: JsonObject, key: string): JsonObject {
  const value = config[key];
  return isJsonObject(value) ? value : {};
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
  "set change limit raise lower increase decrease reduce allow let it its take give use make up to at most max maximum the a of no more than may should have run runs is be stop within spend for by";
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
  const found = LIMITS.find(
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

const AUTONOMY: [autonomy: string, words: RegExp][] = [
  [
    "full_auto",
    /^(?:on its own|without (?:asking|approvals?)(?: for approval| me| first)?|fully auto(?:matic|nomous)(?:ly)?|full[_ ]auto)$/i,
  ],
  [
    "approval_required",
    /^(?:ask(?:s)? (?:me |us )?(?:first|before (?:it writes|writing|acting|sending)|for approval)|requires? approvals?|with approval|approval[_ ]required)$/i,
  ],
  ["blocked", /^(?:read[- ]only|blocked|block (?:all )?(?:external )?writes|never write outside)$/i],
];
const AUTONOMY_LEAD =
  /^(?:(?:let it|it may|it should|it can|it must|make it|have it|set it to|be|(?:set |change )?(?:the |its )?(?:write[_ ]?)?autonomy(?: to|:| is)?)\s+)?(?:(?:act|run|work|write|go|be)\s+)?/i;

const editAutonomy: Edit = (agent, order) => {
  const wanted = AUTONOMY.find(([, words]) => words.test(order.replace(AUTONOMY_LEAD, "")))?.[0];
  if (!wanted) return null;
  agent.autonomy = wanted;
  return { done: `Its write autonomy is ${wanted}.` };
};

const TOOL_NAMES: [tool: string, pattern: RegExp][] = [
  ["web_search", /\bweb[_ ]search(?:es)?\b|\bsearch(?:ing)? (?:the )?web\b/i],
  ["web_fetch", /\bweb[_ ]?fetch\b|\bfetch(?:ing)? (?:web )?pages\b|\bbrowsing\b/i],
  ["run_javascript", /\brun_javascript\b|\bjavascript\b|\brun(?:ning)? code\b|\bcode execution\b/i],
  ["workspace_files", /\bworkspace[_ ]files?\b|\bfile access\b/i],
  ["todo", /\bto-?dos?(?: list)?\b/i],
  ["artifacts", /\bartifacts?\b/i],
];
const TOOL_ON = /^(?:add|enable|allow|turn on|let it(?: use)?|use|give it)\b/i;
const TOOL_OFF =
  /^(?:remove|disable|forbid|drop|take away|turn off|stop using|(?:do not|don't) (?:use|allow|let it(?: use)?)|never use|without)\b/i;

const editTools: Edit = (agent, order) => {
  const isOn = TOOL_ON.test(order);
  if (!isOn && !TOOL_OFF.test(order)) return null;
  const named = TOOL_NAMES.filter(([, pattern]) => pattern.test(order)).map(([tool]) => tool);
  const rest = TOOL_NAMES.reduce((text, [, pattern]) => text.replace(pattern, " "), order.replace(isOn ? TOOL_ON : TOOL_OFF, ""));
  if (named.length === 0 || /\w/.test(rest.replace(/\b(?:the|tools?|and|to|its?|access|a|an|for|of|or)\b/gi, " "))) return null;
  const tools = objectAt(agent.config, "tools");
  const present = Array.isArray(tools.builtin) ? tools.builtin : [...BUILT_IN_TOOL_NAMES];
  const others = present.filter((tool) => isOn || !named.some((name) => name === tool));
  const builtin = isOn ? [...others, ...named.filter((tool) => !present.includes(tool))] : others;
  return setConfig(
    agent,
    { tools: { ...tools, builtin } },
    `${isOn ? "It has" : "It no longer has"} the tool${named.length === 1 ? "" : "s"} ${named.join(", ")}.`,
  );
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

const ABOUT_FIELD = /\b(?:inputs?|fields?|parameters?|named|called)\b/i;

const editInputs: Edit = (agent, order) => {
  const schema = objectAt(agent.config, "inputs");
  const gone = /^(?:remove|delete|drop) (?:the )?(?:input|parameter|field) ["“`]?([\w-]+)["”`]?$/i.exec(order)?.[1];
  if (gone !== undefined) {
    const { [gone]: removed, ...properties } = objectAt(schema, "properties");
    if (removed === undefined) return { refused: `there is no input ${quote(gone)}` };
    const { required: before, ...rest } = schema;
    const required = Array.isArray(before) ? before.filter((name) => name !== gone) : [];
    return setConfig(
      agent,
      { inputs: { ...rest, properties, ...(required.length > 0 && { required }) } },
      `It no longer takes the input ${gone}.`,
    );
  }
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

const EDITS: readonly Edit[] = [editModel, editLimits, editAutonomy, editTools, editStarters];
/** What only an edit sets; a creation reads it as a part of what the agent does. */
export const EDITS_OF_FORM: readonly Edit[] = [editInputs, editOutput];
