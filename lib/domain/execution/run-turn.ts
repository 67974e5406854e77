import "server-only";
import { isCorrected, outputSchema, saidAfter } from "@/lib/domain/execution/answer";
import type { ModelCallInput } from "@/lib/domain/execution/call-cover";
import { callModel } from "@/lib/domain/execution/call-model";
import { canCompact, compactContext, isFull } from "@/lib/domain/execution/compact-context";
import { completeRun } from "@/lib/domain/execution/complete-run";
import {
  HISTORY_CHARACTERS_MAX,
  type HistoryMessage,
  type LoadedRun,
  loadRun,
  readCost,
  type StoredToolResult,
  type StoredTurn,
} from "@/lib/domain/execution/load-run";
import { observedTurn } from "@/lib/domain/execution/observed-step";
import {
  isAgentRun,
  isBuild,
  isLastTurn,
  nextOf,
  type RunLimits,
  requireAnswer,
  runLimits,
  stepLimit,
  type TurnOutcome,
} from "@/lib/domain/execution/run-limits";
import { runTools } from "@/lib/domain/execution/run-tools";
import { RunHasEnded, type RunSession, requireAtWork, withRunSession } from "@/lib/domain/execution/with-run-log";
import { models } from "@/lib/domain/models/models";
import { listRunSkills } from "@/lib/domain/skills/skill-view";
import { findProductProfile } from "@/lib/domain/super-agent/product-profile";
import { openRunLog } from "@/lib/engine/events/open-run-log";
import type { JsonObject, JsonValue } from "@/lib/model/json-schema/json-value";
import { OFFLINE_MODEL_ID } from "@/lib/model/models/catalogue";
import { RunFailure } from "@/lib/model/run/run-failure";
import { failpoint } from "@/lib/platform/failpoint";
import type { ToolResultContent, TurnPrompt, TurnTool, TurnToolChoice } from "@/lib/runtime/models/read-turn";
import { ModelFailure } from "@/lib/runtime/models/stream-turn";
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
  if (turn >= limits.maxSteps) throw orExpired(run, stepLimit(run, limits));
  const input = async () => ({ run, turn, limits, session, ...(await buildPrompt(run, turn, limits, session.signal)) });
  const first = await input();
  if (isFull(first)) {
    await compactContext(first, null);
    return callModelOrFail(await input());
  }
  try {
    return await callModelOrFail(first);
  } catch (error) {
    // Only the vendor knows how it counts: where it says that the prompt is too long, it is shortened once.
    if (!(error instanceof ModelFailure) || !error.overflow || !canCompact(run)) throw error;
    await compactContext(first, error.overflow.windowTokens);
    return callModelOrFail(await input());
  }
}

/** A turn that an earlier attempt of this step has stored: what follows from it. */
async function afterTurn(run: LoadedRun, taken: StoredTurn, limits: RunLimits, session: RunSession): Promise<TurnOutcome> {
  requireAnswer(run, taken, limits);
  const next = nextOf(run, taken);
  if (next) return next;
  if (!session.writer) {
    session.writer = await openRunLog(run.id);
    await readCost(run);
  }
  if (!session.writer) throw new RunHasEnded();
  return (await completeRun(run, limits, session.writer)) ? { done: true } : { done: false, calls: [] };
}

async function callModelOrFail(input: ModelCallInput): Promise<TurnOutcome> {
  try {
    return await callModel(input);
  } catch (error) {
    const isObstacle = error instanceof RunFailure && (error.code === "BUDGET_EXCEEDED" || error.code === "STEP_LIMIT_EXCEEDED");
    throw isObstacle ? orExpired(input.run, error) : error;
  }
}

/** Where a call of the last turn was approved by nobody in time and the run cannot go on, that is what it failed of. */
function orExpired(run: LoadedRun, obstacle: RunFailure): RunFailure {
  const expired = (run.turns.at(-1)?.content ?? []).find(
    (part) => part.type === "tool-call" && run.approvals.get(part.toolCallId)?.status === "expired",
  );
  if (expired?.type !== "tool-call") return obstacle;
  return new RunFailure(
    "APPROVAL_EXPIRED",
    `Nobody approved the call of ${expired.toolName} in time, and the run could not go on. ${obstacle.message}`,
  );
}

interface TurnInput {
  prompt: TurnPrompt;
  tools: TurnTool[];
  toolChoice: TurnToolChoice;
  readers: ReadonlySet<string>;
}

