import { isJsonObject, type JsonValue } from "./json-value";
import type { WorkBudget } from "./work-budget";

/** Whether two JSON values are equal; the order of keys does not count. Each value looked at costs one step. */
export function sameJson(left: JsonValue | undefined, right: JsonValue | undefined, budget: WorkBudget): boolean {
  budget.spend(1);
  if (left === right) return true;
  if (Array.isArray(left)) {
    return Array.isArray(right) && left.length === right.length && left.every((item, index) => sameJson(item, right[index], budget));
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => Object.hasOwn(right, key) && sameJson(left[key], right[key], budget));
}
