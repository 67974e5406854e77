import { Document } from "yaml";
import { type JsonValue, sameJson } from "@/lib/model/json-schema/json-value";
import { WorkBudget } from "@/lib/model/json-schema/work-budget";
import { CONFIG_CONTENT_MAX_CHARACTERS } from "@/lib/model/limits";
import { type AgentConfig, agentConfigSchema } from "./agent-config-schema";
import { loadYaml } from "./yaml/load-yaml";

/**
 * The YAML text that says exactly `config`, with its keys in the order of the documentation. A config that `checkAgentConfig`
 * let through always fits: where indentation would make the text too long, it is written as JSON, which is YAML too.
 */
export function configToText(config: AgentConfig): string {
  const order = Object.keys(agentConfigSchema.shape);
  const entries = Object.entries(config).sort(([left], [right]) => order.indexOf(left) - order.indexOf(right));
  const document = new Document(Object.fromEntries(entries), { version: "1.2", aliasDuplicateObjects: false });
  const text = document.toString({ lineWidth: 0, flowCollectionPadding: false });
  return saysConfig(text, config) ? text : `${JSON.stringify(config)}\n`.slice(0, CONFIG_CONTENT_MAX_CHARACTERS);
}

/** Whether `text` can be read and says exactly `config`. */
export function saysConfig(text: string, config: AgentConfig): boolean {
  const loaded = loadYaml(text, { maxCharacters: CONFIG_CONTENT_MAX_CHARACTERS });
  // A config is JSON; twice its 8,000 values bound the comparison.
  return loaded.ok && sameJson(loaded.value, config as JsonValue, new WorkBudget(100_000));
}
