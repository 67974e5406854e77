import "server-only";
import {
  answeringProgram,
  promptContext,
  runTask,
} from "@/lib/domain/execution/programs/answering-program";
import type { RunProgram } from "@/lib/domain/execution/run/loaded-run";
import { agentRunPrompt } from "@/lib/runtime/prompts/prompts";

/** A run by an agent's skill and config; without an agent, by the service's own. */
export const agentProgram: RunProgram = {
  facts: { kind: "agent", family: "agent", routes: "agent", startsRuns: "configured" },
  ...answeringProgram,
  // One that another agent has called may serve an app's end user whom nobody has named.
  mayKeepNotes: (run) => run.parentRunId === null || run.origin !== "agent" || Boolean(run.endUser),
  config: (run) => run.agent?.config ?? null,
  async instructions(run, shown) {
    const { agent } = run;
    if (!agent) return answeringProgram.instructions(run, shown);
    return {
      system: agentRunPrompt(agent, promptContext(run, shown)),
      task: runTask(run, { agent: { name: agent.name, skill: agent.skillContent } }),
    };
  },
};

/** The same through the key of an app. */
export const appProgram: RunProgram = {
  ...agentProgram,
  facts: { ...agentProgram.facts, kind: "app", onAppPath: true },
  // Where nobody is named all end users of the app would share one pot of notes, in which each
  // could read and plant what the others are told.
  mayKeepNotes: (run) => Boolean(run.endUser),
};
