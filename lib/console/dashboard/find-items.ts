import { andThen, type Finding } from "@/lib/console/dashboard/finding";
import { readField } from "@/lib/model/dashboard/json-pointer";
import { isJsonObject, type JsonValue } from "@/lib/model/json-schema/json-value";

export interface ListItem {
  /** The key, where the list is one object. */
  name: string | null;
  value: JsonValue;
}

const ITEMS_MAX = 100;

/** A list's items; of each, what `field` names. One object is an item per key, a plain value the only item. */
export function findItems(source: Finding<JsonValue>, field: string | undefined): Finding<{ items: ListItem[]; omitted: number }> {
  return andThen(source, (value) => {
    const all = itemsOf(value).map(({ name, value: item }) => ({
      name,
      value: field === undefined ? item : (readField(item, field) ?? null),
    }));
    if (all.length === 0) return { state: "missing", why: "The list is empty." };
    if (field !== undefined && all.every((item) => item.value === null)) return { state: "unfit", why: `No item has ${field}.` };
    return { state: "there", value: { items: all.slice(0, ITEMS_MAX), omitted: Math.max(0, all.length - ITEMS_MAX) } };
  });
}

function itemsOf(value: JsonValue): ListItem[] {
  if (Array.isArray(value)) return value.map((item) => ({ name: null, value: item }));
  if (isJsonObject(value)) return Object.entries(value).map(([name, own]) => ({ name, value: own }));
  return value === null ? [] : [{ name: null, value }];
}
