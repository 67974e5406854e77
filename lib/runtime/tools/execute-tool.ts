import "server-only";
import { validateAgainst } from "@/lib/model/json-schema/validate-against";
import { boundOutput } from "./bound-output";
import type { RuntimeTool, ToolContext, ToolOutcome } from "./tool";
import { ToolFailure } from "./tool-failure";

const VIOLATIONS_SHOWN = 5;

/**
 * Runs one tool call: checks the arguments, turns what goes wrong into an outcome that the model can act on, and bounds the
 * output. Throws only the signal's reason after an abort, a `RunFailure`, or what storage threw (so that the step runs again).
 */
export async function executeTool(tool: RuntimeTool, args: unknown, context: ToolContext): Promise<ToolOutcome> {
  context.signal.throwIfAborted();
  const violations = validateAgainst(tool.inputSchema, args);
  if (violations.length > 0) {
    const shown = violations.slice(0, VIOLATIONS_SHOWN).map(({ path, message }) => (path ? `${path}: ${message}` : message));
    return { succeeded: false, output: { error: `The arguments do not fit: ${shown.join("; ")}` } };
  }
  try {
    const outcome = await tool.execute(args, context);
    return { succeeded: outcome.succeeded, output: boundOutput(outcome.output) };
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof ToolFailure) return { succeeded: false, output: { error: error.message } };
    throw error;
  }
}
