import "server-only";
import { describeContext, type RunContext } from "./describe-context";
import { promptBlock } from "./prompt-block";

export interface PromptAgent {
  name: string;
  description: string | null;
  skillContent: string;
}

/** The system prompt of a run of an agent: it follows the agent's own skill file. */
export function agentRunPrompt(agent: PromptAgent, context: RunContext): string {
  const about = [`Name: ${agent.name}`, ...(agent.description ? [`Description: ${agent.description}`] : [])].join("\n");
  return [
    "You are an agent that works for the person who wrote the skill below. Follow the skill for the input that you are given, with the tools that you have, and then answer.",
    promptBlock("agent", about),
    promptBlock("skill", agent.skillContent),
    describeContext(context),
  ].join("\n\n");
}
