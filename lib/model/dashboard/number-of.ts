import type { JsonValue } from "@/lib/model/json-schema/json-value";

/** The number that a value is, or that a text such as "12.5" says; null for everything else. */
export function numberOf(value: JsonValue | undefined): number | null {
  if (typeof value === "number") return value;
  if (typeof value !== "string" || value.trim() === "") return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}
