import "server-only";
import type { JsonObject } from "@/lib/model/json-schema/json-value";

/** A run's `input` as the user's message: plain when it is one text, else its JSON. */
export function renderInput(input: JsonObject): string {
  const entries = Object.entries(input);
  const [only] = entries;
  if (entries.length === 0) return "Do what your skill says.";
  if (entries.length === 1 && only !== undefined && typeof only[1] === "string" && only[1].trim() !== "" && isPlainKey(only[0]))
    return only[1];
  return `Input:\n${JSON.stringify(input, null, 1)}`;
}

/** Keys that add nothing to the text that they hold. */
function isPlainKey(key: string): boolean {
  return ["request", "input", "message", "prompt", "question", "task", "text", "query"].includes(key);
}
