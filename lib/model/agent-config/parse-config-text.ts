import { CONFIG_CONTENT_MAX_CHARACTERS } from "@/lib/model/limits";
import type { AgentConfig } from "./agent-config-schema";
import { type CheckAgentConfigOptions, checkAgentConfig } from "./check-agent-config";
import { loadYaml } from "./yaml/load-yaml";
import type { TextError } from "./yaml/text-error";

/** What `parseConfigText` answers: at most 20 errors, each with its place in the text. */
export type ParsedConfigText = { ok: true; config: AgentConfig } | { ok: false; errors: TextError[] };

/**
 * Reads an agent config from YAML text, which may be hostile: cost and memory are bounded (see `loadYaml`), and nothing is
 * thrown. Errors of syntax have an empty `path`; errors of the schema name it, and all have line and column.
 */
export function parseConfigText(text: string, options: CheckAgentConfigOptions = {}): ParsedConfigText {
  const loaded = loadYaml(text, { maxCharacters: CONFIG_CONTENT_MAX_CHARACTERS });
  if (!loaded.ok) return loaded;
  const checked = checkAgentConfig(loaded.value, options);
  if (checked.ok) return checked;
  return { ok: false, errors: checked.issues.map(loaded.errorAt) };
}
