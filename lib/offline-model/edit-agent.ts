import "server-only";
import {
  applyFormLine,
  type FormAgent,
  type FormLine,
  type FormOptions,
  formLineOf,
  readFormLine,
  unquoted,
} from "@/lib/model/agent-config/agent-form";
import { isJsonObject, type JsonObject } from "@/lib/model/json-schema/json-value";
import { NAME_MAX_CHARACTERS, SKILL_CONTENT_MAX_CHARACTERS } from "@/lib/model/limits";
import { cut } from "./language";
import { changeItems, type ItemKind, itemsOf } from "./skill-text";

export interface EditOutcome {
  /** The arguments of `edit_agent`; null when nothing changes. */
  change: JsonObject | null;
  /** Of the arguments of `finish`. */
  outcome: "built" | "unchanged" | "refused";
  explanation: string;
}

interface EditedAgent extends FormAgent {
  skill: string;
}

/** What came of an order. */
type Applied = { ok: true; agent: EditedAgent; done: string } | { ok: false; problem: string };

/** The forms of an edit, as whoever used another one reads them. */
export const EDIT_FORMS = [
  "rename to “NAME”",
  "replace “OLD” by “NEW” (and everywhere behind it, where OLD stands more than once)",
  "add step: TEXT, add step 2: TEXT, change step 2 to: TEXT, remove step 2; rule or line in " +
    "place of step",
  "set max_steps: 8, or any other line of the form",
];

const ORDERS_MAX = 50;
const SUMMARY_MAX_CHARACTERS = 1900;

/**
 * Applies the orders of a request, one a line, to an agent given as JSON. It reads the forms of
 * `EDIT_FORMS` and nothing else; unless every line is one of them and can be done, nothing changes.
 */
export function editAgent(
  current: string,
  request: string,
  models: readonly string[],
): EditOutcome {
  const before = readAgent(current);
  const options = { isKnownModel: (id: string) => models.includes(id) };
  const orders = request
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  if (orders.length === 0) return unchanged(["It says nothing."]);
  if (orders.length > ORDERS_MAX) return unchanged([`An edit has at most ${ORDERS_MAX} lines.`]);
  let agent = before;
  const done: string[] = [];
  const problems: string[] = [];
  for (const order of orders) {
    const applied = applyOrder(agent, order, options);
    if (applied === null) problems.push(`“${cut(order, 200)}” is none of the forms.`);
    else if (!applied.ok) problems.push(`“${cut(order, 200)}”: ${cut(applied.problem, 300)}`);
    else {
      agent = applied.agent;
      done.push(applied.done);
    }
  }
  if (problems.length > 0) return unchanged(problems);
  if (agent.skill.trim() === "") return unchanged(["Nothing would be left of the skill."]);
  const change = difference(before, agent);
  if (Object.keys(change).length === 0)
    return {
      change: null,
      outcome: "unchanged",
      explanation: "Nothing was changed: the agent is like that already.",
    };
  const summary = cut(done.join(" "), SUMMARY_MAX_CHARACTERS);
  return { change: { ...change, summary }, outcome: "built", explanation: summary };
}

const PROBLEMS_SHOWN = 5;

function unchanged(problems: readonly string[]): EditOutcome {
  const more = problems.length - PROBLEMS_SHOWN;
  return {
    change: null,
    outcome: "refused",
    explanation: [
      "Nothing was changed.",
      ...problems.slice(0, PROBLEMS_SHOWN),
      ...(more > 0 ? [`So are ${more} more lines.`] : []),
      `The built-in model interprets no prose. Its forms, one a line: ${EDIT_FORMS.join("; ")}. ` +
        "Anything else needs a language model.",
    ].join(" "),
  };
}

function readAgent(current: string): EditedAgent {
  const parsed: unknown = JSON.parse(current);
  const agent = isJsonObject(parsed) ? parsed : {};
  const text = (key: string) => (typeof agent[key] === "string" ? agent[key] : "");
  return {
    name: text("name"),
    description: text("description"),
    skill: text("skill_content"),
    config: isJsonObject(agent.config) ? agent.config : { version: 1 },
    writeAutonomy: text("write_autonomy"),
  };
}

function difference(before: EditedAgent, after: EditedAgent): JsonObject {
  return {
    ...(after.name !== before.name && { name: after.name }),
    ...(after.description !== before.description && { description: after.description || null }),
    ...(after.skill !== before.skill && { skill_content: after.skill }),
    ...(JSON.stringify(after.config) !== JSON.stringify(before.config) && { config: after.config }),
    ...(after.writeAutonomy !== before.writeAutonomy && { write_autonomy: after.writeAutonomy }),
  };
}

