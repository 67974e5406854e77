import "server-only";
import { validateAgainst } from "@/lib/model/json-schema/validate-against";
import type { RuntimeTool, ToolOutcome } from "./tool";

const VIOLATIONS_SHOWN = 5;

/** What the model is told about arguments that do not fit the tool's schema; null when they fit. */
export function checkArguments(tool: Pick<RuntimeTool, "inputSchema">, args: unknown): ToolOutcome | null {
  const violations = validateAgainst(tool.inputSchema, args);
  if (violations.length === 0) return null;
  const shown = violations.slice(0, VIOLATIONS_SHOWN).map(({ path, message }) => (path ? `${path}: ${message}` : message));
  return { succeeded: false, output: { error: `The arguments do not fit: ${shown.join("; ")}` } };
}
