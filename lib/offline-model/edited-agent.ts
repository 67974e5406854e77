import "server-only";
import { checkAgentConfig } from "@/lib/model/agent-config/check-agent-config";
import { isJsonObject, type JsonObject } from "@/lib/model/json-schema/json-value";

/** An agent while orders are applied to it. */
export interface EditedAgent {
  name: string;
  description: string;
  skill: string;
  config: JsonObject;
  autonomy: string;
}

/** What came of an order: what was done, or why it was not although it was understood. */
export type Applied = { done: string } | { refused: string };
/** One kind of order; null when it is not of this kind, all of it. */
export type Edit = (agent: EditedAgent, order: string, models: readonly string[]) => Applied | null;

/** Sets a part of the config, if the config may be so. */
export function setConfig(agent: EditedAgent, part: JsonObject, done: string): Applied {
  const config = { ...agent.config, ...part };
  const checked = checkAgentConfig(config);
  if (!checked.ok) return { refused: checked.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ") };
  agent.config = config;
  return { done };
}

export function objectAt(config: JsonObject, key: string): JsonObject {
  const value = config[key];
  return isJsonObject(value) ? value : {};
}
