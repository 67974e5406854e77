import { type Document, isMap, isScalar, isSeq, type Pair } from "yaml";
import type { JsonPath } from "@/lib/model/json-schema/json-path";

/**
 * The offset in the text of the value at `path`, of its key when the value is not written out, or of the nearest thing around
 * it that exists. With `atKey` the key is wanted in any case.
 */
export function locateInYaml(document: Document, path: JsonPath, atKey = false): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const [index, segment] of path.entries()) {
    const pair = isMap(node) ? node.items.find((item) => isScalar(item.key) && item.key.value === String(segment)) : undefined;
    if (pair === undefined && !isSeq(node)) return offset;
    node = pair === undefined ? itemAt(node, segment) : pair.value;
    if (node === undefined) return offset;
    const isKey = atKey && index === path.length - 1;
    offset = (pair === undefined ? startOf(node) : isKey ? startOf(pair.key) : pairStart(pair)) ?? offset;
  }
  return offset;
}

/** A block map or list starts on the line below its key, where nobody would look: there the key is meant. */
function pairStart(pair: Pair): number | null {
  const isPlace = isScalar(pair.value) && pair.value.range?.[0] !== pair.value.range?.[1];
  return isPlace ? startOf(pair.value) : startOf(pair.key);
}

function itemAt(node: unknown, segment: string | number): unknown {
  return isSeq(node) && typeof segment === "number" ? node.items[segment] : undefined;
}

function startOf(node: unknown): number | null {
  const range = typeof node === "object" && node !== null && "range" in node ? node.range : null;
  return Array.isArray(range) && typeof range[0] === "number" ? range[0] : null;
}
