import "server-only";
import { isJsonObject, type JsonObject } from "@/lib/model/json-schema/json-value";
import type { AgentEditing } from "./agent-editing";
import { AGENT_EDITS } from "./agent-edits";
import { sentencesOf } from "./words";

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
