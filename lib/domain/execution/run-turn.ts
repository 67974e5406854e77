import "server-only";
import type { ModelCallInput } from "@/lib/domain/execution/call-cover";
import { callModel } from "@/lib/domain/execution/call-model";
import { findExpiredClientTool } from "@/lib/domain/execution/client-calls";
import { completeRun, lastText, outputSchema, readData } from "@/lib/domain/execution/complete-run";
import type { UnavailableConnector } from "@/lib/domain/execution/list-servers";
import {
  HISTORY_CHARACTERS_MAX,
  type HistoryMessage,
  type LoadedRun,
  loadRun,
  readCost,
  type StoredToolResult,
  type StoredTurn,
} from "@/lib/domain/execution/load-run";
import { memoryPort } from "@/lib/domain/execution/memory-port";
import { observedTurn } from "@/lib/domain/execution/observed-step";
import { isAgentRun, isBuild, nextOf, type RunLimits, runLimits, type TurnOutcome } from "@/lib/domain/execution/run-limits";
import { runToolset } from "@/lib/domain/execution/run-tools";
import { RunHasEnded, type RunSession, requireAtWork, withRunSession } from "@/lib/domain/execution/with-run-log";
import { models } from "@/lib/domain/models/models";
import { listRunSkills } from "@/lib/domain/skills/skill-view";
import { findProductProfile } from "@/lib/domain/super-agent/product-profile";
import { openRunLog } from "@/lib/engine/events/open-run-log";
import { MEMORY_TOOL_NAME } from "@/lib/model/agent-config/built-in-tools";
import type { JsonObject, JsonValue } from "@/lib/model/json-schema/json-value";
import { RunFailure } from "@/lib/model/run/run-failure";
import { failpoint } from "@/lib/platform/failpoint";
import type { ToolResultContent, TurnPrompt, TurnTool, TurnToolChoice } from "@/lib/runtime/models/read-turn";
import { CREATE_AGENT_TOOL, EDIT_AGENT_TOOL } from "@/lib/runtime/prompts/agent-tools";
import {
  agentCreationPrompt,
  agentEditPrompt,
  agentRunPrompt,
  generalRunPrompt,
  renderInput,
  superAgentPrompt,
} from "@/lib/runtime/prompts/prompts";
import { toFunctionTool } from "@/lib/runtime/tools/tool";

/**
 * One model turn of a run: streams it into the run's log, stores and charges it, and ends the run when the model asks for no tool.
 * Repeated after a crash it finds the stored turn and neither calls nor charges twice.
 */
export async function runTurn(runId: string, turn: number): Promise<TurnOutcome> {
  return withRunSession(runId, { done: true } as TurnOutcome, async (session) => {
    failpoint("run.claimed");
    const run = await loadRun(runId, session.known);
    session.known = run;
    requireAtWork(run);
    return observedTurn(run, turn, () => takeLoaded(run, turn, session));
  });
}

async function takeLoaded(run: LoadedRun, turn: number, session: RunSession): Promise<TurnOutcome> {
  const limits = runLimits(run);
  const stored = run.turns.find((candidate) => candidate.turn === turn);
  if (stored) return afterTurn(run, stored, limits, session);
  if (turn >= limits.maxSteps) throw await orExpired(run, stepLimit(run, limits.maxSteps));
  const { unavailable, ...input } = await buildPrompt(run, session.signal);
  // Said once: the run's owner reads it there.
  const notices =
    turn > 0 ? [] : unavailable.map(({ name, reason }) => ({ type: "connector.unavailable" as const, name, message: reason }));
  return callModelOrFail({ run, turn, limits, ...input, notices, session });
}

/** A turn that an earlier attempt of this step has stored: what follows from it. */
async function afterTurn(run: LoadedRun, taken: StoredTurn, limits: RunLimits, session: RunSession): Promise<TurnOutcome> {
  const next = nextOf(run, taken);
  if (next) return next;
  if (!session.writer) {
    session.writer = await openRunLog(run.id);
    await readCost(run);
  }
  if (!session.writer) throw new RunHasEnded();
  return (await completeRun(run, limits, session.writer)) ? { done: true } : { done: false, calls: [] };
}

function stepLimit(run: LoadedRun, maxSteps: number): RunFailure {
  if (!isBuild(run)) return new RunFailure("STEP_LIMIT_EXCEEDED", `The run took ${maxSteps} steps, its limit, without coming to an end.`);
  const what = run.kind === "agent_creation" ? "build an agent" : "work out a change of the agent";
  return new RunFailure(
    "AGENT_BUILD_FAILED",
    `The model did not ${what} from this request. Nothing was stored; say more precisely what you want.`,
  );
}

