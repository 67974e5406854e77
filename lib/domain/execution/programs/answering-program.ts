import "server-only";
import { authorizeToolCall } from "@/lib/domain/execution/permission/authorize-call";
import type { LoadedRun, RunProgram, ShownTool } from "@/lib/domain/execution/run/loaded-run";
import {
  keepsNotes,
  runConfig,
  runSkills,
  runToolset,
} from "@/lib/domain/execution/tools/run-tools";
import { memoryPort } from "@/lib/domain/execution/tools/tool-ports";
import {
  completeRun,
  isCorrected,
  messageBefore,
  outputSchema,
  resultOf,
  saidAfter,
} from "@/lib/domain/execution/turn/complete-run";
import type { RunSkill } from "@/lib/domain/skills/skill-view";
import { env } from "@/lib/env";
import { MEMORY_TOOL_NAME, READ_SKILL_TOOL_NAME } from "@/lib/model/agent-config/built-in-tools";
import { applyToolPolicy, type ToolPolicyDecision } from "@/lib/model/agent-config/permissions";
import type { JsonObject } from "@/lib/model/json-schema/json-value";
import { DEFAULT_MAX_STEPS } from "@/lib/model/limits";
import type { RulesTask } from "@/lib/model/models/rules-task";
import { RunFailure } from "@/lib/model/run/run-failure";
import { generalRunPrompt, renderInput } from "@/lib/runtime/prompts/prompts";

/**
 * A run that works with tools until it answers: what kinds that do so have in common, but for their
 * facts. By itself it is one that no config speaks for.
 */
export const answeringProgram: Omit<RunProgram, "facts"> = {
  config: () => null,
  reasoning: () => env().DEFAULT_REASONING,
  mayKeepNotes: () => true,

  maxSteps: (run) => run.program.config(run)?.limits?.max_steps ?? DEFAULT_MAX_STEPS,
  answersLast: true,
  stepLimit: (run, maxSteps) =>
    new RunFailure(
      "STEP_LIMIT_EXCEEDED",
      run.transcript.turns.length < maxSteps
        ? "The model made the same call with the same result again and again, and did not " +
            "answer when it was asked to."
        : `The run took ${maxSteps} steps, its limit, without coming to an end.`,
    ),
  endOverdue: (_run, failure) => Promise.reject(failure),

  hearsFailed: false,
  recalls: "work",
  sumsUp: true,

  tools: (run, signal) => runToolset(run, signal),
  ownTools: () => [],
  instructions: async (run, shown) => ({
    system: generalRunPrompt(promptContext(run, shown)),
    task: runTask(run),
  }),
  keepsVersion: true,
  situation: async (run, { tools, unavailable }) => ({
    workspace: run.surroundings.workspace,
    unavailable,
    ...(has(tools, READ_SKILL_TOOL_NAME) && { skills: shownSkills(run, tools) }),
    ...(await notesFor(run, tools)),
  }),
  // Both were JSON when the run was accepted.
  request: (run) => renderInput(run.input as JsonObject, runConfig(run).inputs),
  toolChoice: (run, isLast) => ({ type: isLast || isCorrected(run) ? "none" : "auto" }),
  correction: saidAfter,
  messageBefore,

  mayRepeat: false,
  judge: authorizeToolCall,
  carryOut: (_run, call) => Promise.reject(new Error(`nothing carries out ${call.name}`)),
  showsPrivate: () => true,

  conclude: (run, limits) => (resultOf(run, limits) ? "end" : "again"),
  storesTurnWithEnd: true,
  end: async (run, limits, writer, settled) =>
    (await completeRun(run, limits, writer, settled)) ? { done: true } : { done: false, calls: [] },
};

/** What a run's system prompt is made of beside its task. */
export function promptContext(
  run: LoadedRun,
  { tools, maxSteps }: { tools: readonly ShownTool[]; maxSteps: number },
) {
  const schema = outputSchema(run);
  const { permissions } = runConfig(run);
  const autonomy = run.agent?.writeAutonomy ?? "blocked";
  const judged = (decision: ToolPolicyDecision) =>
    tools.flatMap(({ name, server, kind }) => {
      const names = server === undefined ? [name] : [name, server];
      const call = { names, isGuarded: kind === "guarded" };
      return applyToolPolicy(call, autonomy, permissions) === decision ? [name] : [];
    });
  return {
    skills: shownSkills(run, tools),
    tools: tools.map(({ name }) => name),
    waiting: judged("ask"),
    blocked: judged("refuse"),
    maxSteps,
    outputSchema: schema && JSON.stringify(schema),
  };
}

/** What the system prompt of a run comes to, for a model that reads no prompts. */
export function runTask(
  run: LoadedRun,
  more: Partial<Extract<RulesTask, { kind: "run" }>> = {},
): RulesTask {
  const schema = outputSchema(run);
  return {
    kind: "run",
    agent: null,
    outputSchema: schema && JSON.stringify(schema),
    hasWorkspace: run.surroundings.workspace !== null,
    leadsAgents: false,
    ...more,
  };
}

/** What the prompt says of notes; nothing where the agent keeps none, or is denied the tool. */
async function notesFor(run: LoadedRun, tools: readonly ShownTool[]) {
  if (!run.agent || !runConfig(run).tools.memory) return {};
  if (!keepsNotes(run)) return { notes: null };
  if (!has(tools, MEMORY_TOOL_NAME)) return {};
  return { notes: await memoryPort(run, run.agent.id).list(null) };
}

function has(tools: readonly ShownTool[], name: string): boolean {
  return tools.some((tool) => tool.name === name);
}

function shownSkills(run: LoadedRun, tools: readonly ShownTool[]): RunSkill[] {
  return runSkills(
    run,
    tools.map(({ name }) => name),
  );
}
