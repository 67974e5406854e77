import type { ApiSchema } from "@/lib/console/reference/api-document";

/** What a value must keep to besides its type, in words. */
export function describeLimits(schema: ApiSchema): string[] {
  const { minimum, exclusiveMinimum, maximum, minLength, maxLength, minItems, maxItems, pattern, writeOnly } = schema;
  const limits = [
    range(minLength, maxLength, "characters"),
    range(minItems, maxItems, "items"),
    range(minimum, maximum, ""),
    exclusiveMinimum === undefined ? "" : `more than ${exclusiveMinimum}`,
    // A format's own pattern says nothing that the format does not.
    pattern && !schema.format ? `pattern ${pattern}` : "",
    "default" in schema ? `default ${JSON.stringify(schema.default)}` : "",
    writeOnly ? "never returned" : "",
  ];
  return limits.filter((limit) => limit !== "");
}

function range(from: number | undefined, to: number | undefined, unit: string): string {
  // The widest integer of JSON is no limit to speak of.
  const least = from === undefined || from <= Number.MIN_SAFE_INTEGER ? undefined : from;
  const most = to === undefined || to >= Number.MAX_SAFE_INTEGER ? undefined : to;
  if (least === undefined && most === undefined) return "";
  const text = (value: number) => value.toLocaleString("en-US");
  if (least === undefined) return `at most ${text(most ?? 0)} ${unit}`.trim();
  if (most === undefined) return `at least ${text(least)} ${unit}`.trim();
  return `${text(least)}–${text(most)} ${unit}`.trim();
}