/** What a run's next turn shows the model: system prompt, earlier conversation, input, and the transcript so far. */
async function buildPrompt(run: LoadedRun, turn: number, limits: RunLimits, signal: AbortSignal): Promise<TurnInput> {
  const tools = isBuild(run) ? [run.kind === "agent_creation" ? CREATE_AGENT_TOOL : EDIT_AGENT_TOOL] : await runTools(run, signal);
  const names = tools.map((tool) => tool.name);
  const system = await systemPrompt(run, names, limits);
  const history = historyOf(run).map(({ role, text }) => ({ role, content: [{ type: "text" as const, text }] }));
  const { compaction } = run;
  const shown = run.turns.filter((taken) => taken.turn >= (compaction?.fromTurn ?? 0));
  const asked = [{ type: "text" as const, text: userText(run) }];
  if (compaction)
    asked.push({ type: "text", text: `You have worked on this already. In short, this is what came of it:\n\n${compaction.summary}` });
  const prompt: TurnPrompt = [
    { role: "system", content: system },
    ...(compaction ? [] : history),
    { role: "user", content: asked },
    ...shown.flatMap((taken) => toMessages(run, taken)),
  ];
  if (isBuild(run))
    return {
      prompt,
      tools: tools.map(toFunctionTool),
      readers: new Set(),
      toolChoice: { type: run.kind === "agent_creation" ? "required" : "auto" },
    };
  const isLast = isLastTurn(run, turn, limits);
  // A model of rules would take it for a part of the request.
  if (run.model !== OFFLINE_MODEL_ID) tell(prompt, stepsText(limits.maxSteps - turn, isLast));
  const readers = new Set(tools.flatMap((tool) => ("kind" in tool && tool.kind === "read" ? [tool.name] : [])));
  return { prompt, tools: tools.map(toFunctionTool), readers, toolChoice: { type: isLast || isCorrected(run) ? "none" : "auto" } };
}

/** From so few turns on a model is told how many it has left. */
const STEPS_TOLD = 3;

/** What stands at the end of a prompt for this turn alone: what comes before it stays as it is, and so in the vendor's cache. */
function stepsText(left: number, isLast: boolean): string | null {
  if (isLast)
    return "This is your last turn, and you have no tools any more. Answer now with what you have found out and done, and say plainly what is missing.";
  return left <= STEPS_TOLD && left > 1 ? `You have ${left} turns left, this one included. The last one is for your answer alone.` : null;
}

/** Says it as the user, in one message with what the user said last. */
function tell(prompt: TurnPrompt, text: string | null): void {
  if (text === null) return;
  const last = prompt.at(-1);
  const part = { type: "text" as const, text };
  if (last?.role === "user") prompt[prompt.length - 1] = { role: "user", content: [...last.content, part] };
  else prompt.push({ role: "user", content: [part] });
}

function userText(run: LoadedRun): string {
  return isBuild(run) ? String(run.input.text) : renderInput(run.input as JsonObject); // parsed from JSON when the run was accepted
}

async function systemPrompt(run: LoadedRun, tools: string[], { maxSteps }: RunLimits): Promise<string> {
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
    maxSteps,
    outputSchema: schema && JSON.stringify(schema),
  };
  if (run.kind === "super_agent") return superAgentPrompt(await findProductProfile(run.accountId), context);
  return run.agent && isAgentRun(run) ? agentRunPrompt(run.agent, context) : generalRunPrompt(context);
}

/** A stored turn and the results of its calls, as the model said and saw them, or what it was told because it asked for none. */
function toMessages(run: LoadedRun, turn: StoredTurn): TurnPrompt {
  const said: TurnPrompt = turn.content.length === 0 ? [] : [{ role: "assistant", content: turn.content }];
  const asked = turn.content.flatMap((part) => (part.type === "tool-call" ? [run.toolResults.get(part.toolCallId)] : []));
  const results = asked.filter((result) => result !== undefined);
  if (results.length > 0) return [...said, { role: "tool", content: results.map(toResultPart) }];
  const told = asked.length > 0 ? null : correctionText(run, turn);
  return told === null ? said : [...said, { role: "user", content: [{ type: "text", text: told }] }];
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
function correctionText(run: LoadedRun, turn: StoredTurn): string | null {
  if (isBuild(run)) return `Call the tool ${run.kind === "agent_creation" ? CREATE_AGENT_TOOL.name : EDIT_AGENT_TOOL.name} now.`;
  return saidAfter(run, turn);
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
