import "server-only";
import { isJsonObject, type JsonObject } from "@/lib/model/json-schema/json-value";
import { type AgentEdit, type AgentEditing, unquote } from "./agent-editing";
import { skillEdits } from "./skill-edits";
import { numberOf } from "./table/question-words";
import { sentencesOf } from "./words";

const TOOL_NAMES: [pattern: RegExp, tool: string][] = [
  [/\bweb[_ ]?search|search the web|searching\b/i, "web_search"],
  [/\bweb[_ ]?fetch|fetch(?:ing)? (?:web )?pages|web access|browsing\b/i, "web_fetch"],
  [/\bjavascript|run_javascript|code (?:tool|execution)|calculations?\b/i, "run_javascript"],
  [/\bworkspace[_ ]?files?|file (?:access|tool)\b/i, "workspace_files"],
  [/\bto-?do(?:s| list)?\b/i, "todo"],
  [/\bartifacts?\b/i, "artifacts"],
];
const ALL_TOOLS = ["workspace_files", "web_fetch", "web_search", "run_javascript", "todo", "artifacts"];

const changeModel: AgentEdit = (agent, order) => {
  const found =
    /^(?:use|switch to|change|set|run on|make it use)\b.*?\bmodel\b.*?([\w.-]+\/[\w.:-]+)|^(?:use|switch to)\s+([\w.-]+\/[\w.:-]+)/i.exec(
      order,
    );
  const model = (found?.[1] ?? found?.[2])?.replace(/[.]+$/, "");
  if (!model) return false;
  if (!agent.models.includes(model)) agent.done.push(`The model “${model}” is not in the published list, so it stays as it is.`);
  else {
    agent.config.model = model;
    agent.done.push(`It now uses ${model}.`);
  }
  return true;
};

const SCALES: Record<string, number> = { second: 1, minute: 60, hour: 3600 };

const changeLimits: AgentEdit = (agent, order) => {
  if (!/\b(?:set|change|limit|raise|lower|increase|decrease|allow|give|reduce|use|make)\b/i.test(order)) return false;
  const value = (order.match(/\d[\d,.]*|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b/gi) ?? [])
    .map((word) => numberOf(word.replace(/[.,]$/, "")))
    .findLast((number) => number !== null);
  if (value === undefined || value === null) return false;
  const setLimit = (key: string, amount: number, text: string) => {
    agent.config.limits = { ...objectAt(agent.config, "limits"), [key]: amount };
    agent.done.push(text);
    return true;
  };
  if (/\b(?:max(?:imum)?[_ ]?steps|steps? limit|limit of steps|turns)\b/i.test(order))
    return setLimit("max_steps", value, `It may take ${value} turns.`);
  if (/\b(?:time ?out|time limit|seconds|minutes|hours)\b/i.test(order) && !/\bapproval\b/i.test(order)) {
    const seconds = value * (SCALES[/\b(second|minute|hour)s?\b/i.exec(order)?.[1]?.toLowerCase() ?? "second"] ?? 1);
    return setLimit("timeout_seconds", seconds, `Its time limit is ${seconds} seconds.`);
  }
  if (/\b(?:credits?|budget)\b/i.test(order)) return setLimit("max_credits", value, `A run may cost ${value} credits.`);
  if (/\btemperature\b/i.test(order)) {
    agent.config.model_settings = { ...objectAt(agent.config, "model_settings"), temperature: value };
    agent.done.push(`The temperature is ${value}.`);
    return true;
  }
  return false;
};

const changeTools: AgentEdit = (agent, order) => {
  const isOff = /^(?:remove|disable|forbid|drop|take away|turn off|stop using|do not (?:use|allow)|don't (?:use|allow)|without)\b/i.test(
    order,
  );
  const isOn = /^(?:add|enable|allow|give|turn on|let it use|use)\b/i.test(order);
  if (!isOff && !isOn) return false;
  if (/\b(?:step|rule|starter)\b/i.test(order) || order.length > 120) return false;
  const named = TOOL_NAMES.filter(([pattern]) => pattern.test(order)).map(([, tool]) => tool);
  if (named.length === 0) return false;
  const tools = objectAt(agent.config, "tools");
  const present = Array.isArray(tools.builtin) ? tools.builtin : ALL_TOOLS;
  const next = ALL_TOOLS.filter((tool) => (named.includes(tool) ? isOn : present.includes(tool)));
  agent.config.tools = { ...tools, builtin: next };
  agent.done.push(`${isOn ? "Added" : "Removed"} the tool${named.length === 1 ? "" : "s"} ${named.join(", ")}.`);
  return true;
};

const changeAutonomy: AgentEdit = (agent, order) => {
  const wanted = /\b(?:full[_ ]?auto|without asking|no approvals?|fully autonom)/i.test(order)
    ? "full_auto"
    : /\b(?:approval[_ ]?required|require approval|ask (?:me |us )?(?:first|before)|with approval|needs? approval)/i.test(order)
      ? "approval_required"
      : /\b(?:block(?:ed)? (?:all )?(?:external )?writes?|read[- ]only|autonomy (?:to )?blocked|never write outside)/i.test(order)
        ? "blocked"
        : null;
  if (wanted === null) return false;
  agent.autonomy = wanted;
  agent.done.push(`Its write autonomy is ${wanted}.`);
  return true;
};

const addStarter: AgentEdit = (agent, order) => {
  const text = /^add (?:a |an |the )?(?:starter|example(?: request)?)\b[:\s]*["“]?(.+?)["”]?[.]?$/i.exec(order)?.[1]?.trim();
  if (!text) return false;
  agent.config.starters = [...(Array.isArray(agent.config.starters) ? agent.config.starters : []), text.slice(0, 500)];
  agent.done.push("Added a starter.");
  return true;
};

