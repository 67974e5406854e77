import "server-only";
import { isJsonObject, type JsonValue } from "@/lib/model/json-schema/json-value";
import type { RuntimeTool } from "./tool";
import { ToolFailure } from "./tool-failure";

/** The same tool, with `redact` over every text of what comes back: before it is cut to size, and in the reasons of failures too. */
export function redactedTool(tool: RuntimeTool, redact: (text: string) => string): RuntimeTool {
  return {
    ...tool,
    async execute(args, context) {
      try {
        const { succeeded, output } = await tool.execute(args, context);
        return { succeeded, output: redactJson(output, redact) };
      } catch (error) {
        throw error instanceof ToolFailure ? new ToolFailure(redact(error.message)) : error;
      }
    },
  };
}

function redactJson(value: JsonValue, redact: (text: string) => string): JsonValue {
  if (typeof value === "string") return redact(value);
  if (typeof value === "number") return redactNumber(value, redact);
  if (Array.isArray(value)) return value.map((item) => redactJson(item, redact));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [redact(key), redactJson(item, redact)]));
}

/** A secret may consist of digits, and come back as a number. */
function redactNumber(value: number, redact: (text: string) => string): JsonValue {
  const text = String(value);
  const redacted = redact(text);
  return redacted === text ? value : redacted;
}
