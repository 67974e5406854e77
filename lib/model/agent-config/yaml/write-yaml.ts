import { Document } from "yaml";
import type { JsonValue } from "@/lib/model/json-schema/json-value";

/** How a text is quoted; null: as YAML needs it. */
export type Quote = "'" | '"' | null;

/** A value on lines of its own. */
export function blockText(value: JsonValue): string {
  return write(value, "any");
}

/** A value within a line. */
export function inlineText(value: JsonValue, { isJson, quote }: { isJson: boolean; quote: Quote }): string {
  if (isJson || (quote === '"' && typeof value === "string")) return JSON.stringify(value);
  if (quote === "'" && typeof value === "string" && !/[\n\r\t]/.test(value)) return `'${value.replaceAll("'", "''")}'`;
  return withoutBrackets(write([value], "flow"));
}

export function inlinePair(key: string, value: JsonValue, isJson: boolean): string {
  return isJson ? `${JSON.stringify(key)}: ${JSON.stringify(value)}` : withoutBrackets(write({ [key]: value }, "flow"));
}

export function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function write(value: JsonValue, collectionStyle: "any" | "flow"): string {
  const document = new Document(value, { version: "1.2", aliasDuplicateObjects: false });
  return document.toString({ lineWidth: 0, flowCollectionPadding: false, collectionStyle });
}

function withoutBrackets(text: string): string {
  return text.trim().slice(1, -1).trim();
}