/** One kind of order; null when it is of another kind. */
function applyOrder(agent: EditedAgent, order: string, options: FormOptions): Applied | null {
  const line = readFormLine(order);
  if (line) return applySetting(agent, line, options);
  const words = firstWords(order);
  if (words[0]?.lower === "rename") return rename(agent, order);
  if (words[0]?.lower === "replace" && !isItemWord(words[1]) && !isItemWord(words[2]))
    return replaceText(agent, order.slice(words[0].end).trim());
  if (words[0]?.lower === "set") return set(agent, order.slice(words[0].end).trim(), options);
  return changeItem(agent, order, words);
}

interface Word {
  lower: string;
  /** Where the order goes on behind it. */
  end: number;
}

const WORDS_READ = 8;

function firstWords(order: string): Word[] {
  const words: Word[] = [];
  let at = 0;
  while (at < order.length && words.length < WORDS_READ) {
    let end = at;
    while (end < order.length && order.charAt(end) !== " " && order.charAt(end) !== ":") end += 1;
    // A colon is a word of its own.
    if (order.charAt(at) === ":") end = at + 1;
    if (end > at) words.push({ lower: order.slice(at, end).toLowerCase(), end });
    at = order.charAt(end) === " " ? end + 1 : end;
  }
  return words;
}

function applySetting(agent: EditedAgent, line: FormLine, options: FormOptions): Applied {
  if (line.key === "name") return toName(agent, unquoted(line.value));
  const result = applyFormLine(agent, line, options);
  if (!result.ok) return result;
  return {
    ok: true,
    agent: { ...agent, ...result.agent },
    done: `Set ${line.key}: ${cut(line.value, 200)}.`,
  };
}

/** `set max_steps: 8`, `set the max steps to 8`. */
function set(agent: EditedAgent, rest: string, options: FormOptions): Applied | null {
  const bare = ["the ", "its "].find((article) => rest.toLowerCase().startsWith(article));
  const order = rest.slice(bare?.length ?? 0);
  const head = order.slice(0, 80).toLowerCase();
  const colon = head.indexOf(":");
  const to = [" to ", " to:"].map((word) => head.indexOf(word)).find((at) => at > 0) ?? -1;
  const isTo = to > 0 && (colon < 0 || to < colon);
  if (colon < 1 && !isTo) return null;
  const given = order.slice(isTo ? to + 3 : colon + 1).trim();
  const value = isTo && given.startsWith(":") ? given.slice(1).trim() : given;
  const key = order.slice(0, isTo ? to : colon);
  const line = formLineOf(key, value);
  if (line === null) return null;
  if (line.key === "name" && isTo) return rename(agent, `rename to ${value}`);
  // The full stop of the sentence is no part of a figure or a list.
  const isText = line.key === "description" || line.key === "starters";
  return applySetting(
    agent,
    !isText && line.value.endsWith(".") ? { ...line, value: line.value.slice(0, -1) } : line,
    options,
  );
}

