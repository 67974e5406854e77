import "server-only";
import type { AgentDraft } from "@/lib/domain/agents/check-agent-draft";
import { CONNECTION_SCOPE } from "@/lib/domain/connections/connection-store";
import type { BuildDraft } from "@/lib/domain/execution/build-draft";
import type { LoadedRun } from "@/lib/domain/execution/load-run";
import {
  LISTED_TOOL_NAMES,
  MEMORY_TOOL_NAME,
  READ_SKILL_TOOL_NAME,
} from "@/lib/model/agent-config/built-in-tools";
import { serverUrlOf } from "@/lib/model/agent-config/connector-url";
import { effectiveConfig } from "@/lib/model/agent-config/effective-config";
import { hostsIn, hostsInJson } from "@/lib/model/agent-config/web-hosts";
import { isJsonObject, type JsonValue } from "@/lib/model/json-schema/json-value";
import type { BuildReport } from "@/lib/model/run/run-result";
import {
  READ_CONNECTOR_TOOL,
  READ_WORKSPACE_TOOL,
  TRY_AGENT_TOOL,
} from "@/lib/runtime/prompts/agent-tools";

export interface Lint {
  /** What cannot work as it stands. */
  problems: string[];
  /** What may be meant so. */
  warnings: string[];
  /** What the account has to add. */
  needs: BuildReport["needs"];
}

/**
 * What a draft that may be stored lacks all the same: tools that its skill names and it has not,
 * secrets that the account has not, inputs that nobody uses.
 */
export function lintDraft(
  draft: Pick<AgentDraft, "skillContent" | "config">,
  secretNames: readonly string[],
): Lint {
  const config = effectiveConfig(draft.config);
  const connectors = [...config.tools.http, ...config.tools.mcp];
  const inputs = Object.keys(
    isJsonObject(config.inputs?.properties) ? config.inputs.properties : {},
  );
  const has = (tool: string) =>
    [
      READ_SKILL_TOOL_NAME,
      ...config.tools.builtin,
      ...[...connectors, ...config.tools.client].map(({ name }) => name),
    ].includes(tool) ||
    (config.tools.memory && tool === MEMORY_TOOL_NAME) ||
    config.tools.mcp.some(
      ({ name, tools }) => tool.startsWith(`${name}__`) || tools === null || tools.includes(tool),
    );
  const missing = toolsNamedIn(draft.skillContent).filter(
    (tool) => !has(tool) && !inputs.includes(tool),
  );
  const needs = connectors.flatMap(({ name, url, auth_secret }) =>
    auth_secret === undefined || secretNames.includes(auth_secret)
      ? []
      : [
          {
            kind: "secret" as const,
            text: `The secret ${auth_secret}, which the connector ${name} sends to ${hostOf(url)}.`,
          },
        ],
  );
  const signIns = config.tools.mcp.flatMap(({ name, url, auth }) =>
    auth !== "oauth" || secretNames.includes(`${CONNECTION_SCOPE}${serverUrlOf(url)}`)
      ? []
      : [
          {
            kind: "connector" as const,
            text: `A sign-in to ${hostOf(url)} for the connector ${name}, under Connections in the console.`,
          },
        ],
  );
  return {
    problems: missing.map(
      (tool) => `The skill says to use \`${tool}\`, and the agent has no tool of this name.`,
    ),
    warnings: inputs
      .filter((input) => !isNamedIn(input, draft.skillContent))
      .map((input) => `The skill says nothing of the input \`${input}\`.`),
    needs: [...needs, ...signIns],
  };
}

/** What a draft of this run lacks, and the agent that it changes did not lack already. */
export function lintOf(run: LoadedRun, { state }: BuildDraft): Lint {
  const secrets = run.secrets.map(({ name }) => name);
  const now = lintDraft(state, secrets);
  if (!run.agent) return now;
  const before = lintDraft(run.agent, secrets);
  const isNew = (known: readonly string[]) => (text: string) => !known.includes(text);
  return {
    problems: now.problems.filter(isNew(before.problems)),
    warnings: now.warnings.filter(isNew(before.warnings)),
    needs: now.needs.filter(({ text }) => !before.needs.some((need) => need.text === text)),
  };
}

