import "server-only";
import { outputSchema, saidAfter } from "@/lib/domain/execution/answer";
import { buildCorrection, builderPrompt, buildTools } from "@/lib/domain/execution/build-prompt";
import type { ModelCallInput } from "@/lib/domain/execution/call-cover";
import { callModel } from "@/lib/domain/execution/call-model";
import { findExpiredClientTool } from "@/lib/domain/execution/client-calls";
import { completeRun } from "@/lib/domain/execution/complete-run";
import { endOverdueBuild, endSpokenBuild } from "@/lib/domain/execution/end-build";
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
import { isAgentRun, isBuild, nextOf, type RunLimits, runLimits, type TurnOutcome } from "@/lib/domain/execution/run-limits";
import { runTools } from "@/lib/domain/execution/run-tools";
import { RunHasEnded, type RunSession, requireAtWork, withRunSession } from "@/lib/domain/execution/with-run-log";
import { listRunSkills } from "@/lib/domain/skills/skill-view";
import { findProductProfile } from "@/lib/domain/super-agent/product-profile";
import { openRunLog } from "@/lib/engine/events/run-log-writer";
import type { JsonObject, JsonValue } from "@/lib/model/json-schema/json-value";
import { RunFailure } from "@/lib/model/run/run-failure";
import { failpoint } from "@/lib/platform/failpoint";
import type { ToolResultContent, TurnPrompt, TurnTool, TurnToolChoice } from "@/lib/runtime/models/read-turn";
import { agentRunPrompt, generalRunPrompt, renderInput, superAgentPrompt } from "@/lib/runtime/prompts/prompts";
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
  if (turn >= limits.maxSteps) return endOverdue(run, await orExpired(run, stepLimit(run, limits.maxSteps)), session);
  const { prompt, tools, toolChoice } = await buildPrompt(run, session.signal);
  return callModelOrFail({ run, turn, limits, prompt, tools, toolChoice, session });
}

/** @throws failure, but for a build whose draft can be stored */
async function endOverdue(run: LoadedRun, failure: RunFailure, session: RunSession): Promise<TurnOutcome> {
  if (!isBuild(run)) throw failure;
  session.writer ??= await openRunLog(run.id);
  if (!session.writer) throw new RunHasEnded();
  return endOverdueBuild(run, session.writer, failure);
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
  if (isBuild(run)) return endSpokenBuild(run, session.writer);
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
  prompt: TurnPrompt;
  tools: TurnTool[];
  toolChoice: TurnToolChoice;
}

/** What a run's next turn shows the model: system prompt, earlier conversation, input, and the transcript so far. */
async function buildPrompt(run: LoadedRun, signal: AbortSignal): Promise<TurnInput> {
  const tools = isBuild(run) ? buildTools(run) : await runTools(run, signal);
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
  return { prompt, tools: tools.map(toFunctionTool), toolChoice: isFirstOfCreation(run) ? { type: "required" } : { type: "auto" } };
}

/** Small models like to chat about a request; a question and a refusal have a call, too. */
function isFirstOfCreation(run: LoadedRun): boolean {
  return run.kind === "agent_creation" && !run.agent && run.turns.length === 0;
}

function userText(run: LoadedRun): string {
  return isBuild(run) ? String(run.input.text) : renderInput(run.input as JsonObject); // parsed from JSON when the run was accepted
}

async function systemPrompt(run: LoadedRun, tools: string[]): Promise<string> {
  const now = new Date();
  if (isBuild(run)) return builderPrompt(run);
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
  return isBuild(run) ? buildCorrection(run, turn) : saidAfter(run, turn);
}

const CAME_TO_NOTHING = "(This request failed, and nothing was stored.)";

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
  // Some servers want turns of both sides: a request that came to nothing has its answer.
  return kept.flatMap((message, index) =>
    message.role === "user" && kept[index + 1]?.role !== "assistant"
      ? [message, { role: "assistant" as const, text: CAME_TO_NOTHING }]
      : [message],
  );
}