async function callModelOrFail(input: ModelCallInput): Promise<TurnOutcome> {
  try {
    return await callModel(input);
  } catch (error) {
    throw error instanceof RunFailure && error.code === "BUDGET_EXCEEDED" ? await orExpired(input.run, error) : error;
  }
}

/** Where a call of the last turn was approved, or carried out, by nobody in time and the run cannot go on, that is what it failed of. */
async function orExpired(run: LoadedRun, obstacle: RunFailure): Promise<RunFailure> {
  const last = run.turns.at(-1);
  const expired = (last?.content ?? []).find(
    (part) => part.type === "tool-call" && run.approvals.get(part.toolCallId)?.status === "expired",
  );
  if (expired?.type !== "tool-call") {
    const tool = last ? await findExpiredClientTool(run, last.turn) : null;
    if (tool === null) return obstacle;
    return new RunFailure(
      "APPROVAL_EXPIRED",
      `Nobody posted a result of the client tool ${tool} in time, and the run could not go on. ${obstacle.message}`,
    );
  }
  return new RunFailure(
    "APPROVAL_EXPIRED",
    `Nobody approved the call of ${expired.toolName} in time, and the run could not go on. ${obstacle.message}`,
  );
}

interface TurnInput {
  unavailable: UnavailableConnector[];
  prompt: TurnPrompt;
  tools: TurnTool[];
  toolChoice: TurnToolChoice;
}

/** What a run's next turn shows the model: system prompt, earlier conversation, input, and the transcript so far. */
async function buildPrompt(run: LoadedRun, signal: AbortSignal): Promise<TurnInput> {
  const { tools, unavailable } = isBuild(run)
    ? { tools: [run.kind === "agent_creation" ? CREATE_AGENT_TOOL : EDIT_AGENT_TOOL], unavailable: [] }
    : await runToolset(run, signal);
  const names = tools.map((tool) => tool.name);
  const system = await systemPrompt(run, names, unavailable);
  const history = historyOf(run).map(({ role, text }) => ({ role, content: [{ type: "text" as const, text }] }));
  const transcript = run.turns.flatMap((turn) => toMessages(run, turn));
  const prompt: TurnPrompt = [
    { role: "system", content: system },
    ...history,
    { role: "user", content: [{ type: "text", text: userText(run) }] },
    ...transcript,
  ];
  const correction = correctionText(run);
  if (correction) prompt.push({ role: "user", content: [{ type: "text", text: correction }] });
  return {
    unavailable,
    prompt,
    tools: tools.map(toFunctionTool),
    toolChoice: run.kind === "agent_creation" ? { type: "required" } : { type: "auto" },
  };
}

function userText(run: LoadedRun): string {
  return isBuild(run) ? String(run.input.text) : renderInput(run.input as JsonObject); // parsed from JSON when the run was accepted
}

async function systemPrompt(run: LoadedRun, tools: string[], unavailable: UnavailableConnector[]): Promise<string> {
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
    unavailable,
    ...(tools.includes(MEMORY_TOOL_NAME) && run.agent && { notes: await memoryPort(run, run.agent.id).list(null) }),
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
function correctionText(run: LoadedRun): string | null {
  const last = run.turns.at(-1);
  if (!last || last.content.some((part) => part.type === "tool-call")) return null;
  if (isBuild(run)) return `Call the tool ${run.kind === "agent_creation" ? CREATE_AGENT_TOOL.name : EDIT_AGENT_TOOL.name} now.`;
  const schema = outputSchema(run);
  const output = schema && readData(lastText(run), schema);
  return output && !output.ok
    ? `Your last message does not fit the output_schema: ${output.problem}. Answer with the corrected JSON value and nothing else.`
    : null;
}

/** The conversation before this run, oldest first: the newest messages that fit into 120,000 characters, whole pairs only. */
function historyOf(run: LoadedRun): HistoryMessage[] {
  const kept: HistoryMessage[] = [];
  let characters = 0;
  for (const { role, text } of run.history) {
    characters += text.length;
    if (characters > HISTORY_CHARACTERS_MAX) break;
    kept.unshift({ role, text });
  }
  if (kept[0]?.role === "assistant") kept.shift();
  return kept;
}
