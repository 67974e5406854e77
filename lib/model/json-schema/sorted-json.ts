import { isJsonObject, type JsonValue } from "./json-value";
import type { WorkBudget } from "./work-budget";

/** JSON text with sorted keys: equal values have equal texts. Each value costs one step, and long texts more. */
export function sortedJson(value: JsonValue | undefined, budget: WorkBudget): string {
  budget.spend(typeof value === "string" ? 1 + Math.floor(value.length / 16) : 1);
  if (Array.isArray(value)) return `[${value.map((item) => sortedJson(item, budget)).join(",")}]`;
  if (!isJsonObject(value)) return JSON.stringify(value) ?? "null";
  const pairs = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${sortedJson(value[key], budget)}`);
  return `{${pairs.join(",")}}`;
}