/** Orders about the config. */
const configEdits: readonly AgentEdit[] = [changeModel, changeLimits, changeAutonomy, addStarter, changeTools];

function objectAt(config: JsonObject, key: string): JsonObject {
  const value = config[key];
  return isJsonObject(value) ? value : {};
}

export interface EditOutcome {
  /** The arguments of `edit_agent`; null when nothing was understood. */
  change: JsonObject | null;
  explanation: string;
}

const READ_MAX_CHARACTERS = 8000;

/** Applies plain orders to an agent, given as JSON. What it does not understand it says, and changes nothing for it. */
export function editAgent(current: string, request: string, models: string | null): EditOutcome {
  const before = readAgent(current, models);
  const agent: AgentEditing = { ...before, config: structuredClone(before.config), done: [] };
  const unread = splitOrders(request.slice(0, READ_MAX_CHARACTERS)).filter((order) => !AGENT_EDITS.some((edit) => edit(agent, order)));
  const change = difference(before, agent);
  const missed = unread.map((order) => `“${order.slice(0, 200)}”`).join(", ");
  if (Object.keys(change).length === 0) {
    const why =
      agent.done.length > 0 ? agent.done.join(" ") : `The built-in rule-based model did not understand ${missed || "the request"}.`;
    return {
      change: null,
      explanation: `Nothing was changed. ${why} It can rename the agent, change its description, tone or language, add, remove or replace steps and rules, and set the model, limits, tools, autonomy and schedule notes.`,
    };
  }
  const summary = [...agent.done, ...(missed ? [`Not understood and left out: ${missed}.`] : [])].join(" ").slice(0, 1900);
  return { change: { ...change, summary }, explanation: summary };
}

function readAgent(current: string, models: string | null): AgentEditing {
  let value: unknown = null;
  try {
    value = JSON.parse(current);
  } catch {
    value = null;
  }
  const agent = isJsonObject(value) ? value : {};
  const text = (key: string) => (typeof agent[key] === "string" ? agent[key] : "");
  const config = isJsonObject(agent.config) ? agent.config : { version: 1 };
  return {
    name: text("name"),
    description: text("description"),
    skill: text("skill_content"),
    config,
    autonomy: text("write_autonomy"),
    done: [],
    models: (models ?? "").split(", ").filter(Boolean),
  };
}

/** Sentences, and orders joined within one; quoted text stays whole. */
function splitOrders(request: string): string[] {
  const quotes: string[] = [];
  const masked = request.replace(/["“][^"”]{1,2000}["”]/g, (quote) => `\uE000${quotes.push(quote) - 1}\uE000`);
  const orders = sentencesOf(masked).flatMap((sentence) =>
    sentence.split(
      /\s*(?:;|,?\s+and\s+(?:also\s+|then\s+)?|,\s*(?:also|then)\s+)(?=(?:please\s+)?(?:add|remove|delete|drop|rename|call|change|set|make|replace|switch|use|allow|enable|disable|always|never|do not|don't|raise|lower|increase|limit|insert|turn|answer|reply|respond|write|speak|be|keep|run|schedule|ask|let)\b)/i,
    ),
  );
  return orders
    .map((order) =>
      order
        .replace(/\uE000(\d+)\uE000/g, (_, index) => quotes[Number(index)] ?? "")
        .replace(/^please\s+/i, "")
        .replace(/[;,\s]+$/, "")
        .trim(),
    )
    .filter(Boolean);
}

function difference(before: AgentEditing, after: AgentEditing): JsonObject {
  return {
    ...(after.name !== before.name && { name: after.name }),
    ...(after.description !== before.description && { description: after.description }),
    ...(after.skill !== before.skill && { skill_content: after.skill }),
    ...(JSON.stringify(after.config) !== JSON.stringify(before.config) && { config: after.config }),
    ...(after.autonomy !== before.autonomy && { write_autonomy: after.autonomy }),
  };
}

const TO = String.raw`\s+(?:to|as|into|:|=)\s*:?\s*`;

const rename: AgentEdit = (agent, order) => {
  const found =
    new RegExp(`^(?:rename|change|set|update)\\b.{0,40}?\\b(?:name|title|agent|it|this)\\b${TO}(.+)$`, "i").exec(order) ??
    /^(?:call|name)\s+(?:it|the agent|this agent|this)\s+(.+)$/i.exec(order);
  if (!found || /\bdescription\b/i.test(found[0].slice(0, found[0].length - (found[1]?.length ?? 0)))) return false;
  const name = unquote(found[1] ?? "").slice(0, 255);
  if (name === "") return false;
  agent.skill = agent.skill.replace(/^# .*$/m, (heading) => (heading === `# ${agent.name}` ? `# ${name}` : heading));
  agent.name = name;
  agent.done.push(`Renamed the agent to “${name}”.`);
  return true;
};

const describe: AgentEdit = (agent, order) => {
  const found = new RegExp(
    `^(?:change|set|update|make|replace|rewrite)\\b.{0,40}?\\bdescription\\b(?:${TO}|\\s+(?:say|read)\\s+)(.+)$`,
    "is",
  ).exec(order);
  if (!found) return false;
  agent.description = unquote(found[1] ?? "");
  agent.done.push("Changed the description.");
  return true;
};

/** Orders in the sequence in which they are tried. */
const AGENT_EDITS: readonly AgentEdit[] = [describe, rename, ...configEdits, ...skillEdits];
