import "server-only";
import { boundOutput } from "./bound-output";
import { checkArguments } from "./check-arguments";
import type { RuntimeTool, ToolContext, ToolOutcome } from "./tool";
import { ToolFailure } from "./tool-failure";

/**
 * Runs one tool call: checks the arguments, turns what goes wrong into an outcome that the model can act on, and bounds the
 * output. Throws only the signal's reason after an abort, a `RunFailure`, `RunPending`, or what storage threw (so that the step runs again).
 */
export async function executeTool(tool: RuntimeTool, args: unknown, context: ToolContext): Promise<ToolOutcome> {
  context.signal.throwIfAborted();
  const misfit = checkArguments(tool, args);
  if (misfit) return misfit;
  try {
    const outcome = await tool.execute(args, context);
    return { succeeded: outcome.succeeded, output: boundOutput(outcome.output) };
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof ToolFailure) return { succeeded: false, output: { error: error.message } };
    throw error;
  }
}
