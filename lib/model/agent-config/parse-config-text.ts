import { atOnce } from "@/lib/model/at-once";
import { CONFIG_CONTENT_MAX_CHARACTERS } from "@/lib/model/limits";
import type { AgentConfig } from "./agent-config-schema";
import { type CheckAgentConfigOptions, checkAgentConfig } from "./check-agent-config";
import { loadYamlInSteps } from "./yaml/load-yaml";
import type { TextError } from "./yaml/text-error";

/** What `parseConfigText` answers: at most 20 errors, each with its place in the text. */
export type ParsedConfigText = { ok: true; config: AgentConfig } | { ok: false; errors: TextError[] };

/**
 * Reads an agent config from YAML text, which may be hostile: cost and memory are bounded (see `loadYaml`), and nothing is
 * thrown. Errors of syntax have an empty `path`; errors of the schema name it, and all have line and column.
 */
export function parseConfigText(text: string, options: CheckAgentConfigOptions = {}): ParsedConfigText {
  return atOnce(parseConfigTextInSteps(text, options));
}

/** The same in small steps. */
export function* parseConfigTextInSteps(text: string, options: CheckAgentConfigOptions = {}): Generator<void, ParsedConfigText, void> {
  const loaded = yield* loadYamlInSteps(text, { maxCharacters: CONFIG_CONTENT_MAX_CHARACTERS });
  if (!loaded.ok) return loaded;
  yield;
  const checked = checkAgentConfig(loaded.value, options);
  if (checked.ok) return checked;
  return { ok: false, errors: checked.issues.map(loaded.errorAt) };
}
