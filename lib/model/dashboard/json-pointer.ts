import { isJsonObject, type JsonValue } from "@/lib/model/json-schema/json-value";

/** Longest JSON Pointer of a template. */
export const JSON_POINTER_MAX_CHARACTERS = 512;

const POINTER = /^(\/([^~/]|~[01])*)*$/;

/** Whether `text` is a JSON Pointer (RFC 6901); the empty one points at the whole value. */
export function isJsonPointer(text: string): boolean {
  return (
    text.length <= JSON_POINTER_MAX_CHARACTERS &&
    (text === "" || (text.startsWith("/") && POINTER.test(text)))
  );
}

const INDEX = /^(0|[1-9]\d{0,8})$/;

/**
 * What a JSON Pointer finds in `value`, or undefined when it finds nothing or is none. Only a
 * value's own keys are followed.
 */
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

/**
 * What a template's field (a key of the row, or a JSON Pointer into it) finds in a row, or
 * undefined.
 */
export function readField(row: JsonValue, field: string): JsonValue | undefined {
  if (isJsonObject(row) && Object.hasOwn(row, field)) return row[field];
  return field.startsWith("/") ? resolvePointer(row, field) : undefined;
}

/** The number that a value is, or that a text such as "12.5" says; null for everything else. */
export function numberOf(value: JsonValue | undefined): number | null {
  if (typeof value === "number") return value;
  if (typeof value !== "string" || value.trim() === "") return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}
