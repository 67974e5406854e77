import "server-only";
import type { JsonObject } from "@/lib/model/json-schema/json-value";

/** An agent while orders are applied to it. */
export interface AgentEditing {
  name: string;
  description: string;
  skill: string;
  config: JsonObject;
  autonomy: string;
  /** What has been done, one sentence each. */
  done: string[];
  models: readonly string[];
}

/** One kind of order. Answers whether it understood; when it did, it has changed the agent or said why not. */
export type AgentEdit = (agent: AgentEditing, order: string) => boolean;

/** A text without the quotes or the full stop around it. */
export function unquote(text: string): string {
  const trimmed = text.trim().replace(/[.!]+$/, "");
  return (/^["“'‘](.*)["”'’]$/s.exec(trimmed)?.[1] ?? trimmed).trim();
}
