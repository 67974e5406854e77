import { isJsonObject, type JsonValue } from "@/lib/model/json-schema/json-value";
import { isJsonPointer } from "./is-json-pointer";

const INDEX = /^(0|[1-9]\d{0,8})$/;

/** What a JSON Pointer finds in `value`, or undefined when it finds nothing or is none. Only a value's own keys are followed. */
export function resolvePointer(value: JsonValue, pointer: string): JsonValue | undefined {
  if (!isJsonPointer(pointer)) return undefined;
  let at: JsonValue | undefined = value;
  for (const part of pointer.split("/").slice(1)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(at)) at = INDEX.test(key) ? at[Number(key)] : undefined;
    else at = isJsonObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
    if (at === undefined) return undefined;
  }
  return at;
}
