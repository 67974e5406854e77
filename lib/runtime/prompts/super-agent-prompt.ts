import "server-only";
import type { JsonValue } from "@/lib/model/json-schema/json-value";
import { describeContext, type RunContext } from "./describe-context";
import { promptBlock } from "./prompt-block";

/** The system prompt of a super-agent run; `profile` is the account's product profile, null before the first one. */
export function superAgentPrompt(profile: JsonValue, context: RunContext): string {
  const task =
    "You are the super-agent of this account. You can list, create, edit and run its agents with your tools. Use an agent that exists before you make another, and report what each one did.";
  const persona = profile === null ? [] : [promptBlock("product_profile", JSON.stringify(profile, null, 1))];
  return [task, ...persona, describeContext(context)].join("\n\n");
}
