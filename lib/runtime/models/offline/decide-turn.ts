import "server-only";
import type { LanguageModelV3CallOptions } from "@ai-sdk/provider";
import { answerRun } from "./answer-run";
import { decideSuperTurn } from "./decide-super-turn";
import { draftAgent } from "./draft-agent";
import { editAgent } from "./edit-agent";
import { call, type OfflineTurn, say } from "./offline-turn";
import { type ReadPrompt, readPrompt } from "./read-prompt";

/** What the rules do next, by the tools that they are shown and what was said and done. */
export function decideTurn(options: LanguageModelV3CallOptions): OfflineTurn {
  const prompt = readPrompt(options);
  if (prompt.tools.has("edit_agent") && prompt.block("current_agent") !== null) return decideEdit(prompt);
  if (prompt.tools.has("create_agent") && (prompt.tools.size === 1 || options.toolChoice?.type === "tool")) return decideCreation(prompt);
  if (prompt.tools.has("create_agent") || prompt.tools.has("list_agents")) return decideSuperTurn(prompt) ?? answerRun(prompt);
  return answerRun(prompt);
}

function decideCreation(prompt: ReadPrompt): OfflineTurn {
  const last = prompt.done.at(-1);
  if (last && !last.failed) return say("The agent is ready.");
  // The rules would propose the same again; the second time they keep to what cannot be wrong.
  if (prompt.done.length > 1) return say("The built-in model could not make an agent that the service accepts from this request.");
  const draft = draftAgent([...prompt.earlier, prompt.request], prompt.block("models"));
  const input = last ? { ...draft.agent, config: { version: 1 } } : draft.agent;
  return call([{ name: "create_agent", input }], draft.plan);
}

function decideEdit(prompt: ReadPrompt): OfflineTurn {
  const last = prompt.done.at(-1);
  if (last && !last.failed) return say(summaryOf(last.input) ?? "The agent was changed.");
  if (last && !isOvertaken(last.output)) return say("The built-in model could not make that change in a way that the service accepts.");
  const edit = editAgent(prompt.block("current_agent") ?? "{}", prompt.request, prompt.block("models"));
  return edit.change === null ? say(edit.explanation) : call([{ name: "edit_agent", input: edit.change }]);
}

/** Somebody else changed the agent meanwhile: the prompt shows it anew, and the same request is worked out on that. */
function isOvertaken(output: unknown): boolean {
  return typeof output === "object" && output !== null && "agent_changed" in output;
}

function summaryOf(input: unknown): string | null {
  if (typeof input !== "object" || input === null || !("summary" in input)) return null;
  return typeof input.summary === "string" ? input.summary : null;
}
