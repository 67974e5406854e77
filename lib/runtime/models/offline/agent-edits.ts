import "server-only";
import { type AgentEdit, unquote } from "./agent-editing";
import { configEdits } from "./config-edits";

import { skillEdits } from "./skill-edits";

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
export const AGENT_EDITS: readonly AgentEdit[] = [describe, rename, ...configEdits, ...skillEdits];
