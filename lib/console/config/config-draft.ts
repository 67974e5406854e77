import { detailsOf } from "@/lib/console/api";
import type { AgentConfig } from "@/lib/model/agent-config/agent-config-schema";
import {
  type CheckAgentConfigOptions,
  checkAgentConfig,
  configWarnings,
} from "@/lib/model/agent-config/check-agent-config";
import { rewriteConfigText } from "@/lib/model/agent-config/config-text";
import type { HttpToolEntry } from "@/lib/model/agent-config/openapi-tools";
import { loadYaml } from "@/lib/model/agent-config/yaml/load-yaml";
import { CONFIG_CONTENT_MAX_CHARACTERS } from "@/lib/model/limits";

interface CheckedDraft {
  /** Null while the text is refused. */
  config: AgentConfig | null;
  problems: TextProblem[];
}

/**
 * What the service would say to a config's text, by the same rules, and what is allowed but
 * probably not meant. Never throws.
 */
export function checkConfigDraft(
  text: string,
  options: CheckAgentConfigOptions = {},
): CheckedDraft {
  const loaded = loadYaml(text, { maxCharacters: CONFIG_CONTENT_MAX_CHARACTERS });
  if (!loaded.ok)
    return {
      config: null,
      problems: loaded.errors.map((error) => ({ ...error, severity: "error" })),
    };
  const checked = checkAgentConfig(loaded.value, options);
  if (!checked.ok)
    return {
      config: null,
      problems: checked.issues.map((issue) => ({ ...loaded.errorAt(issue), severity: "error" })),
    };
  const problems = configWarnings(checked.config).map((issue) => ({
    ...loaded.errorAt(issue),
    severity: "warning" as const,
  }));
  return { config: checked.config, problems };
}

const PLACE = /^line \d+, column \d+: /;

/**
 * The places of a text that a refusal names; empty when it is about something else. `field` is the
 * request's name of the text.
 */
export function toTextProblems(error: Error, field: string): TextProblem[] {
  return detailsOf(error).flatMap(({ path, message, line, column }) => {
    if (line === undefined || column === undefined) return [];
    if (path !== field && !path.startsWith(`${field}.`)) return [];
    return [
      {
        line,
        column,
        path: path.slice(field.length + 1),
        message: message.replace(PLACE, ""),
        severity: "error" as const,
      },
    ];
  });
}

/**
 * Something wrong at one place of a text; `line` and `column` count from 1, `path` is dotted and
 * empty for a fault of syntax.
 */
export interface TextProblem {
  line: number;
  column: number;
  path: string;
  message: string;
  severity: "error" | "warning";
}

/**
 * A config's text with these entries in its `tools.http`; one of the same name takes the place of
 * the old one. All else stays as it is written, comments too.
 * Null while the text itself does not fit: there is no config to add to.
 */
export function insertHttpTools(text: string, tools: readonly HttpToolEntry[]): string | null {
  const { config } = checkConfigDraft(text);
  if (!config) return null;
  const names = new Map(tools.map((tool) => [tool.name, tool]));
  const kept = (config.tools?.http ?? []).map((tool) => names.get(tool.name) ?? tool);
  const added = tools.filter(({ name }) => !kept.some((tool) => tool.name === name));
  return rewriteConfigText(text, {
    ...config,
    tools: { ...config.tools, http: [...kept, ...added] },
  });
}
