import { isJsonObject, type JsonValue } from "@/lib/model/json-schema/json-value";
import { resolvePointer } from "./resolve-pointer";

/** What a template's field (a key of the row, or a JSON Pointer into it) finds in a row, or undefined. */
export function readField(row: JsonValue, field: string): JsonValue | undefined {
  if (isJsonObject(row) && Object.hasOwn(row, field)) return row[field];
  return field.startsWith("/") ? resolvePointer(row, field) : undefined;
}
