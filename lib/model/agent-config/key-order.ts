import { loadYaml } from "@/lib/model/agent-config/yaml/load-yaml";
import { isJsonObject, type JsonValue } from "@/lib/model/json-schema/json-value";
import { CONFIG_CONTENT_MAX_CHARACTERS } from "@/lib/model/limits";

/**
 * The order of a value's keys, as lists: `jsonb` forgets the order of an object's keys and keeps
 * that of a list. What has no order of its own, such as a text, is null; of a list the keys are
 * places.
 */
export type KeyOrder = [key: string, within: KeyOrder | null][];

/**
 * The order in which a config's text names its keys; null where the text cannot be read, or there
 * is none. The text is what a person wrote and exports carry, so it decides.
 */
export function keyOrderOfText(configContent: string): KeyOrder | null {
  const loaded = loadYaml(configContent, { maxCharacters: CONFIG_CONTENT_MAX_CHARACTERS });
  return loaded.ok ? keyOrderOf(loaded.value) : null;
}

/** @param value JSON of bounded depth, as `loadYaml` gives it */
export function keyOrderOf(value: JsonValue): KeyOrder | null {
  if (Array.isArray(value)) {
    const ordered = value.flatMap((item, place): KeyOrder => {
      const within = keyOrderOf(item);
      return within === null ? [] : [[String(place), within]];
    });
    return ordered.length > 0 ? ordered : null;
  }
  if (!isJsonObject(value)) return null;
  const keys = Object.entries(value).map(([key, item]): KeyOrder[number] => [
    key,
    keyOrderOf(item),
  ]);
  return keys.length > 1 || keys.some(([, within]) => within !== null) ? keys : null;
}

/**
 * The same value with its keys in this order; keys that the order does not name follow as they
 * came. Numbers as keys come first wherever they were written: JavaScript has it so.
 */
export function inKeyOrder<T>(value: T, order: KeyOrder | null): T {
  return order === null ? value : (reordered(value as JsonValue, order) as T); // only keys move
}

function reordered(value: JsonValue, order: KeyOrder): JsonValue {
  if (Array.isArray(value)) {
    const within = new Map(order);
    return value.map((item, place) => {
      const inner = within.get(String(place));
      return inner ? reordered(item, inner) : item;
    });
  }
  if (!isJsonObject(value)) return value;
  const named = order.filter(([key]) => Object.hasOwn(value, key));
  const known = new Set(named.map(([key]) => key));
  const rest = Object.entries(value).filter(([key]) => !known.has(key));
  // `fromEntries` makes an own key of `__proto__` too.
  return Object.fromEntries([
    ...named.map(([key, inner]): [string, JsonValue] => {
      const item = value[key] as JsonValue; // an own key of the object
      return [key, inner ? reordered(item, inner) : item];
    }),
    ...rest,
  ]);
}
