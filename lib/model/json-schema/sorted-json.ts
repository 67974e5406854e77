import { isJsonObject, type JsonValue } from "./json-value";
import type { WorkBudget } from "./work-budget";

/** Making a value's text takes as long as so many steps of other checks. */
const VALUE_STEPS = 10;

/** JSON text with sorted keys: equal values have equal texts. Long texts cost more. */
export function sortedJson(value: JsonValue | undefined, budget: WorkBudget): string {
  budget.spend(VALUE_STEPS + (typeof value === "string" ? Math.floor(value.length / 16) : 0));
  if (Array.isArray(value)) return `[${value.map((item) => sortedJson(item, budget)).join(",")}]`;
  if (!isJsonObject(value)) return JSON.stringify(value) ?? "null";
  const pairs = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${sortedJson(value[key], budget)}`);
  return `{${pairs.join(",")}}`;
}
