import type { JsonValue } from "@/lib/model/json-schema/json-value";
import { CONFIG_CONTENT_MAX_CHARACTERS } from "@/lib/model/limits";
import type { AgentConfig } from "./agent-config-schema";
import { configToText, saysConfig } from "./config-to-text";
import { mergeIntoYaml } from "./merge-into-yaml";
import { loadYaml } from "./yaml/load-yaml";

const PADDED = /[{[] [^\s]/;

/**
 * The YAML text that says exactly `config`, made from `oldText`: comments and the order of keys stay wherever the config stays
 * the same, and a text that says it already comes back untouched. A text that cannot be read, or whose rewriting would say
 * anything else, is replaced by a fresh one. The answer always fits the limits of `parseConfigText`.
 */
export function rewriteConfigText(oldText: string, config: AgentConfig): string {
  if (saysConfig(oldText, config)) return oldText;
  const loaded = loadYaml(oldText.replaceAll("\r\n", "\n"), { maxCharacters: CONFIG_CONTENT_MAX_CHARACTERS });
  if (!loaded.ok) return configToText(config);
  // A config is JSON.
  mergeIntoYaml(loaded.document, config as JsonValue);
  const text = loaded.document.toString({ lineWidth: 0, flowCollectionPadding: PADDED.test(oldText) });
  return saysConfig(text, config) ? text : configToText(config);
}
