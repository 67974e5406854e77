import "server-only";
import { isJsonObject, type JsonObject } from "@/lib/model/json-schema/json-value";
import type { AgentEdit } from "./agent-editing";
import { numberOf } from "./table/question-words";

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
export const configEdits: readonly AgentEdit[] = [changeModel, changeLimits, changeAutonomy, addStarter, changeTools];

function objectAt(config: JsonObject, key: string): JsonObject {
  const value = config[key];
  return isJsonObject(value) ? value : {};
}
