import { isMap, isScalar, isSeq, type ParsedNode, type YAMLMap } from "yaml";
import type { JsonObject, JsonValue } from "@/lib/model/json-schema/json-value";
import type { YamlFault } from "./scan-yaml";

/** Thrown at the first thing in a tree that JSON cannot say. */
class PlainValueError extends Error {
  readonly offset: number;

  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

/**
 * The JSON value of a composed tree, or the first fault: a key that is no plain text, the same key twice, `__proto__`, a number
 * that JSON cannot write. It is linear in the tree, unlike the library's own look for duplicate keys, and it recurses no deeper
 * than `scanYaml` let the text nest.
 */
export function toPlainValue(node: ParsedNode | null): { ok: true; value: JsonValue } | { ok: false; fault: YamlFault } {
  try {
    return { ok: true, value: plain(node) };
  } catch (error) {
    if (error instanceof PlainValueError) return { ok: false, fault: { offset: error.offset, message: error.message } };
    throw error;
  }
}

function plain(node: unknown): JsonValue {
  if (isMap(node)) return plainMap(node);
  if (isSeq(node)) return node.items.map(plain);
  if (node === null || node === undefined) return null;
  if (!isScalar(node)) throw new PlainValueError(offsetOf(node), "This is not allowed here.");
  const { value } = node;
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new PlainValueError(offsetOf(node), "Must be a finite number.");
    // JSON storage does not keep the sign of zero.
    return value === 0 ? 0 : value;
  }
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  throw new PlainValueError(offsetOf(node), "Must be a plain value.");
}

function plainMap(map: YAMLMap): JsonObject {
  const object: JsonObject = {};
  for (const { key, value } of map.items) {
    if (!isScalar(key) || typeof key.value !== "string") throw new PlainValueError(offsetOf(key ?? map), "A key must be plain text.");
    if (key.value === "__proto__") throw new PlainValueError(offsetOf(key), "The key __proto__ is not allowed.");
    if (Object.hasOwn(object, key.value)) throw new PlainValueError(offsetOf(key), `The key ${key.value.slice(0, 100)} stands here twice.`);
    object[key.value] = plain(value);
  }
  return object;
}

function offsetOf(node: unknown): number {
  const range = typeof node === "object" && node !== null && "range" in node ? node.range : null;
  return Array.isArray(range) && typeof range[0] === "number" ? range[0] : 0;
}
