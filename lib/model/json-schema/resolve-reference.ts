import { isJsonObject, type JsonValue } from "./json-value";

/**
 * What a `$ref` inside `root` points at, or undefined when it is not there. Only references into the same document are
 * followed (`#` and `#/a/JSON/pointer`); nothing is ever loaded.
 */
export function resolveReference(root: JsonValue, reference: string): JsonValue | undefined {
  if (reference === "#") return root;
  if (!reference.startsWith("#/")) return undefined;
  let at: JsonValue | undefined = root;
  for (const part of reference.slice(2).split("/")) {
    const key = unescapePart(part);
    if (key === null) return undefined;
    if (Array.isArray(at)) at = /^(0|[1-9]\d{0,8})$/.test(key) ? at[Number(key)] : undefined;
    else at = isJsonObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }
  return at;
}

function unescapePart(part: string): string | null {
  try {
    return decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return null;
  }
}
