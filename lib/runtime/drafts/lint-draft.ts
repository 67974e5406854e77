import "server-only";
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
import { CONNECTION_SCOPE } from "@/lib/model/secret/connection-scope";
import type { AgentDraft } from "@/lib/runtime/drafts/check-agent-draft";

/** The texts of an agent or of a draft that say what it does. */
export type DraftTexts = Pick<AgentDraft, "skillContent" | "config">;

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
  const names = new Set<string>([
    READ_SKILL_TOOL_NAME,
    ...config.tools.builtin,
    ...[...connectors, ...config.tools.client].map(({ name }) => name),
    ...inputs,
  ]);
  const has = (tool: string) =>
    names.has(tool) ||
    (config.tools.memory && tool === MEMORY_TOOL_NAME) ||
    config.tools.mcp.some(
      ({ name, tools }) => tool.startsWith(`${name}__`) || tools === null || tools.includes(tool),
    );
  const missing = toolsNamedIn(draft.skillContent).filter((tool) => !has(tool));
  const words = wordsOf(draft.skillContent);
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
            text:
              `A sign-in to ${hostOf(url)} for the connector ${name}, under Connections in the ` +
              "console.",
          },
        ],
  );
  return {
    problems: missing.map(
      (tool) => `The skill says to use \`${tool}\`, and the agent has no tool of this name.`,
    ),
    warnings: inputs
      .filter((input) => !isNamedIn(input, words))
      .map((input) => `The skill says nothing of the input \`${input}\`.`),
    needs: [...needs, ...signIns],
  };
}

/** What a draft lacks that the agent which it changes did not lack already. */
export function lintChange(
  draft: DraftTexts,
  before: DraftTexts | null,
  secretNames: readonly string[],
): Lint {
  const now = lintDraft(draft, secretNames);
  if (!before) return now;
  const old = lintDraft(before, secretNames);
  const isNew = (known: readonly string[]) => {
    const all = new Set(known);
    return (text: string) => !all.has(text);
  };
  const isNewNeed = isNew(old.needs.map(({ text }) => text));
  return {
    problems: now.problems.filter(isNew(old.problems)),
    warnings: now.warnings.filter(isNew(old.warnings)),
    needs: now.needs.filter(({ text }) => isNewNeed(text)),
  };
}

/** The hosts that a draft names, and neither the agent which it changes nor what was said. */
export function hostsNamedAnew(
  draft: DraftTexts,
  before: DraftTexts | null,
  said: readonly string[],
): string[] {
  const known = new Set([
    ...said.flatMap((text) => [...hostsIn(text)]),
    ...(before ? hostsOf(before) : []),
  ]);
  return hostsOf(draft).filter((host) => !known.has(host));
}

function hostsOf({ skillContent, config }: DraftTexts): string[] {
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

function wordsOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ");
}

/** `order_id` is named by "the order id", too. */
function isNamedIn(input: string, skillWords: string): boolean {
  const words = wordsOf(input.replace(/([a-z])([A-Z])/g, "$1 $2")).trim();
  return (
    words === "" ||
    skillWords.includes(words) ||
    ["request", "input", "question", "message", "text"].includes(words)
  );
}

/** The host alone: an address may carry a token in its path or query. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "its address";
}
