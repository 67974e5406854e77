import type { z } from "zod";
import { type AgentConfig, agentConfigSchema } from "@/lib/model/agent-config/agent-config-schema";
import {
  agentToolName,
  builtInToolsOf,
  MEMORY_TOOL_NAME,
  namedTools,
} from "@/lib/model/agent-config/built-in-tools";
import { checkJsonValue, type JsonIssue } from "@/lib/model/json-schema/json-value";
import { CONFIG_CONTENT_MAX_CHARACTERS } from "@/lib/model/limits";

/** `isKnownModel` is the model catalogue's word on a name; without it models are not looked up. */
export type CheckAgentConfigOptions = { isKnownModel?: (model: string) => boolean };

/** What `checkAgentConfig` answers. */
type CheckedAgentConfig = { ok: true; config: AgentConfig } | { ok: false; issues: JsonIssue[] };

const CONFIG_MAX_DEPTH = 40;
const CONFIG_MAX_VALUES = 8_000;
const ISSUES_MAX = 20;

/**
 * Checks a `config` object of any origin (at most 20 issues). It is bounded like its text: 131,072
 * characters as JSON, 8,000 values. The config that comes back says exactly what was given; no
 * default is filled in.
 */
export function checkAgentConfig(
  value: unknown,
  { isKnownModel }: CheckAgentConfigOptions = {},
): CheckedAgentConfig {
  const problem = checkJsonValue(value, {
    maxDepth: CONFIG_MAX_DEPTH,
    maxValues: CONFIG_MAX_VALUES,
  });
  if (problem !== null) return { ok: false, issues: [problem] };
  if (JSON.stringify(value).length > CONFIG_CONTENT_MAX_CHARACTERS) {
    return {
      ok: false,
      issues: [
        { path: [], message: `A config has at most ${CONFIG_CONTENT_MAX_CHARACTERS} characters.` },
      ],
    };
  }
  const result = agentConfigSchema.safeParse(value);
  const issues = result.success
    ? modelIssues(result.data, isKnownModel)
    : result.error.issues.flatMap(toIssues);
  if (result.success && issues.length === 0) return { ok: true, config: result.data };
  return { ok: false, issues: issues.slice(0, ISSUES_MAX) };
}

/** One issue for each unknown key, at the key; elsewhere as the schema says it. */
function toIssues(issue: z.core.$ZodIssue): JsonIssue[] {
  // Paths of JSON hold no symbols.
  const path = issue.path as (string | number)[];
  if (issue.code !== "unrecognized_keys") return [{ path, message: issue.message }];
  return issue.keys
    .slice(0, ISSUES_MAX)
    .map((key) => ({ path: [...path, key], message: "Is not a known key.", atKey: true }));
}

function modelIssues(
  config: AgentConfig,
  isKnownModel: ((model: string) => boolean) | undefined,
): JsonIssue[] {
  if (isKnownModel === undefined) return [];
  const issues: JsonIssue[] = [];
  const message = "Is not a model of the published list.";
  if (config.model !== undefined && !isKnownModel(config.model))
    issues.push({ path: ["model"], message });
  for (const [index, model] of (config.fallback_models ?? []).entries()) {
    if (!isKnownModel(model)) issues.push({ path: ["fallback_models", index], message });
  }
  return issues;
}

/**
 * What is allowed in a config but is probably not meant, for an editor to show: permissions that
 * name no tool of the agent, and one name under more than one permission.
 */
export function configWarnings(config: AgentConfig): JsonIssue[] {
  const servers = (config.tools?.mcp ?? []).map(({ name }) => name);
  const names = new Set<string>([...builtInToolsOf(config.tools), ...servers]);
  for (const { name } of [...(config.tools?.http ?? []), ...(config.tools?.client ?? [])])
    names.add(name);
  for (const agent of config.tools?.agents ?? []) names.add(agentToolName(agent));
  if (config.tools?.memory) names.add(MEMORY_TOOL_NAME);
  const isKnown = (name: string) =>
    namedTools([name]).some((one) => names.has(one)) ||
    servers.some((server) => name.startsWith(server));
  const seen = new Set<string>();
  const warnings: JsonIssue[] = [];
  for (const list of ["deny", "ask", "allow"] as const) {
    for (const [index, name] of (config.permissions?.[list] ?? []).entries()) {
      if (!isKnown(name))
        warnings.push({
          path: ["permissions", list, index],
          message: `The agent has no tool named ${name}.`,
        });
      if (seen.has(name))
        warnings.push({
          path: ["permissions", list, index],
          message: `${name} stands here twice: deny beats ask beats allow.`,
        });
      seen.add(name);
    }
  }
  return warnings;
}
