import "server-only";
import type { JsonObject } from "@/lib/model/json-schema/json-value";

export interface OfflineCall {
  name: string;
  input: JsonObject;
}

/** What the offline model does in one turn. */
export interface OfflineTurn {
  reasoning: string;
  text: string;
  calls: OfflineCall[];
}

/** A turn that only speaks. */
export function say(text: string): OfflineTurn {
  return { reasoning: "", text, calls: [] };
}

/** A turn that only calls. */
export function call(calls: OfflineCall[], reasoning = ""): OfflineTurn {
  return { reasoning, text: "", calls };
}
