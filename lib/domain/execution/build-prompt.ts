import "server-only";
import { lastText, outputSchema } from "@/lib/domain/execution/complete-run";
import { historyOf } from "@/lib/domain/execution/history-of";
import type { LoadedRun, StoredToolResult, StoredTurn } from "@/lib/domain/execution/load-run";
import { readData } from "@/lib/domain/execution/read-data";
import { isAgentRun, isBuild } from "@/lib/domain/execution/run-limits";
import { runTools } from "@/lib/domain/execution/run-tools";
import { models } from "@/lib/domain/models/models";
import { listRunSkills } from "@/lib/domain/skills/list-run-skills";
import { findProductProfile } from "@/lib/domain/super-agent/product-profile";
import type { JsonObject, JsonValue } from "@/lib/model/json-schema/json-value";
import type { ToolResultContent, TurnPrompt, TurnTool, TurnToolChoice } from "@/lib/runtime/models/turn-prompt";
import { agentCreationPrompt } from "@/lib/runtime/prompts/agent-creation-prompt";
import { agentEditPrompt } from "@/lib/runtime/prompts/agent-edit-prompt";
import { agentRunPrompt } from "@/lib/runtime/prompts/agent-run-prompt";
import { CREATE_AGENT_TOOL, EDIT_AGENT_TOOL } from "@/lib/runtime/prompts/agent-tools";
import { generalRunPrompt } from "@/lib/runtime/prompts/general-run-prompt";
import { renderInput } from "@/lib/runtime/prompts/render-input";
import { superAgentPrompt } from "@/lib/runtime/prompts/super-agent-prompt";
import { toFunctionTool } from "@/lib/runtime/tools/to-function-tool";

export interface TurnInput {
  prompt: TurnPrompt;
  tools: TurnTool[];
  toolChoice: TurnToolChoice;
}

/** What a run's next turn shows the model: system prompt, earlier conversation, input, and the transcript so far. */
export async function buildPrompt(run: LoadedRun, signal: AbortSignal): Promise<TurnInput> {
  const tools = isBuild(run) ? [run.kind === "agent_creation" ? CREATE_AGENT_TOOL : EDIT_AGENT_TOOL] : await runTools(run, signal);
  const system = await systemPrompt(
    run,
    tools.map((tool) => tool.name),
  );
  const history = historyOf(run).map(({ role, text }) => ({ role, content: [{ type: "text" as const, text }] }));
  const transcript = run.turns.flatMap((turn) => toMessages(run, turn));
  const prompt: TurnPrompt = [
    { role: "system", content: system },
    ...history,
    { role: "user", content: [{ type: "text", text: userText(run) }] },
    ...transcript,
  ];
  const nudge = nudgeText(run);
  if (nudge) prompt.push({ role: "user", content: [{ type: "text", text: nudge }] });
  return { prompt, tools: tools.map(toFunctionTool), toolChoice: run.kind === "agent_creation" ? { type: "required" } : { type: "auto" } };
}

function userText(run: LoadedRun): string {
  return isBuild(run) ? String(run.input.text) : renderInput(run.input as JsonObject); // parsed from JSON when the run was accepted
}

async function systemPrompt(run: LoadedRun, tools: string[]): Promise<string> {
  const now = new Date();
  const modelIds = models()
    .known.filter((model) => model.switched_on)
    .map((model) => model.id);
  if (run.kind === "agent_creation") return agentCreationPrompt(modelIds, now);
  if (run.kind === "agent_edit" && run.agent) {
    const { name, description, skillContent, config, dashboardTemplate, writeAutonomy } = run.agent;
    // Stored only after validation, so all of it is JSON.
    const values = { config: config as unknown as JsonValue, dashboard_template: (dashboardTemplate ?? null) as JsonValue };
    return agentEditPrompt({ name, description, skill_content: skillContent, write_autonomy: writeAutonomy, ...values }, modelIds, now);
  }
  const schema = outputSchema(run);
  const context = {
    workspace: run.workspace,
    skills: listRunSkills(run.skills),
    tools,
    now,
    outputSchema: schema && JSON.stringify(schema),
  };
  if (run.kind === "super_agent") return superAgentPrompt(await findProductProfile(run.accountId), context);
  return run.agent && isAgentRun(run) ? agentRunPrompt(run.agent, context) : generalRunPrompt(context);
}

/** A stored turn and the results of its calls, as the model said and saw them. */
function toMessages(run: LoadedRun, turn: StoredTurn): TurnPrompt {
  const results = turn.content
    .flatMap((part) => (part.type === "tool-call" ? [run.toolResults.get(part.toolCallId)] : []))
    .filter((result) => result !== undefined);
  if (turn.content.length === 0) return [];
  const said = { role: "assistant" as const, content: turn.content };
  return results.length === 0 ? [said] : [said, { role: "tool", content: results.map(toResultPart) }];
}

function toResultPart(result: StoredToolResult): ToolResultContent[number] {
  const value = result.output as JsonValue; // stored as JSON
  return {
    type: "tool-result",
    toolCallId: result.toolCallId,
    toolName: result.name,
    output: typeof value === "string" ? { type: "text", value } : { type: "json", value },
  };
}

/** What a model that ended its turn too early is told; null when there is nothing to say. */
function nudgeText(run: LoadedRun): string | null {
  const last = run.turns.at(-1);
  if (!last || last.content.some((part) => part.type === "tool-call")) return null;
  if (isBuild(run)) return `Call the tool ${run.kind === "agent_creation" ? CREATE_AGENT_TOOL.name : EDIT_AGENT_TOOL.name} now.`;
  const schema = outputSchema(run);
  const output = schema && readData(lastText(run), schema);
  return output && !output.ok
    ? `Your last message does not fit the output_schema: ${output.problem}. Answer with the corrected JSON value and nothing else.`
    : null;
}
