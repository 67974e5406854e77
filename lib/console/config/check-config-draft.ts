import type { AgentConfig } from "@/lib/model/agent-config/agent-config-schema";
import { type CheckAgentConfigOptions, checkAgentConfig, configWarnings } from "@/lib/model/agent-config/check-agent-config";
import { loadYaml } from "@/lib/model/agent-config/yaml/load-yaml";
import { CONFIG_CONTENT_MAX_CHARACTERS } from "@/lib/model/limits";
import type { TextProblem } from "./text-problem";

export interface CheckedDraft {
  /** Null while the text is refused. */
  config: AgentConfig | null;
  problems: TextProblem[];
}

/** What the service would say to a config's text, by the same rules, and what is allowed but probably not meant. Never throws. */
export function checkConfigDraft(text: string, options: CheckAgentConfigOptions = {}): CheckedDraft {
  const loaded = loadYaml(text, { maxCharacters: CONFIG_CONTENT_MAX_CHARACTERS });
  if (!loaded.ok) return { config: null, problems: loaded.errors.map((error) => ({ ...error, severity: "error" })) };
  const checked = checkAgentConfig(loaded.value, options);
  if (!checked.ok) return { config: null, problems: checked.issues.map((issue) => ({ ...loaded.errorAt(issue), severity: "error" })) };
  const problems = configWarnings(checked.config).map((issue) => ({ ...loaded.errorAt(issue), severity: "warning" as const }));
  return { config: checked.config, problems };
}