/**
 * What to tell a builder that has read files and names hosts which the person did not; null when
 * there are none. A run of the agent may fetch from the hosts that its texts name without asking,
 * even after private data, and a file may be somebody else's: it must not choose them.
 */
export function strangeHosts(run: LoadedRun, { state }: BuildDraft): string | null {
  if (!hasReadFiles(run)) return null;
  const said = run.history.filter(({ role }) => role === "user").map(({ text }) => text);
  const own = run.agent ? hostsOf(run.agent) : [];
  const known = new Set([
    ...[String(run.input.text), ...said].flatMap((text) => [...hostsIn(text)]),
    ...own,
  ]);
  const strange = hostsOf(state).filter((host) => !known.has(host));
  if (strange.length === 0) return null;
  return `The agent would name hosts that the person did not: ${strange.join(", ")}. After files were read that is not stored, for a file may be somebody else's word. Ask the person for the host (outcome question), or leave it out.`;
}

/**
 * Whether a build's model, or that of an earlier build of its conversation, has seen files of a
 * workspace, or what a server says of its tools, which may be somebody else's word: what an earlier
 * one said may carry it on.
 */
export function hasReadFiles(run: Pick<LoadedRun, "turns" | "seenPrivate">): boolean {
  if (run.seenPrivate) return true;
  return run.turns.some(({ content }) =>
    content.some((part) => part.type === "tool-call" && readsFiles(part.toolName, part.input)),
  );
}

/** Whether a call of a build shows its model somebody else's words. */
export function readsFiles(tool: string, input: unknown): boolean {
  return (
    tool === READ_WORKSPACE_TOOL.name ||
    tool === READ_CONNECTOR_TOOL.name ||
    (tool === TRY_AGENT_TOOL.name &&
      typeof input === "object" &&
      input !== null &&
      "workspace" in input)
  );
}

function hostsOf({ skillContent, config }: Pick<AgentDraft, "skillContent" | "config">): string[] {
  return [...hostsIn(skillContent), ...hostsInJson(config as JsonValue)]; // a config is JSON
}

/** Words that make a name in code marks one of a tool, and not of a column or a file. */
const TOOL_NAMED =
  /\b(?:call|calls|calling|use|uses|using|via|through|tool|tools|invoke|with|by) (?:the )?(?:tool )?`([a-z][a-z0-9_]{2,63})`|`([a-z][a-z0-9_]{2,63})`(?= tool\b)/gi;
const NEGATION = /\b(?:never|not|without|no|avoid|n't)\b/i;
/** How far before a name a word may stand that forbids it. */
const NEGATION_REACH_CHARACTERS = 47;

/** Whether the clause before a place in a text forbids what is named there. */
function isNegated(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - NEGATION_REACH_CHARACTERS), at);
  return NEGATION.test(
    before.slice(Math.max(before.lastIndexOf("."), before.lastIndexOf("\n")) + 1),
  );
}
/**
 * `by` and `with` lead to columns as well: there only what looks like a verb and its object counts.
 */
const VERB =
  /^(?:add|append|book|call|cancel|close|create|delete|fetch|find|get|list|open|post|publish|query|read|search|send|set|submit|update|upload|web|write)_/;

function toolsNamedIn(skill: string): string[] {
  const named = new Set<string>();
  for (const match of skill.matchAll(TOOL_NAMED)) {
    const name = match[1] ?? match[2] ?? "";
    const isWeak = /^(?:by|with)\b/i.test(match[0]);
    if (!isNegated(skill, match.index) && (!isWeak || VERB.test(name))) named.add(name);
  }
  for (const name of LISTED_TOOL_NAMES.filter((tool) => tool.includes("_"))) {
    for (const { index } of skill.matchAll(new RegExp(`(?<![\\w])${name}(?![\\w])`, "g")))
      if (!isNegated(skill, index)) named.add(name);
  }
  return [...named];
}

/** `order_id` is named by "the order id", too. */
function isNamedIn(input: string, skill: string): boolean {
  const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ");
  const words = plain(input.replace(/([a-z])([A-Z])/g, "$1 $2")).trim();
  return (
    words === "" ||
    plain(skill).includes(words) ||
    ["request", "input", "question", "message", "text"].includes(words)
  );
}

/** The host alone: an address may carry a token in its path or query. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "its address";
}
