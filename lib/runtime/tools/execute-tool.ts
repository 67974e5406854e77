import "server-only";
import type { JsonValue } from "@/lib/model/json-schema/json-value";
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

/** The most that one tool call may put into a model's context, in characters of JSON. */
const TOOL_OUTPUT_MAX_CHARACTERS = 64_000;

/** The output as it is, or its JSON text cut with a note that says so and how much there was. */
function boundOutput(output: JsonValue): JsonValue {
  const text = JSON.stringify(output);
  if (text.length <= TOOL_OUTPUT_MAX_CHARACTERS) return output;
  // Escaping may lengthen the cut text again; half of the bound leaves room for the worst that is likely.
  const cut = withoutHalfCharacter(text.slice(0, TOOL_OUTPUT_MAX_CHARACTERS / 2));
  return { cut: true, note: `The output had ${text.length} characters; only the first ${cut.length} are shown.`, text: cut };
}

/** Postgres takes no lone surrogate, and a cut can make one. */
function withoutHalfCharacter(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}