/** `rename to NAME`, with `it`, `this agent` or `the agent` between. */
function rename(agent: EditedAgent, order: string): Applied | null {
  const words = firstWords(order);
  const to = words.findIndex(({ lower }) => lower === "to");
  const between = words
    .slice(1, to)
    .map(({ lower }) => lower)
    .join(" ");
  if (to < 0 || !["", "it", "this agent", "the agent"].includes(between)) return null;
  const rest = order.slice(words[to]?.end).trim();
  const given = rest.startsWith(":") ? rest.slice(1).trim() : rest;
  const stopped = given.endsWith(".") ? given.slice(0, -1) : given;
  const name = unquoted(stopped);
  if (name !== stopped.trim()) return toName(agent, name);
  // Without quotes, a word in small letters may be the beginning of another order.
  const isPlain = name
    .split(" ")
    .every((word) => /^[\p{Lu}\p{Lo}\p{N}][\p{L}\p{N}'\u2019&-]*$/u.test(word));
  return isPlain
    ? toName(agent, name)
    : { ok: false, problem: "Put the name in quotes, so that it is plain where it ends." };
}

function toName(agent: EditedAgent, name: string): Applied {
  if (name === "" || name.length > NAME_MAX_CHARACTERS)
    return { ok: false, problem: `A name has 1 to ${NAME_MAX_CHARACTERS} characters.` };
  const heading = `# ${agent.name}\n`;
  const skill = agent.skill.startsWith(heading)
    ? `# ${name}\n${agent.skill.slice(heading.length)}`
    : agent.skill;
  return { ok: true, agent: { ...agent, name, skill }, done: `Renamed the agent to “${name}”.` };
}

const PAIRS: { [open: string]: string } = { '"': '"', "“": "”", "„": "“", "'": "'", "‘": "’" };

/** The text in the quotes that a text begins with, and what stands behind them. */
function quotedStart(text: string, end = text.length): { inner: string; rest: string } | null {
  const close = PAIRS[text.charAt(0)];
  const at = close === undefined ? -1 : text.indexOf(close, 1);
  return at > 1 && at < end ? { inner: text.slice(1, at), rest: text.slice(at + 1).trim() } : null;
}

/** `“OLD” by “NEW”`, `“OLD” with “NEW” everywhere`. NEW may be empty. */
function replaceText(agent: EditedAgent, rest: string): Applied | null {
  const old = quotedStart(rest);
  const link = ["by ", "with "].find((word) => old?.rest.toLowerCase().startsWith(word));
  if (!old || !link) return null;
  const behind = old.rest.slice(link.length).trim();
  const isEmpty = PAIRS[behind.charAt(0)] === behind.charAt(1) && behind.length > 1;
  const put = isEmpty ? { inner: "", rest: behind.slice(2).trim() } : quotedStart(behind);
  const tail = put?.rest.toLowerCase().replace(".", "").trim();
  if (!put || (tail !== "" && tail !== "everywhere")) return null;
  const parts = agent.skill.split(old.inner);
  const count = parts.length - 1;
  if (count === 0)
    return { ok: false, problem: `The skill does not say “${cut(old.inner, 100)}”.` };
  if (count > 1 && tail === "")
    return {
      ok: false,
      problem:
        `It stands in the skill ${count} times. Quote more of the text around it, or end with ` +
        "everywhere.",
    };
  const length = agent.skill.length + count * (put.inner.length - old.inner.length);
  if (length > SKILL_CONTENT_MAX_CHARACTERS)
    return { ok: false, problem: "The skill would be too long." };
  return {
    ok: true,
    agent: { ...agent, skill: parts.join(put.inner) },
    done:
      `Replaced “${cut(old.inner, 100)}” by “${cut(put.inner, 100)}” in the ` +
      `skill${count > 1 ? `, ${count} times` : ""}.`,
  };
}

const VERBS: { [word: string]: "add" | "change" | "remove" } = {
  add: "add",
  insert: "add",
  change: "change",
  replace: "change",
  remove: "remove",
  delete: "remove",
};

function isItemWord(word: Word | undefined): boolean {
  return ["step", "rule", "line"].includes(word?.lower ?? "");
}

/** `add step 2: TEXT`, `change rule 1 to: TEXT`, `remove line 3`. */
function changeItem(agent: EditedAgent, order: string, words: readonly Word[]): Applied | null {
  const verb = VERBS[words[0]?.lower ?? ""];
  const skip = ["a", "the"].includes(words[1]?.lower ?? "") ? 2 : 1;
  // One of them, or no item's word.
  const kind = words[skip]?.lower as ItemKind | "line" | undefined;
  if (!verb || !isItemWord(words[skip]) || kind === undefined) return null;
  const rest = order.slice(words[skip]?.end).trim();
  const { number, behind } = leadingNumber(rest);
  if (verb === "remove")
    return number === null || !["", "."].includes(behind)
      ? null
      : changeAt(agent, kind, verb, number, "");
  const text = textBehind(behind, verb === "change");
  if (text === null || (verb === "change" && number === null)) return null;
  return changeAt(agent, kind, verb, number, text);
}

/** A number that a text begins with, to a word's end. */
function leadingNumber(text: string): { number: number | null; behind: string } {
  let end = 0;
  while (end < 6 && "0123456789".includes(text.charAt(end) || " ")) end += 1;
  if (end === 0) return { number: null, behind: text };
  return { number: Number(text.slice(0, end)), behind: text.slice(end).trim() };
}

/** What stands behind a colon, or in quotes; of a change also behind `to`, `with` or `by`. */
function textBehind(text: string, isChange: boolean): string | null {
  const link = isChange && ["to", "with", "by"].find((word) => text.toLowerCase().startsWith(word));
  const rest = link ? text.slice(link.length).trim() : text;
  if (rest.startsWith(":")) return unquoted(rest.slice(1)) || null;
  const quoted = quotedStart(rest);
  return quoted && ["", "."].includes(quoted.rest) ? quoted.inner : null;
}

function changeAt(
  agent: EditedAgent,
  kind: ItemKind | "line",
  verb: "add" | "change" | "remove",
  number: number | null,
  text: string,
): Applied {
  const there = kind === "line" ? agent.skill.split("\n") : itemsOf(agent.skill, kind);
  const at = number === null ? there.length : number - 1;
  const last = verb === "add" ? there.length : there.length - 1;
  if (at < 0 || at > last)
    return { ok: false, problem: `There is no ${kind} ${number}: there are ${there.length}.` };
  const remove = verb === "add" ? 0 : 1;
  const put = verb === "remove" ? [] : [text];
  const skill =
    kind === "line"
      ? [...there.slice(0, at), ...put, ...there.slice(at + remove)].join("\n")
      : changeItems(agent.skill, kind, at, remove, put);
  const what = `${kind} ${at + 1}`;
  const done =
    verb === "remove"
      ? `Removed ${what}: “${cut(there[at] ?? "", 200)}”.`
      : `${verb === "add" ? "Added" : "Changed"} ${what}: “${cut(text, 200)}”.`;
  return { ok: true, agent: { ...agent, skill }, done };
}
