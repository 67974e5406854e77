import "server-only";
import { describeContext, type RunContext } from "./describe-context";

/** The system prompt of a run without an agent. */
export function generalRunPrompt(context: RunContext): string {
  const task = "You are a capable assistant that works on its own. Do what the input asks with the tools that you have, and then answer.";
  return [task, describeContext(context)].join("\n\n");
}
